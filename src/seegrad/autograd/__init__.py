"""The names of `torch.autograd`."""

from seegrad.autograd import anomaly_mode, function, functional, grad_mode, graph
from seegrad.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from seegrad.autograd.function import Function
from seegrad.autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from seegrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from seegrad.autograd.graph import (
    unsafe_preserve_version_counter as _unsafe_preserve_version_counter,
)
from seegrad.autograd.variable import Variable
from seegrad.missing import missing as _missing
from seegrad.tensor.differentiate import backward, grad

__all__ = [
    "Function",
    "GradcheckError",
    "Variable",
    "_unsafe_preserve_version_counter",
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_grad_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]

__getattr__ = _missing(__name__, __all__)
