"""cuDNN: not there. Its switches keep what is assigned to them."""

import contextlib
from collections.abc import Iterator

__all__ = ["allow_tf32", "benchmark", "benchmark_limit", "deterministic", "enabled", "flags"]
__all__ += ["is_available", "version"]

enabled = True
benchmark = False
benchmark_limit: int | None = None
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """False."""
    return False


def version() -> int | None:
    """None: there is no cuDNN."""
    return None


@contextlib.contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
) -> Iterator[None]:
    """Sets the switches for a `with` block.

    >>> import seegrad as torch
    >>> with torch.backends.cudnn.flags(deterministic=True):
    ...     print(torch.backends.cudnn.deterministic)
    True
    """
    asked = dict(locals())
    before = {name: globals()[name] for name in asked}
    globals().update(asked)
    try:
        yield
    finally:
        globals().update(before)
