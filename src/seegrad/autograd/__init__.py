"""The names of `torch.autograd`."""

from typing import Any as _Any
from typing import NoReturn as _NoReturn

from seegrad.autograd import (
    anomaly_mode,
    forward_ad,
    function,
    functional,
    grad_mode,
    graph,
    profiler,
)
from seegrad.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from seegrad.autograd.function import Function
from seegrad.autograd.grad_mode import (
    _force_original_view_tracking,
    _unsafe_preserve_version_counter,
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    is_grad_enabled,
    is_multithreading_enabled,
    is_view_replay_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from seegrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from seegrad.autograd.variable import Variable
from seegrad.graph.asked import register as _register
from seegrad.graph.saved import SavedTensor
from seegrad.missing import missing as _missing
from seegrad.tensor.differentiate import _calculate_shape, backward, grad

__all__ = [
    "Function",
    "GradcheckError",
    "SavedTensor",
    "Variable",
    "_calculate_shape",
    "_force_original_view_tracking",
    "_unsafe_preserve_version_counter",
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "enforce_grad_layout_policy",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_grad_enabled",
    "is_multithreading_enabled",
    "is_view_replay_enabled",
    "no_grad",
    "profiler",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "variable",
]


def variable(*args: _Any, **kwargs: _Any) -> _NoReturn:
    """The function that was here before `torch.tensor`; it raises RuntimeError and says so."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


# The function stands in the place of the module of this name, as in PyTorch.
variable.Variable = Variable  # type: ignore[attr-defined]

_register("torch.autograd", globals(), __all__)
__getattr__ = _missing(__name__, __all__)
