"""What programs ask about other processes in passing: there is no group of them."""

from typing import Any, NoReturn

from seegrad.missing import missing

__all__ = [
    "all_gather",
    "all_reduce",
    "barrier",
    "broadcast",
    "destroy_process_group",
    "get_backend",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_available",
    "is_gloo_available",
    "is_initialized",
    "is_mpi_available",
    "is_nccl_available",
    "is_torchelastic_launched",
]


def is_available() -> bool:
    """False: seegrad computes in one process.

    >>> import seegrad as torch
    >>> torch.distributed.is_available()
    False
    """
    return False


def _never() -> bool:
    """False."""
    return False


is_initialized = is_torchelastic_launched = _never
is_gloo_available = is_mpi_available = is_nccl_available = _never


def init_process_group(backend: str | None = None, *_: Any, **__: Any) -> NoReturn:
    """Raises RuntimeError: there is no other process to find."""
    raise RuntimeError("torch.distributed is not available: seegrad computes in one process")


def _refuse(*_: Any, **__: Any) -> NoReturn:
    """Raises ValueError, as PyTorch does where `init_process_group` was not called."""
    raise ValueError(
        "Default process group has not been initialized, please make sure to call "
        "init_process_group."
    )


all_gather = all_reduce = barrier = broadcast = destroy_process_group = _refuse
get_backend = get_rank = get_world_size = _refuse

__getattr__ = missing("seegrad.distributed", __all__)
