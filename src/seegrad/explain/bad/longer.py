"""A few functions of tensors as functions of arrays of long doubles, which the library has not."""

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["LONGER", "is_longer"]


def is_longer() -> bool:
    """Whether NumPy's long double has more digits than double here."""
    return bool(np.finfo(np.longdouble).eps < 1e-18)


def axis(dim: Any) -> Any:
    """The `axis` that a `dim` is."""
    return tuple(dim) if isinstance(dim, list) else dim


def total(a: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """`sum`."""
    return a.sum(axis=axis(dim), keepdims=keepdim)


def mean(a: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """`mean`."""
    return a.mean(axis=axis(dim), keepdims=keepdim)


def add(a: Any, b: Any, alpha: Any = 1) -> Any:
    """`add`."""
    return a + alpha * b


def sub(a: Any, b: Any, alpha: Any = 1) -> Any:
    """`sub`."""
    return a - alpha * b


# By the plain name of a function.
LONGER: dict[str, Callable[..., Any]] = {
    "add": add,
    "sub": sub,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "abs": np.abs,
    "pow": np.power,
    "square": np.square,
    "sqrt": np.sqrt,
    "rsqrt": lambda a: 1 / np.sqrt(a),
    "reciprocal": lambda a: 1 / a,
    "exp": np.exp,
    "exp2": np.exp2,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "atan": np.arctan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "sum": total,
    "mean": mean,
    "unsqueeze": np.expand_dims,
    "matmul": np.matmul,
    "mm": np.matmul,
    "mv": np.matmul,
    "dot": np.dot,
    "__getitem__": lambda a, index: a[index],
}
