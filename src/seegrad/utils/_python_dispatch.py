"""`torch.utils._python_dispatch`: modes that see every operator, which are not there yet."""

from typing import Any

from seegrad.missing import not_there_yet

__all__ = ["TorchDispatchMode"]


class TorchDispatchMode:
    """Its subclasses would see every operator below autograd; making one raises.

    >>> TorchDispatchMode()
    Traceback (most recent call last):
    NotImplementedError: torch.utils._python_dispatch.TorchDispatchMode is not there yet. ...
    """

    def __new__(cls, *args: Any, **options: Any) -> Any:
        raise not_there_yet(
            "torch.utils._python_dispatch.TorchDispatchMode",
            "torch.overrides.TorchFunctionMode, which sees every function",
        )
