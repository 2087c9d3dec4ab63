"""Helpers around training: `utils.data` feeds batches, `utils.hooks` has the handle of a hook."""

from seegrad.utils import data, hooks

__all__ = ["data", "hooks"]
