"""The names of `torch.signal`: window functions."""

from seegrad.signal import windows

__all__ = ["windows"]
