"""The names of `torch.func`. Its forward transformations are not there yet, and say so.

>>> import seegrad as torch
>>> torch.func.jacfwd(torch.sin)(torch.ones(2))
Traceback (most recent call last):
NotImplementedError: torch.func.jacfwd is not there yet. ...
"""

import functools
from collections.abc import Callable
from typing import Any

from seegrad.autograd._function_texts import WITHOUT_SETUP
from seegrad.autograd.function import Function
from seegrad.func.mapping import vmap
from seegrad.func.modules import (
    functional_call,
    replace_all_batch_norm_modules_,
    stack_module_state,
)
from seegrad.func.plain import debug_unwrap, functionalize
from seegrad.func.reverse import grad, grad_and_value, hessian, jacrev, vjp
from seegrad.missing import later, not_there_yet
from seegrad.missing import missing as _missing

__all__ = [
    "debug_unwrap",
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]


def _transform(name: str, instead: str) -> Callable[..., Any]:
    """A transformation that returns a function, which raises when it is called."""

    def transform(func: Callable[..., Any], *args: Any, **options: Any) -> Callable[..., Any]:
        @functools.wraps(func)
        def transformed(*args: Any, **kwargs: Any) -> Any:
            owner = getattr(func, "__self__", None)
            if isinstance(owner, type) and issubclass(owner, Function) and not owner._separate:
                raise RuntimeError(WITHOUT_SETUP)
            raise not_there_yet(f"torch.func.{name}", instead)

        return transformed

    transform.__name__ = transform.__qualname__ = name
    return transform


jacfwd = _transform("jacfwd", "torch.autograd.functional.jacobian(func, inputs)")
jvp = later("torch.func.jvp", "torch.autograd.functional.jvp(func, inputs, v)")
linearize = later("torch.func.linearize", "torch.autograd.functional.jvp(func, inputs, v)")

__getattr__ = _missing(__name__, __all__)
