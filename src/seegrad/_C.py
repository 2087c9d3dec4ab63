"""The few names of `torch._C` that programs and tests ask for."""

from types import SimpleNamespace
from typing import Any

from seegrad.autograd.function import _FunctionBase
from seegrad.autograd.grad_mode import set_grad_enabled
from seegrad.graph.saved import SavedTensor
from seegrad.graph.tensor import TensorBase

__all__ = ["TensorBase", "_FunctionBase", "_autograd", "_set_grad_enabled"]


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
    SavedTensor=_SavedTensorName("SavedTensor", (), {"__module__": "torch._C._autograd"})
)
