"""What `out=` means: compute without recording, then write into a tensor that is there already."""

from collections.abc import Callable
from typing import Any

from seegrad.arrays.dtypes import cpp_type_name, from_numpy
from seegrad.arrays.promotion import can_cast
from seegrad.errors import COPY_ON_OVERLAP, SHARED_MEMORY
from seegrad.graph.levels import carries
from seegrad.graph.loans import unshare
from seegrad.graph.state import is_recording, recording
from seegrad.graph.tangents import tangents_of
from seegrad.graph.tensor import TensorBase, requires
from seegrad.graph.versions import bump
from seegrad.operators.inplace import is_same, partly_overlaps, repeats
from seegrad.operators.signatures import wrong_kinds
from seegrad.ops.once import warn

__all__ = ["into", "need_alike", "need_one_tensor", "need_tensor", "need_tensors"]


def into(
    out: Any,
    name: str,
    function: Callable[..., Any],
    *args: Any,
    exact: bool = False,
    apart: bool = False,
) -> Any:
    """Write `function(*args)` into `out`, one tensor or a tuple of them, and return `out`.

    Raises RuntimeError where a gradient would have to be recorded, or where the type of the result
    can't be cast to the type of `out`; with `exact`, where it is another. Also where `out` shows a
    place of memory twice, or shares some with an argument: all of it is fine unless `apart`.
    """
    outs = out if isinstance(out, tuple | list) else (out,)
    _refuse_grad(name, (*args, *outs))
    for target in outs:
        _need_memory(target, args, apart)
    with recording(False):
        results = function(*args)
    results = results if isinstance(results, tuple) else (results,)
    for target, result in zip(outs, results, strict=True):
        if exact:
            _need_type(target, result)
        _write(target, result)
    return out


def _refuse_grad(name: str, values: tuple[Any, ...]) -> None:
    if carries() and any(tangents_of(v) for v in values if isinstance(v, TensorBase)):
        raise NotImplementedError(
            f"Trying to use forward AD with {name}_out that does not support it because it is an "
            "out= function"
        )
    if is_recording() and any(isinstance(v, TensorBase) and requires(v) for v in values):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad."
        )


def _need_memory(out: TensorBase, args: tuple[Any, ...], apart: bool) -> None:
    array = out._array
    if repeats(array):
        raise RuntimeError(COPY_ON_OVERLAP)
    others = [t for a in args for t in (a if isinstance(a, tuple | list) else (a,))]
    for other in (one._array for one in others if isinstance(one, TensorBase)):
        if array.base is other.base is None and array is not other:
            continue  # both own their memory
        if partly_overlaps(array, other) or (apart and is_same(array, other)):
            raise RuntimeError(SHARED_MEMORY)


def _need_type(out: TensorBase, result: TensorBase) -> None:
    found, wanted = (cpp_type_name(t.dtype) for t in (out, result))
    if found != wanted:
        raise RuntimeError(f"Expected out tensor to have dtype {wanted}, but got {found} instead")


def _write(out: TensorBase, result: TensorBase) -> None:
    found, wanted = from_numpy(result._array.dtype), out.dtype
    if not can_cast(found, wanted):
        raise RuntimeError(
            f"result type {found.scalar_name} can't be cast to the desired output type "
            f"{wanted.scalar_name}"
        )
    if out._array.shape == result._array.shape:
        unshare(out)
        out._array[...] = result._array
    else:
        _warn_resized(out, result)
        out._array = result._array.astype(out._array.dtype)
    bump(out)


def _warn_resized(out: TensorBase, result: TensorBase) -> None:
    if out._array.size:
        warn(
            "An output with one or more elements was resized since it had shape "
            f"{list(out._array.shape)}, which does not match the required output shape "
            f"{list(result._array.shape)}. This behavior is deprecated, and in a future PyTorch "
            "release outputs will not be resized unless they have zero elements. You can "
            "explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
            "t.resize_(0)."
        )


def need_alike(out: TensorBase, input: TensorBase, text: str) -> None:
    """Raise RuntimeError with a text of its own where the types differ."""
    if out._array.dtype != input._array.dtype:
        raise RuntimeError(text)


def need_tensor(name: str, argument: str, position: int, value: Any) -> None:
    """Raise PyTorch's TypeError where an argument has to be a tensor."""
    if not isinstance(value, TensorBase):
        raise TypeError(
            f"{name}(): argument '{argument}' (position {position}) must be Tensor, "
            f"not {type(value).__name__}"
        )


def need_tensors(name: str, input: Any, other: Any) -> None:
    """Raise PyTorch's TypeError where one of two operands is no tensor."""
    if not (isinstance(input, TensorBase) and isinstance(other, TensorBase)):
        raise wrong_kinds(name, input, other)


def need_one_tensor(name: str, input: Any, other: Any) -> None:
    """Raise PyTorch's TypeError where both operands are numbers."""
    if not (isinstance(input, TensorBase) or isinstance(other, TensorBase)):
        raise wrong_kinds(name, input, other)
