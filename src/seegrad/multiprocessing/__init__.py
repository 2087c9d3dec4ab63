"""Python's own `multiprocessing`, with `spawn`; tensors are sent as copies of their memory.

>>> import seegrad.multiprocessing as mp
>>> queue = mp.SimpleQueue()
>>> import seegrad as torch
>>> queue.put(torch.ones(2))
>>> queue.get()
tensor([1., 1.])
"""

import multiprocessing as _multiprocessing
from multiprocessing import *

from seegrad.missing import missing as _missing
from seegrad.multiprocessing._spawn import (
    ProcessContext,
    ProcessException,
    ProcessExitedException,
    ProcessRaisedException,
    SpawnContext,
    spawn,
    start_processes,
)
from seegrad.multiprocessing._tensors import register as _register

__all__ = [
    *_multiprocessing.__all__,
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "get_all_sharing_strategies",
    "get_sharing_strategy",
    "set_sharing_strategy",
    "spawn",
    "start_processes",
]

_STRATEGIES = frozenset({"file_descriptor", "file_system"})


def get_all_sharing_strategies() -> set[str]:
    """The names that `set_sharing_strategy` takes."""
    return set(_STRATEGIES)


def get_sharing_strategy() -> str:
    """What was said last; tensors are copied whatever it is."""
    return _said[-1]


def set_sharing_strategy(new_strategy: str) -> None:
    """Remembers a strategy; tensors are copied whatever it is.

    Raises AssertionError for an unknown one.
    """
    if new_strategy not in _STRATEGIES:
        raise AssertionError(
            f"invalid sharing strategy {new_strategy!r}, expected one of {set(_STRATEGIES)}"
        )
    _said[:] = [new_strategy]


_said = ["file_descriptor"]
_register()
__getattr__ = _missing(__name__, __all__)
