"""The names of `torch.autograd`."""

from seegrad.autograd import function, grad_mode, graph
from seegrad.autograd.function import Function
from seegrad.autograd.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from seegrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from seegrad.autograd.variable import Variable
from seegrad.tensor.differentiate import backward, grad

__all__ = [
    "Function",
    "GradcheckError",
    "Variable",
    "backward",
    "enable_grad",
    "function",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "is_grad_enabled",
    "no_grad",
    "set_grad_enabled",
]
