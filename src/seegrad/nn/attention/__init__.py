"""Which kernel of attention is wanted: there is one here, so what is said is remembered only.

>>> import seegrad as torch
>>> with sdpa_kernel(SDPBackend.MATH):
...     torch.nn.functional.scaled_dot_product_attention(*[torch.ones(1, 2, 2)] * 3).shape
torch.Size([1, 2, 2])
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

from seegrad.missing import missing as _missing

__all__ = ["WARN_FOR_UNFUSED_KERNELS", "SDPBackend", "sdpa_kernel"]

__getattr__ = _missing(__name__, __all__)

WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(Enum):
    """The kernels that PyTorch has for attention."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(
    backends: list[SDPBackend] | SDPBackend, set_priority: bool = False
) -> Iterator[dict[Any, Any]]:
    """A `with` block that says which kernels may compute attention; the one here does.

    Raises AssertionError for what is no backend.
    """
    if not isinstance(backends, SDPBackend | list):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(backends).__name__}"
        )
    yield {}
