"""The pools of `torch.nn.functional` that return where the largest elements stand, always.

>>> import seegrad as torch
>>> signal = torch.tensor([[1.0, 3.0, 2.0, 0.0]])
>>> torch.nn.functional.max_pool1d_with_indices(signal, 2)
(tensor([[3., 2.]]), tensor([[1, 2]]))
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from seegrad.ops import fractional, pooling

__all__ = [
    "adaptive_max_pool1d_with_indices",
    "adaptive_max_pool2d_with_indices",
    "adaptive_max_pool3d_with_indices",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d_with_indices",
    "max_pool1d_with_indices",
    "max_pool2d_with_indices",
    "max_pool3d_with_indices",
]

Pool = Callable[..., Any]


def with_indices(pool: Pool) -> Pool:
    """A pool that takes the same arguments and heeds all but `return_indices`."""
    signature = inspect.signature(pool)

    @functools.wraps(pool)
    def called(*args: Any, **kwargs: Any) -> Any:
        call = signature.bind(*args, **kwargs)
        call.arguments["return_indices"] = True
        return pool(*call.args, **call.kwargs)

    called.__name__ = called.__qualname__ = f"{pool.__name__}_with_indices"
    return called


adaptive_max_pool1d_with_indices = with_indices(pooling.adaptive_max_pool1d)
adaptive_max_pool2d_with_indices = with_indices(pooling.adaptive_max_pool2d)
adaptive_max_pool3d_with_indices = with_indices(pooling.adaptive_max_pool3d)
fractional_max_pool2d_with_indices = with_indices(fractional.fractional_max_pool2d)
fractional_max_pool3d_with_indices = with_indices(fractional.fractional_max_pool3d)
max_pool1d_with_indices = with_indices(pooling.max_pool1d)
max_pool2d_with_indices = with_indices(pooling.max_pool2d)
max_pool3d_with_indices = with_indices(pooling.max_pool3d)
