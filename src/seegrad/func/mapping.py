"""`vmap`: a function of one sample, called for each sample of a batch, and its results stacked.

It is a loop: what the function does is what it does for one sample, values in `if` included.
Writes into a sample go to the batch, which samples are views of.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from seegrad import ops
from seegrad.arrays.generators import REFUSAL, Generator, default_generator
from seegrad.autograd._function_rules import VmapInfo
from seegrad.autograd._trees import flatten
from seegrad.func._mapping_dims import Inputs, check_out_dims, name_of, out_dims_of
from seegrad.func.scopes import transforming
from seegrad.graph.state import is_recording
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["vmap"]

Function = Callable[..., Any]

RANDOM = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' "
    "or 'different' randomness flags on vmap or perform the randomness operation out of vmap"
)
WRITTEN = (
    "vmap: {} wrote in place to an input that is the same for all samples. It would be written to "
    "once for each of them. Please map over that input too, or compute out of place."
)


def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """A function that calls `func` for each sample of its arguments, and stacks the results.

    Args:
        func: takes samples and returns tensors, in containers or not.
        in_dims: the dimension of the samples, None for an argument that is the same for all; an
            int for all arguments, or a tuple in their structure.
        out_dims: the dimension in which results are stacked, None for what is the same for all; an
            int or a container in their structure.
        randomness: "error" refuses random numbers, with "different" each sample has its own, with
            "same" all have the same.
        chunk_size: accepted; the samples are computed one after the other.

    The returned function takes what `func` takes; keyword arguments are the same for all samples.
    Raises ValueError for dimensions that are not there, sizes that differ and results that are no
    tensors, RuntimeError for random numbers where they are refused.

    >>> import seegrad as torch
    >>> x, weight = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([10.0, 1.0])
    >>> torch.vmap(torch.dot, in_dims=(0, None))(x, weight)
    tensor([12., 34.])
    >>> torch.vmap(torch.func.grad(lambda t: (t ** 2).sum()))(x)
    tensor([[2., 4.],
            [6., 8.]])
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got "
            f"{randomness}"
        )
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        check_out_dims(func, out_dims)
        inputs = Inputs(func, args, in_dims)
        return Batch(func, inputs, kwargs, randomness).results(out_dims)

    return wrapped


class Batch:
    """One call of a mapped function."""

    def __init__(
        self, func: Function, inputs: Inputs, kwargs: dict[str, Any], randomness: str
    ) -> None:
        self.func = func
        self.inputs = inputs
        self.kwargs = kwargs
        self.info = VmapInfo(inputs.size, randomness)
        pairs = zip(inputs.leaves, inputs.dims, strict=True)
        same = [*(leaf for leaf, dim in pairs if dim is None), *flatten(kwargs)[0]]
        self.same = [leaf for leaf in same if isinstance(leaf, TensorBase)]

    def results(self, out_dims: Any) -> Any:
        """What the function returned for each sample, stacked."""
        outputs = [flatten(output) for output in self._outputs()]
        structure = outputs[0][1]
        for _, other in outputs:
            if other != structure:
                raise ValueError(
                    f"vmap({name_of(self.func)}, ...): the structure of the outputs differs from "
                    f"sample to sample: {structure} and {other}"
                )
        dims = out_dims_of(self.func, out_dims, structure)
        columns = zip(*(leaves for leaves, _ in outputs), strict=True)
        return structure.filled(map(self._together, columns, dims))

    def _outputs(self) -> list[Any]:
        """What the function returns for each sample; for an empty batch, for one of zeros."""
        versions = [tensor._counter.value for tensor in self.same]
        found = []
        with transforming(self.info), drawing(self.info.randomness) as begin:
            for sample in zip(*map(self._samples, self.inputs.leaves, self.inputs.dims)):  # noqa: B905
                begin()
                found.append(self.func(*self.inputs.structure.filled(sample), **self.kwargs))
                if versions != [tensor._counter.value for tensor in self.same]:
                    raise RuntimeError(WRITTEN.format(name_of(self.func)))
        return found

    def _samples(self, leaf: Any, dim: int | None) -> Iterable[Any]:
        if dim is None:
            return itertools.repeat(leaf)
        if not self.info.batch_size:
            shape = leaf.shape[:dim] + leaf.shape[dim + 1 :]
            return [leaf.new_zeros(shape)]
        if is_recording() and requires(leaf):
            found: Iterable[Any] = leaf.unbind(dim)  # one node, whose gradient is stacked once
            return found
        return (leaf.select(dim, place) for place in range(self.info.batch_size))

    def _together(self, column: tuple[Any, ...], dim: int | None) -> Any:
        """One output of all samples."""
        first = column[0]
        if dim is None:
            if isinstance(first, TensorBase) and not all(same(first, one) for one in column[1:]):
                raise ValueError(
                    f"vmap({name_of(self.func)}, ...): `{name_of(self.func)}` can not return a "
                    "BatchedTensor when out_dim is None"
                )
            return first
        for one in column:
            if not isinstance(one, TensorBase):
                raise ValueError(
                    f"vmap({name_of(self.func)}, ...): `{name_of(self.func)}` must only return "
                    f"Tensors, got type {type(one)}. Did you mean to set out_dims= to None for "
                    "output?"
                )
        stacked = ops.stack(column, dim)
        return stacked if self.info.batch_size else stacked.narrow(dim, 0, 0)


def same(one: Any, other: Any) -> bool:
    """Whether two tensors hold the same, NaN at the same places."""
    return one.dtype == other.dtype and np.array_equal(
        one._array, other._array, equal_nan=one.dtype.is_floating_point or one.dtype.is_complex
    )


@contextmanager
def drawing(randomness: str) -> Iterator[Callable[[], Any]]:
    """What random numbers are inside; yields what is to be called before each sample."""
    before = REFUSAL.text
    if randomness == "error":
        REFUSAL.text = RANDOM
    try:
        if randomness == "same":
            start = Generator.get_state(default_generator)
            yield lambda: Generator.set_state(default_generator, start)
        else:
            yield lambda: None
    finally:
        REFUSAL.text = before
