"""Where NumPy keeps what to do about errors, and how large its buffers are."""

import contextvars
from typing import Any

import numpy as np

__all__ = ["settings"]


def settings(buffer: int | None = None) -> tuple[contextvars.ContextVar[Any], Any]:
    """NumPy's variable, and its value for: errors ignored, and buffers of so many elements.

    To set and to reset it is what `np.errstate` does in 1.3 us.
    """
    context = contextvars.Context()
    context.run(np.seterr, all="ignore")
    if buffer is not None:
        context.run(np.setbufsize, buffer)
    ((variable, value),) = context.items()
    return variable, value
