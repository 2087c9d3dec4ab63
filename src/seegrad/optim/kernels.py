"""The operations that steps are made of, read in two ways.

Note [Two readings]: an optimiser's `_update` is one text over a namespace `xp`. Its functions take
the room for their result last, and return the result.

* `raw` are NumPy's functions: they write into that room, a scratch block or the block of the
  parameter or state itself, and allocate nothing.
* `recorded` are operators on tensors: they leave the room alone and return new tensors, so that a
  step with `differentiable=True` has a history and overwrites nothing that backward needs.

So an `_update` uses returned values only, and returns the new parameter and state in their order.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from seegrad import ops

__all__ = ["Array", "direction", "raw", "recorded"]

Array = np.ndarray[Any, Any]
Axpy = Callable[[Array, Array, int, float], Array]

_axpy: dict[Any, Axpy] = {}


def _add_scaled(target: Array, source: Array, factor: float) -> Array:
    """`target += factor * source` in place, rounded once, as PyTorch's `add_(alpha=)` does.

    Both are flat, contiguous and of the same dtype, float32 or float64.
    """
    axpy = _axpy.get(target.dtype)
    if axpy is None:
        axpy = _axpy[target.dtype] = _load_axpy(target.dtype)
    axpy(source, target, target.size, factor)
    return target


def _load_axpy(dtype: Any) -> Axpy:
    """BLAS writes into the array it is given, if that is contiguous and of its own dtype."""
    from scipy.linalg import blas  # here, because SciPy takes longer to import than all of seegrad

    return blas.saxpy if dtype == np.float32 else blas.daxpy  # type: ignore[no-any-return]


def _copied(source: Any, room: Array) -> Array:
    """`source`, an array or a number, in `room`."""
    np.copyto(room, source)
    return room


def _chosen(sign: Array, minus: Any, zero: Any, plus: Any, room: Array) -> Array:
    """By the sign of each element one of three arrays or numbers."""
    np.copyto(room, zero)
    np.copyto(room, plus, where=sign > 0)
    np.copyto(room, minus, where=sign < 0)
    return room


raw = SimpleNamespace(
    add=np.add, subtract=np.subtract, multiply=np.multiply, divide=np.divide, sqrt=np.sqrt,
    maximum=lambda one, other, room: np.maximum(one, other, out=room),
    absolute=np.absolute, sign=np.sign, negative=np.negative, clip=np.clip,
    add_scaled=_add_scaled, copied=_copied, chosen=_chosen,
)  # fmt: skip


def _recorded_choice(sign: Any, minus: Any, zero: Any, plus: Any, room: None) -> Any:
    return ops.where(sign > 0, plus, ops.where(sign < 0, minus, zero))


recorded = SimpleNamespace(
    add=lambda one, other, room: one + other,
    subtract=lambda one, other, room: one - other,
    multiply=lambda one, other, room: one * other,
    divide=lambda one, other, room: one / other,
    sqrt=lambda one, room: one.sqrt(),
    maximum=lambda one, other, room: ops.maximum(one, other),
    absolute=lambda one, room: one.abs(),
    sign=lambda one, room: one.sign(),
    negative=lambda one, room: -one,
    clip=lambda one, least, most, room: one.clamp(least, most),
    add_scaled=lambda target, source, factor: target + source * factor,
    copied=lambda source, room: source,
    chosen=_recorded_choice,
)


def direction(xp: Any, grad: Any, param: Any, room: Any, decay: Any, maximize: bool) -> Any:
    """The gradient with its sign and weight decay; computed in `room` where it changes."""
    if maximize:
        grad = xp.negative(grad, room)
    if decay != 0:
        if grad is not room:
            grad = xp.copied(grad, room)
        grad = xp.add_scaled(grad, param, decay)
    return grad
