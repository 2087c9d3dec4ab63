"""The namespace `recorded`: every operator by name, and the few helpers that formulas share."""

from typing import Any

from seegrad.arrays import raw
from seegrad.graph.recorded import Namespace, recorded
from seegrad.graph.tensor import wrap

__all__ = ["Namespace", "fill", "recorded"]


def sum_to(grad: Any, shape: tuple[int, ...]) -> Any:
    """The gradient summed to a shape that broadcasting had enlarged."""
    sizes = tuple(grad.shape)
    lead = len(sizes) - len(shape)
    dims = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(shape) if n == 1 and sizes[lead + i] != 1
    )
    if dims:
        grad = recorded.sum_dim(grad, dims, True)
    return recorded.view(grad, shape) if lead else grad


def new_zeros(like: Any, shape: tuple[int, ...]) -> Any:
    """Zeros of the dtype of `like`."""
    return wrap(raw.new_zeros(like._array, shape))


def zeros_like(like: Any) -> Any:
    """Zeros of the shape and dtype of `like`."""
    return wrap(raw.zeros_like(like._array))


def ones_like(like: Any) -> Any:
    """Ones of the shape and dtype of `like`."""
    return wrap(raw.ones_like(like._array))


def fill(functions: dict[str, Any]) -> None:
    """Puts the operators into the namespace."""
    for function in (sum_to, new_zeros, zeros_like, ones_like):
        setattr(recorded, function.__name__, function)
    for name, function in functions.items():
        setattr(recorded, name, function)
