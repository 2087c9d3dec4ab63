"""Calls that do not fit at first: NumPy's names, tensors for numbers, arguments of a wrong kind.

A public function is called as it stands. Only when that fails are its arguments looked at: `axis`
and `keepdims` mean `dim` and `keepdim`, a tensor of one element stands for its number, and what
is of a wrong kind gets PyTorch's TypeError in the place of whatever came of it deep inside. A call
that succeeds pays for none of this.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np

from seegrad.arrays.promotion import result_dtype
from seegrad.graph.asked import found_asked, values_of
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.signatures import type_name

__all__ = ["public"]

P = ParamSpec("P")
R = TypeVar("R")

NUMPY = {"axis": "dim", "keepdims": "keepdim"}
NUMBERS = ("int", "float", "Number")
EITHER = "Tensor | Number"
OTHER = inspect.Parameter("other", inspect.Parameter.VAR_POSITIONAL)  # nothing is known of it


def public(function: Callable[P, R]) -> Callable[P, R]:
    """The function, with second thoughts about a call that failed."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception:
            if found_asked(called, values_of(args, kwargs)):
                return called(*args, **kwargs)
            call = fitted(function, args, kwargs)
            if call is None:
                raise
        again: Any = function  # outside of the handler: a second failure stands alone
        return again(*call[0], **call[1])  # type: ignore[no-any-return]

    return called


def fitted(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """The arguments as the function takes them; None where there was nothing to change."""
    parameters = inspect.signature(function).parameters
    given = {*list(parameters)[: len(args)], *kwargs}
    named = {renamed(name, parameters, given): value for name, value in kwargs.items()}
    places = [*parameters.values(), *[OTHER] * len(args)]
    fitting = tuple(fit(function, places[at], value, at + 1) for at, value in enumerate(args))
    fitting_named = {
        name: fit(function, parameters.get(name, OTHER), value) for name, value in named.items()
    }
    changed = list(named) != list(kwargs) or any(
        a is not b
        for a, b in zip((*args, *named.values()), (*fitting, *fitting_named.values()), strict=True)
    )
    return (fitting, fitting_named) if changed else None


def renamed(name: str, parameters: Any, given: set[str]) -> str:
    """PyTorch's name of an argument that was given by NumPy's."""
    other = NUMPY.get(name, name)
    known = name in parameters or other not in parameters
    return name if known or other in given else other


def kind_of(parameter: inspect.Parameter) -> str:
    """`Tensor`, `int`, `float` or `Number`, '' where more than one kind is taken."""
    kind = str(parameter.annotation).removesuffix(" | None")
    if parameter.kind is parameter.VAR_POSITIONAL or kind not in ("Tensor", EITHER, *NUMBERS):
        return ""
    return kind


def fit(function: Any, parameter: inspect.Parameter, value: Any, position: int = 0) -> Any:
    """The value, the number of a tensor of one element; raises TypeError for a wrong kind."""
    kind = kind_of(parameter)
    if kind == EITHER:
        number = position == 1 and isinstance(value, bool | int | float | complex)
        return wrap(np.asarray(value, result_dtype([value]))) if number else value
    if fits(value, kind):
        return value
    if kind in NUMBERS and isinstance(value, TensorBase) and value._array.ndim == 0:
        number = value._array.item()
        if fits(number, kind):
            return number
    place = f" (position {position})" if position else ""
    raise TypeError(
        f"{function.__name__}(): argument '{parameter.name}'{place} must be {kind}, "
        f"not {type_name(value)}"
    ) from None


def fits(value: Any, kind: str) -> bool:
    """Whether a value is of the kind; None is for the function to judge."""
    if not kind or value is None:
        return True
    if kind == "Tensor":
        return isinstance(value, TensorBase)
    if isinstance(value, TensorBase | str | list | tuple | dict):
        return False
    return kind != "int" or hasattr(value, "__index__")
