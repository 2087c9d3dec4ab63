"""Helpers around training: `utils.data` feeds batches, `utils.hooks` has the handle of a hook."""

from seegrad.utils import data, hooks
from seegrad.utils._swap import swap_tensors

__all__ = ["data", "hooks", "swap_tensors"]
