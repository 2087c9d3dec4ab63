"""Why a gradient is what it is: what PyTorch does not say and an engine in Python can."""

from seegrad.explain.watching import Watch, watch

__all__ = ["Watch", "watch"]
