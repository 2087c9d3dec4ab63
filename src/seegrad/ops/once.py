"""Warnings, placed where the user's own code stands: outside of this package."""

import sys
import warnings
from types import FrameType

__all__ = ["is_warn_always_enabled", "set_warn_always", "users_level", "warn", "warn_once"]

PACKAGE = __name__.partition(".")[0]

_given: set[str] = set()
_always = False


def users_level() -> int:
    """The `stacklevel` at which the caller's `warnings.warn` names the first line of the user."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_ours(frame):
        level, frame = level + 1, frame.f_back
    return level


def is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of this package, written or generated."""
    name = str(frame.f_globals.get("__name__")).partition(".")[0]
    return name == PACKAGE or frame.f_code.co_filename.startswith(f"<{PACKAGE} ")


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warns."""
    warnings.warn(message, category, stacklevel=users_level())


def warn_once(message: str) -> None:
    """Warns unless the same was said before."""
    if _always or message not in _given:
        _given.add(message)
        warnings.warn(message, UserWarning, stacklevel=users_level())


def set_warn_always(b: bool) -> None:
    """Says whether what is warned of once is said every time.

    Raises RuntimeError for what is no bool.

    >>> import seegrad as torch
    >>> torch.set_warn_always(False)
    >>> torch.is_warn_always_enabled()
    False
    """
    global _always
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _always = b


def is_warn_always_enabled() -> bool:
    """Whether `set_warn_always` is on.

    >>> import seegrad as torch
    >>> torch.is_warn_always_enabled()
    False
    """
    return _always
