"""What programs ask about CUDA in passing: there is none, and that does no harm."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from seegrad.device import device as _torch_device
from seegrad.missing import missing

if TYPE_CHECKING:
    from seegrad.cuda import amp

__all__ = [
    "amp",
    "current_device",
    "device_count",
    "empty_cache",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_rng_state_all",
    "init",
    "ipc_collect",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "reset_peak_memory_stats",
    "seed",
    "seed_all",
    "set_device",
    "set_rng_state_all",
    "synchronize",
]


def is_available() -> bool:
    """False: there is no CUDA device that seegrad could use.

    >>> import seegrad as torch
    >>> torch.cuda.is_available()
    False
    """
    return False


def is_initialized() -> bool:
    """False."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


def get_arch_list() -> list[str]:
    """No architectures."""
    return []


def manual_seed(seed: int) -> None:
    """Nothing to seed."""
    int(seed)


def manual_seed_all(seed: int) -> None:
    """Nothing to seed."""
    int(seed)


def seed() -> None:
    """Nothing to seed."""


def seed_all() -> None:
    """Nothing to seed."""


def get_rng_state_all() -> list[Any]:
    """The states of no generators."""
    return []


def set_rng_state_all(new_states: Any) -> None:
    """Nothing to restore."""


def synchronize(device: Any = None) -> None:
    """Nothing to wait for: NumPy has computed before it returns."""


def empty_cache() -> None:
    """Nothing to empty."""


def ipc_collect() -> None:
    """Nothing to collect."""


def reset_peak_memory_stats(device: Any = None) -> None:
    """Nothing to reset."""


def memory_allocated(device: Any = None) -> int:
    """0 bytes."""
    return 0


def max_memory_allocated(device: Any = None) -> int:
    """0 bytes."""
    return 0


def memory_reserved(device: Any = None) -> int:
    """0 bytes."""
    return 0


def max_memory_reserved(device: Any = None) -> int:
    """0 bytes."""
    return 0


def _refuse() -> NoReturn:
    _torch_device("cuda").require_cpu()
    raise AssertionError("a CUDA device is never there")


def init() -> None:
    """Raises AssertionError, as a PyTorch built without CUDA does."""
    _refuse()


def set_device(device: Any) -> None:
    """Raises AssertionError, as a PyTorch built without CUDA does."""
    _refuse()


def current_device() -> int:
    """Raises AssertionError, as a PyTorch built without CUDA does."""
    _refuse()


def get_device_name(device: Any = None) -> str:
    """Raises AssertionError, as a PyTorch built without CUDA does."""
    _refuse()


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Raises AssertionError, as a PyTorch built without CUDA does."""
    _refuse()


def get_device_properties(device: Any = None) -> Any:
    """Raises AssertionError, as a PyTorch built without CUDA does."""
    _refuse()


_unknown = missing("seegrad.cuda", __all__)


def __getattr__(name: str) -> Any:
    return import_module("seegrad.cuda.amp") if name == "amp" else _unknown(name)
