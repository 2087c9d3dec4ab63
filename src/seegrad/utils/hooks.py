"""The name under which PyTorch's users find the handle of a hook."""

from seegrad.graph.hooks import RemovableHandle

__all__ = ["RemovableHandle"]
