"""What each thread has said about autocast."""

import threading
from typing import Any

from seegrad.arrays.dtypes import bfloat16, dtype, float16

__all__ = ["CASTS", "FAST", "Casts"]

# The types that autocast computes in, by device, where nobody says otherwise.
FAST = {"cpu": bfloat16, "xla": bfloat16}


class Casts(threading.local):
    """What one thread has said about autocast."""

    def __init__(self) -> None:
        self.enabled: dict[str, bool] = {}
        self.dtypes: dict[str, dtype] = {}
        self.caching = True
        self.nesting = 0
        self.off = 0  # inside of a function that was cast
        self.cached: dict[int, tuple[Any, int, Any]] = {}

    @property
    def active(self) -> bool:
        """Whether functions called now are to be looked at."""
        return not self.off and self.enabled.get("cpu", False)

    def fast(self, device: str = "cpu") -> dtype:
        """The type of low precision."""
        return self.dtypes.get(device) or FAST.get(device, float16)


CASTS = Casts()
