"""The names of `torch.random`."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from seegrad.device import device
from seegrad.tensor.sampling import (
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
    thread_safe_generator,
)

__all__ = [
    "default_generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
    "thread_safe_generator",
]


@contextmanager
def fork_rng(
    devices: Iterable[Any] | None = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str | None = None,
) -> Iterator[None]:
    """At the end the default stream is where it was at the beginning; also a decorator.

    `enabled=False` does nothing. Raises AssertionError for a list of accelerators, RuntimeError
    for an unknown type of device.

    >>> import seegrad as torch
    >>> with torch.random.fork_rng():
    ...     first = torch.rand(1)
    >>> torch.equal(torch.rand(1), first)
    True
    """
    if not enabled:
        yield
        return
    if device_type is not None:
        device(device_type)
    if devices:
        raise AssertionError("Torch not compiled with CUDA enabled")
    state = default_generator.get_state()
    try:
        yield
    finally:
        default_generator.set_state(state)
