"""A call of a custom Function, remembered well enough to be made again."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from seegrad.autograd.function import bound
from seegrad.explain.places import Place
from seegrad.graph.state import recording
from seegrad.graph.tensor import TensorBase, requires, set_requires, wrap
from seegrad.tensor.differentiate import grad

__all__ = ["Array", "Call", "Outcome", "context_of"]

Array = np.ndarray[Any, Any]


class Call:
    """The arguments of one call: tensors as arrays of their own, the rest as it is."""

    def __init__(
        self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any], place: Place | None = None
    ) -> None:
        if kwargs or cls._separate:
            args = bound(cls, args, kwargs)
        self.cls = cls
        self.place = place
        self.others = [None if isinstance(a, TensorBase) else a for a in args]
        self.arrays = [a._array.copy() if isinstance(a, TensorBase) else None for a in args]
        self.needs = [isinstance(a, TensorBase) and requires(a) for a in args]

    @property
    def name(self) -> str:
        """What the Function is called."""
        return str(self.cls.__name__)

    @property
    def needed(self) -> list[int]:
        """The positions of the arguments that need a gradient."""
        return [place for place, need in enumerate(self.needs) if need]

    @property
    def signature(self) -> tuple[Any, ...]:
        """What tells calls apart that may go different ways."""
        shapes = [None if a is None else (a.shape, a.dtype.str) for a in self.arrays]
        return self.cls, tuple(self.needs), tuple(shapes)

    @property
    def size(self) -> int:
        """How many elements the tensors have."""
        return sum(array.size for array in self.arrays if array is not None)

    def values(self, wide: bool = False) -> list[Array | None]:
        """The arrays; with `wide` in double precision where they are floating."""
        return [a if a is None or not wide else widened(a) for a in self.arrays]

    def argument(self, place: int) -> str:
        """What `forward` calls the argument at a position."""
        code = getattr(self.cls.forward, "__code__", None)
        first = 0 if self.cls._separate else 1
        first += getattr(self.cls.forward, "__self__", None) is self.cls  # of a class method
        names = code.co_varnames[first : code.co_argcount] if code else ()
        return names[place] if place < len(names) else f"argument {place}"


class Outcome:
    """What a call returned, and the leaves that its arguments were made from."""

    def __init__(self, call: Call, values: Sequence[Array | None], apart: bool = True) -> None:
        self.call = call
        self.leaves: dict[int, Any] = {}
        self.args: list[Any] = []
        for place, (array, other) in enumerate(zip(values, call.others, strict=True)):
            if array is None:
                self.args.append(other)
                continue
            tensor = wrap(array.copy())
            if call.needs[place]:
                set_requires(tensor, True)
                self.leaves[place] = tensor
                tensor = tensor.clone() if apart else tensor  # what forward may write into
            self.args.append(tensor)
        returned = call.cls.apply(*self.args)
        self.all = returned if isinstance(returned, tuple) else (returned,)
        self.outs = [o for o in self.all if isinstance(o, TensorBase) and requires(o)]

    @property
    def ctx(self) -> Any:
        """The context, None where nothing was recorded."""
        for out in self.outs:
            node = out.grad_fn  # type: ignore[attr-defined]
            if getattr(node, "_forward_cls", None) is self.call.cls:
                return node
        return None

    def given(self, weights: Array) -> list[Any]:
        """A row like `flat()` as gradients of all outputs; None for those that have none."""
        parts = iter(self.split(weights))
        wanted = {id(out) for out in self.outs}
        return [wrap(next(parts).copy()) if id(o) in wanted else None for o in self.all]

    def returned(self, given: list[Any]) -> tuple[Any, ...]:
        """What the user's backward itself returns for these gradients."""
        with recording(False):
            found: tuple[Any, ...] = self.ctx._gradients(given[0] if len(given) == 1 else given)
        return found

    def backward(self, weights: Array) -> dict[int, Array | None]:
        """What a backward pass gives each argument for these gradients of the outputs."""
        given = [wrap(part) for part in self.split(weights)]
        leaves = list(self.leaves.values())
        found = grad(self.outs, leaves, given, retain_graph=True, allow_unused=True)
        arrays = [None if g is None else g._array for g in found]
        return dict(zip(self.leaves, arrays, strict=True))

    def flat(self) -> Array:
        """The differentiable outputs in one row."""
        rows = [out._array.reshape(-1) for out in self.outs]
        return np.concatenate(rows) if rows else np.zeros(0)

    def split(self, weights: Array) -> list[Array]:
        """A row like `flat()` as arrays of the outputs' shapes and dtypes."""
        found, start = [], 0
        for out in self.outs:
            array = out._array
            part = weights[start : start + array.size].reshape(array.shape)
            found.append((part if array.dtype.kind == "c" else part.real).astype(array.dtype))
            start += array.size
        return found


def context_of(outs: Any, cls: Any) -> Any:
    """The ctx behind the outputs, None where nothing was recorded."""
    for out in outs:
        if isinstance(out, TensorBase) and requires(out):
            node = out._node if out._view is None else out.grad_fn  # type: ignore[attr-defined]
            if getattr(node, "_forward_cls", None) is cls:
                return node
    return None


def widened(array: Array) -> Array:
    """The array in double precision, unless it is of integers or bools."""
    if array.dtype.kind in "biu":
        return array
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
