"""Warnings that PyTorch gives once in a process."""

import warnings

_given: set[str] = set()


def warn_once(message: str, stacklevel: int = 3) -> None:
    """Warns unless the same was said before."""
    if message not in _given:
        _given.add(message)
        warnings.warn(message, UserWarning, stacklevel=stacklevel + 1)
