"""The few names of `torch._C` that programs and tests ask for."""

from types import SimpleNamespace
from typing import Any

from seegrad.autograd._context_face import _FunctionBase
from seegrad.autograd.function import DelayedError
from seegrad.autograd.grad_mode import set_grad_enabled
from seegrad.autograd.saved_tensors import hooks_are_allowed, pop_hooks, push_hooks
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

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "TensorBase",
    "_FunctionBase",
    "_autograd",
    "_current_autograd_node",
    "_current_graph_task_execution_order",
    "_current_graph_task_id",
    "_disabled_torch_function_impl",
    "_functions",
    "_is_torch_function_enabled",
    "_set_grad_enabled",
    "_will_engine_execute_node",
]

_functions = SimpleNamespace(AccumulateGrad=AccumulateGrad, DelayedError=DelayedError)


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


def _saved_tensor(*_: Any) -> Any:
    raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")


class _SavedTensorName(type(SavedTensor)):  # type: ignore[misc]
    """Refuses to make one, and is the type of those that nodes make."""

    def __call__(cls, *args: Any) -> Any:
        return _saved_tensor(*args)

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, SavedTensor)


_autograd = SimpleNamespace(
    SavedTensor=_SavedTensorName("SavedTensor", (), {"__module__": "torch._C._autograd"}),
    _pop_saved_tensors_default_hooks=pop_hooks,
    _push_saved_tensors_default_hooks=push_hooks,
    _saved_tensors_hooks_is_enabled=hooks_are_allowed,
)
