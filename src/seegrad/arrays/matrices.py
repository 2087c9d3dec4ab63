"""What kernels on batches of matrices share: refusals, broadcasting, loops over LAPACK."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from seegrad.arrays.dtypes import bfloat16, float16, from_numpy, scalar_type_name
from seegrad.errors import LinAlgError

Array = Any

LOW = (float16.numpy, bfloat16.numpy)


def kind_name(array: Array) -> str:
    """The name of the type in messages: 'Float', 'Long' ..."""
    return scalar_type_name(from_numpy(array.dtype))


def need_matrix(name: str, array: Array, what: str = "A") -> None:
    """Refuses fewer than two dimensions."""
    if array.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {what} must have at least 2 dimensions.")


def need_square(name: str, array: Array) -> None:
    """Refuses what is not a batch of square matrices."""
    need_matrix(name, array)
    rows, columns = array.shape[-2:]
    if rows != columns:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {rows} by {columns} "
            "matrices"
        )


def need_float(name: str, array: Array, low: bool = True) -> None:
    """Refuses integers and bools, and half precision unless it is refused elsewhere (`low`)."""
    if array.dtype.kind in "iub":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {kind_name(array)}"
        )
    if not low and array.dtype in LOW:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {kind_name(array)}")


def need_lapack(name: str, array: Array) -> None:
    """Refuses the types that LAPACK does not have."""
    if array.dtype.char not in "fdFD":
        raise NotImplementedError(f"\"{name}\" not implemented for '{kind_name(array)}'")


def need_same(name: str, one: str, first: Array, two: str, second: Array) -> None:
    """Refuses two types."""
    if first.dtype != second.dtype:
        raise RuntimeError(
            f"{name}: Expected {one} and {two} to have the same dtype, but found {one} of type "
            f"{kind_name(first)} and {two} of type {kind_name(second)} instead"
        )


def need_fit(name: str, A: Array, B: Array, left: bool) -> None:
    """Refuses sizes that do not fit for `A X = B`, or `X A = B`."""
    if A.shape[-2 if left else -1] != B.shape[-2 if left else -1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation "
            f"{'AX' if left else 'XA'} = B ({A.shape[-2]}x{A.shape[-1]} and "
            f"{B.shape[-2]}x{B.shape[-1]})"
        )


def together(A: Array, B: Array) -> tuple[Array, Array]:
    """Both with the batch dimensions that they have together."""
    first, second = B.shape[:-2], A.shape[:-2]
    if first == second:
        return A, B
    depth = max(len(first), len(second))
    longer = [(1,) * (depth - len(batch)) + batch for batch in (first, second)]
    for dim, (one, two) in reversed(list(enumerate(zip(*longer, strict=True)))):
        if one != two and 1 not in (one, two):
            raise RuntimeError(
                f"The size of tensor a ({one}) must match the size of tensor b ({two}) at "
                f"non-singleton dimension {dim}"
            )
    batch = np.broadcast_shapes(first, second)
    return tuple(np.broadcast_to(array, batch + array.shape[-2:]) for array in (A, B))  # type: ignore[return-value]


def member(info: Array) -> tuple[str, int]:
    """Where the first of a batch failed, as PyTorch says it, and its code."""
    flat = info.reshape(-1)
    place = int(np.flatnonzero(flat)[0])
    return (f"(Batch element {place}): " if info.ndim else ""), int(flat[place])


def refuse_singular(name: str, info: Array, say: Callable[[int], str]) -> None:
    """Raises LinAlgError where one of the batch failed."""
    if info.any():
        where, code = member(info)
        raise LinAlgError(f"{name}: {where}{say(code)}")


def each(*arrays: Array) -> Iterator[tuple[Array, ...]]:
    """The matrices of batches one by one, for kernels that SciPy has for one matrix only."""
    for place in np.ndindex(arrays[0].shape[:-2]):
        yield tuple(array[place] for array in arrays)


def adjoint(array: Array) -> Array:
    """The conjugate transpose of each matrix."""
    return array.conj().swapaxes(-1, -2) if array.dtype.kind == "c" else array.swapaxes(-1, -2)
