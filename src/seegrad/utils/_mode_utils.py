"""`torch.utils._mode_utils`: leaving the modes that see every operator."""

from contextlib import AbstractContextManager, nullcontext

__all__ = ["no_dispatch"]


def no_dispatch() -> AbstractContextManager[None]:
    """A `with` block in which no dispatch mode sees an operator: there are none.

    >>> with no_dispatch():
    ...     pass
    """
    return nullcontext()
