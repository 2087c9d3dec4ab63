"""The methods that fill a tensor with random numbers, in the order of its memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.normal import log_normal, normal
from seegrad.arrays.random import (
    bernoulli,
    cauchy,
    exponential,
    geometric,
    integers,
    integers_full,
    uniform,
)
from seegrad.arrays.strides import dense_like, in_memory
from seegrad.device import device as Device
from seegrad.graph import state
from seegrad.graph.recorded import recorded as op
from seegrad.graph.tensor import TensorBase, requires, set_requires, wrap
from seegrad.graph.versions import is_inference
from seegrad.ops.calls import public
from seegrad.tensor.creation import as_dtype, finished

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["FillingMethods", "alike", "drawn_like", "fill", "into_out", "made"]

Draw = Callable[[tuple[int, ...], Any], Any]


def drawn_like(array: Any, draw: Draw) -> Any:
    """Numbers for the places of an array, laid out as they are: draw(shape, dtype) gives them."""
    quiet = state.thread.state.quiet
    if array.flags.c_contiguous:
        return quiet(draw, array.shape, array.dtype)
    drawn = dense_like(array, array.dtype)
    lines = in_memory(drawn)
    lines[...] = quiet(draw, lines.shape, array.dtype)
    return drawn


def fill(self: Any, draw: Draw) -> Any:
    """Writes drawn numbers into a tensor, in place; the gradient of what was there is zero."""
    drawn = wrap(drawn_like(self._array, draw))
    if is_inference(self):
        drawn._counter = self._counter  # nothing normal stands beside it
    op.copy_(self, drawn)
    return self


def made(
    name: str,
    draw: Draw,
    shape: tuple[int, ...],
    kind: Any,
    requires_grad: bool = False,
    device: Any = None,
    out: Any = None,
) -> Tensor:
    """A new tensor of drawn numbers, or `out` filled with them."""
    if out is None:
        return finished(state.thread.state.quiet(draw, shape, kind), requires_grad, device)
    into_out(name, out, shape)
    filled: Tensor = fill(out, draw)
    return filled


def into_out(name: str, out: Any, shape: tuple[int, ...]) -> None:
    """Gives `out` the shape to be written; raises RuntimeError where a gradient would be lost."""
    if state.is_recording() and requires(out):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad."
        )
    out.resize_(shape)


def alike(
    draw_for: Callable[[Any], Draw],
    input: Any,
    dtype: Any,
    device: Any,
    requires_grad: bool,
    memory_format: Any,
) -> Tensor:
    """A new tensor of drawn numbers, laid out as another is unless it is to be contiguous.

    `draw_for` says how numbers are drawn for an array.
    """
    if device is not None:
        Device(device).require_cpu()
    kind = (as_dtype(dtype) or input.dtype).numpy
    contiguous = str(memory_format) == "torch.contiguous_format"
    like = np.empty(input.shape, kind) if contiguous else dense_like(input._array, kind)
    drawn: Tensor = wrap(drawn_like(like, draw_for(like)))
    if requires_grad:
        set_requires(drawn, True)
    return drawn


def normal_of(generator: Any, array: Any, mean: float = 0.0, std: float = 1.0) -> Draw:
    """How normal numbers are drawn for an array, which depends on how it lies in memory."""
    contiguous = array.flags.c_contiguous
    return partial(normal, generator, mean=mean, std=std, contiguous=contiguous)


class FillingMethods(TensorBase):
    """The methods that fill a tensor with random numbers."""

    @public
    def uniform_(self, *bounds: float, generator: Any = None, **named: float) -> Any:
        """Fills the tensor with numbers evenly distributed in [from, to), by default [0, 1)."""
        low, high = _bounds("uniform_", bounds, named, (0.0, 1.0))
        return fill(self, partial(uniform, generator, low=float(low), high=float(high)))

    @public
    def normal_(self, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
        """Fills the tensor with normal numbers."""
        return fill(self, normal_of(generator, self._array, float(mean), float(std)))

    @public
    def bernoulli_(self, p: Any = 0.5, *, generator: Any = None) -> Any:
        """Fills the tensor with ones of probability `p`, a number or a tensor, else zeros."""
        if not isinstance(p, TensorBase):
            chance: Any = _number("bernoulli_", p)
        else:
            given: Any = p
            chance = in_memory(given.expand(self._array.shape)._array, self._array)
        return fill(self, lambda shape, kind: bernoulli(generator, chance, shape, kind))

    @public
    def random_(self, *bounds: int, generator: Any = None, **named: int | None) -> Any:
        """Fills the tensor with integers: `random_(to)` below `to`, `random_(from, to)` between.

        `random_(from, None)` has no upper bound but what the type counts exactly; so has
        `random_()`, which begins at 0.
        """
        if not bounds and not named:
            return fill(self, partial(integers_full, generator))
        if len(bounds) == 1 and "to" not in named:
            bounds = (0, *bounds)
        low, high = _bounds("random_", bounds, named, (0, None))
        for bound in (low, high):
            if bound is not None and not hasattr(bound, "__index__"):
                _number("random_", bound, whole=True)
        return fill(self, lambda shape, kind: integers(generator, low, high, shape, kind))

    @public
    def exponential_(self, lambd: float = 1.0, *, generator: Any = None) -> Any:
        """Fills the tensor with numbers of the exponential distribution of rate `lambd`."""
        return fill(self, partial(exponential, generator, rate=float(lambd)))

    @public
    def cauchy_(self, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Any:
        """Fills the tensor with numbers of Cauchy's distribution."""
        return fill(self, partial(cauchy, generator, median=float(median), sigma=float(sigma)))

    @public
    def geometric_(self, p: float, *, generator: Any = None) -> Any:
        """Fills the tensor with numbers of trials until one of probability `p` succeeds."""
        return fill(self, partial(geometric, generator, p=float(p)))

    @public
    def log_normal_(self, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Any:
        """Fills the tensor with numbers whose logarithms are normally distributed."""
        return fill(self, partial(log_normal, generator, mean=float(mean), std=float(std)))


def _bounds(
    name: str, bounds: tuple[Any, ...], named: dict[str, Any], default: tuple[Any, Any]
) -> tuple[Any, Any]:
    """The range out of positions and the names `from`, which is Python's own, and `to`."""
    unknown = next((key for key in named if key not in ("from", "to")), None)
    if unknown is not None:
        raise TypeError(f"{name}() got an unexpected keyword argument '{unknown}'")
    low = named.get("from", bounds[0] if bounds else default[0])
    high = named.get("to", bounds[1] if len(bounds) > 1 else default[1])
    for place, (bound, value) in enumerate((("from", low), ("to", high)), 1):
        if isinstance(value, str | list | tuple):
            raise TypeError(
                f"{name}(): argument '{bound}' (position {place}) must be float, not "
                f"{type(value).__name__}"
            )
    return low, high


def _number(name: str, value: Any, whole: bool = False) -> float:
    """A number as a float; raises TypeError for what is none, or not a whole one."""
    if isinstance(value, int | float | np.number) and not whole:
        return float(value)
    raise TypeError(
        f"{name}() received an invalid combination of arguments - got ({type(value).__name__})"
    )
