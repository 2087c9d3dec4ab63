"""The names of `torch.func`. Its transformations are not there yet, and say so when called.

>>> import seegrad as torch
>>> torch.func.jacrev(torch.sin)(torch.ones(2))
Traceback (most recent call last):
NotImplementedError: torch.func.jacrev is not there yet. ...
"""

import functools
from collections.abc import Callable
from typing import Any

from seegrad.autograd.function import Function
from seegrad.func.modules import functional_call, stack_module_state
from seegrad.missing import later, not_there_yet
from seegrad.missing import missing as _missing

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]

WITHOUT_SETUP = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
    "...), it must override the setup_context staticmethod. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)


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


_of_outputs = "torch.autograd.grad(outputs, inputs)"
grad = _transform("grad", _of_outputs)
grad_and_value = _transform("grad_and_value", _of_outputs)
hessian = _transform("hessian", "torch.autograd.functional.hessian(func, inputs)")
jacfwd = _transform("jacfwd", "torch.autograd.functional.jacobian(func, inputs)")
jacrev = _transform("jacrev", "torch.autograd.functional.jacobian(func, inputs)")
vmap = _transform("vmap", "a loop over the examples and torch.stack")
jvp = later("torch.func.jvp", "torch.autograd.functional.jvp(func, inputs, v)")
linearize = later("torch.func.linearize", "torch.autograd.functional.jvp(func, inputs, v)")
vjp = later("torch.func.vjp", "torch.autograd.functional.vjp(func, inputs, v)")

__getattr__ = _missing(__name__, __all__)
