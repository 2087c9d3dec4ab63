"""The few names of `torch._C` that programs and tests ask for."""

from importlib import import_module as _import_module
from types import SimpleNamespace
from typing import Any

from seegrad.autograd._context_face import _FunctionBase
from seegrad.autograd._once_differentiable import DelayedError, UndefinedGrad
from seegrad.autograd.grad_mode import is_multithreading_enabled as _is_multithreading_enabled
from seegrad.autograd.grad_mode import set_grad_enabled, set_multithreading_enabled
from seegrad.autograd.saved_tensors import (
    allow_hooks,
    hooks_are_allowed,
    pop_hooks,
    push_hooks,
    refusal,
    refuse_hooks,
)
from seegrad.errors import LinAlgError as _LinAlgError
from seegrad.graph.asked import Unasked
from seegrad.graph.asked import disabled as _disabled_torch_function_impl
from seegrad.graph.asked import is_asking as _is_torch_function_enabled
from seegrad.graph.node import AccumulateGrad
from seegrad.graph.running import execution_order as _current_graph_task_execution_order
from seegrad.graph.running import pass_id as _current_graph_task_id
from seegrad.graph.running import running_node as _current_autograd_node
from seegrad.graph.running import will_execute as _will_engine_execute_node
from seegrad.graph.saved import SavedTensor
from seegrad.graph.tensor import TensorBase
from seegrad.graph.versions import set_versions

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "TensorBase",
    "_FunctionBase",
    "_LinAlgError",
    "_autograd",
    "_current_autograd_node",
    "_current_graph_task_execution_order",
    "_current_graph_task_id",
    "_disabled_torch_function_impl",
    "_functions",
    "_is_multithreading_enabled",
    "_is_torch_function_enabled",
    "_set_grad_enabled",
    "_set_multithreading_enabled",
    "_will_engine_execute_node",
    "has_lapack",
]

# SciPy brings LAPACK.
has_lapack = True

_functions = SimpleNamespace(
    AccumulateGrad=AccumulateGrad, DelayedError=DelayedError, UndefinedGrad=UndefinedGrad
)


class DisableTorchFunctionSubclass(Unasked):
    """In its `with` block no class is asked; modes are."""

    def __init__(self) -> None:
        super().__init__(1)


class DisableTorchFunction(Unasked):
    """In its `with` block nobody is asked."""

    def __init__(self) -> None:
        super().__init__(2)


def _set_grad_enabled(enabled: Any) -> None:
    """Switches recording on or off."""
    set_grad_enabled(enabled)


def _set_multithreading_enabled(enabled: Any) -> None:
    """Remembers it, as `torch.autograd.set_multithreading_enabled` does."""
    set_multithreading_enabled(enabled)


_autograd = SimpleNamespace(
    SavedTensor=SavedTensor,
    _pop_saved_tensors_default_hooks=pop_hooks,
    _push_saved_tensors_default_hooks=push_hooks,
    _saved_tensors_hooks_disable=refuse_hooks,
    _saved_tensors_hooks_enable=allow_hooks,
    _saved_tensors_hooks_get_disabled_error_message=refusal,
    _saved_tensors_hooks_is_enabled=hooks_are_allowed,
    _unsafe_set_version_counter=set_versions,
)


def __getattr__(name: str) -> Any:
    if name == "_nn":  # where PyTorch's functions of layers stand
        return _import_module("seegrad.nn.functional")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
