"""The namespace in which formulas record: PyTorch's names, filled by `operators/`.

The graph needs a few operators itself (under `create_graph` summing, casting and views of
gradients are recorded too) and stands below them, so the namespace is handed down: empty here,
full there.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["Namespace", "recorded"]


class Namespace:
    """Operators by name, as attributes."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"there is no operator named {name!r}")


recorded = Namespace()
