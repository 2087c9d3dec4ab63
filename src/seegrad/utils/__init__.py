"""Helpers around training: `data` feeds batches, `checkpoint` saves memory, `hooks` handles."""

from seegrad.utils import checkpoint, data, hooks
from seegrad.utils._swap import swap_tensors

__all__ = ["checkpoint", "data", "hooks", "swap_tensors"]
