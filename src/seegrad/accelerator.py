"""What programs ask about accelerators: there is none, as in a PyTorch without one."""

from typing import Any, NoReturn

from seegrad.device import device as _device
from seegrad.missing import missing

__all__ = [
    "current_accelerator",
    "current_device_idx",
    "current_device_index",
    "current_stream",
    "device_count",
    "device_index",
    "empty_cache",
    "empty_host_cache",
    "get_device_capability",
    "get_memory_info",
    "is_available",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "reset_accumulated_memory_stats",
    "reset_peak_memory_stats",
    "set_device_idx",
    "set_device_index",
    "set_stream",
    "synchronize",
]


def is_available() -> bool:
    """False: seegrad computes on the CPU.

    >>> import seegrad as torch
    >>> torch.accelerator.is_available()
    False
    """
    return False


def device_count() -> int:
    """0."""
    return 0


def current_accelerator(check_available: bool = False) -> _device | None:
    """None."""
    return None


def _refuse(*_: Any) -> NoReturn:
    """Raises RuntimeError, as a PyTorch without an accelerator does."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


class device_index:
    """A block in which another device would be the current one; None changes nothing."""

    def __init__(self, device: int | None, /) -> None:
        self.idx = device

    def __enter__(self) -> None:
        if self.idx is not None:
            _refuse()

    def __exit__(self, *_: object) -> None:
        pass


current_device_index = current_device_idx = current_stream = _refuse
empty_cache = empty_host_cache = get_device_capability = get_memory_info = _refuse
memory_allocated = memory_reserved = max_memory_allocated = max_memory_reserved = _refuse
memory_stats = reset_accumulated_memory_stats = reset_peak_memory_stats = _refuse
set_device_index = set_device_idx = set_stream = synchronize = _refuse

__getattr__ = missing("seegrad.accelerator", __all__)
