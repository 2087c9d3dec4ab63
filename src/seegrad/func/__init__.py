"""The names of `torch.func`: functions that differentiate, map and call functions."""

from seegrad.func.forward import jacfwd, jvp, linearize
from seegrad.func.mapping import vmap
from seegrad.func.modules import (
    functional_call,
    replace_all_batch_norm_modules_,
    stack_module_state,
)
from seegrad.func.plain import debug_unwrap, functionalize
from seegrad.func.reverse import grad, grad_and_value, hessian, jacrev, vjp
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

__getattr__ = _missing(__name__, __all__)
