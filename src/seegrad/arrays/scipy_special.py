"""SciPy's special functions; the first that is called imports SciPy."""

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = ["special_function"]


@cache
def special_function(name: str) -> Callable[..., Any]:
    """A function of `scipy.special`."""
    function: Callable[..., Any] = getattr(importlib.import_module("scipy.special"), name)
    return function
