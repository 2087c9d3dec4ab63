"""`make_tensor`: a tensor of random numbers, the same as PyTorch's from the same seed."""

import math
import warnings
from typing import Any

from seegrad.arrays.dtypes import NAMES
from seegrad.arrays.dtypes import dtype as Dtype
from seegrad.arrays.limits import finfo, iinfo
from seegrad.ops.complex import view_as_real
from seegrad.tensor.creation import empty

__all__ = ["make_tensor"]

_UNKNOWN = (
    "The requested dtype '{}' is not supported by torch.testing.make_tensor(). To request "
    "support, file an issue at: https://github.com/pytorch/pytorch/issues"
)
_EQUAL = (
    "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is "
    "deprecated since 2.1 and will be removed in 2.3. Use `torch.full(...)` instead."
)


def make_tensor(
    *shape: Any,
    dtype: Any,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Any:
    """A tensor of random numbers from [low, high), by default of size up to 9.

    Args:
        shape: the sizes, as numbers or as one sequence.
        low, high: by default -9 and 9; of integers -9 and 10, or 0 and 10; of bool 0 and 2.
        noncontiguous: its elements stand apart in memory.
        exclude_zero: zeros become the smallest positive number of the dtype.

    Raises ValueError for bounds that the dtype does not have, TypeError for a dtype without
    numbers to draw.

    >>> import seegrad as torch
    >>> torch.testing.make_tensor(2, 3, dtype=torch.float32, device="cpu").shape
    torch.Size([2, 3])
    """
    sizes = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
            f"{noncontiguous=} and {memory_format=}"
        )
    if not isinstance(dtype, Dtype):
        raise TypeError(_UNKNOWN.format(dtype))
    inexact = dtype.is_floating_point or dtype.is_complex
    if requires_grad and not inexact:
        raise ValueError(
            "`requires_grad=True` is not supported for boolean and integral dtypes, but got "
            f"{dtype=}"
        )
    apart = noncontiguous and math.prod(sizes) > 1
    made = empty((*sizes[:-1], 2 * sizes[-1]) if apart else sizes, dtype=dtype, device=device)
    _draw(made, dtype, *_bounds(dtype, low, high))
    if apart:
        made = made[..., 1::2]
    if exclude_zero:
        made[made == 0] = finfo(dtype).tiny if inexact else 1
    return made.requires_grad_() if requires_grad else made


def _bounds(dtype: Dtype, low: Any, high: Any) -> tuple[Any, Any]:
    """The bounds given, or the dtype's own, as far as the dtype has such numbers."""
    usual, lowest, highest = _range(dtype)
    low = usual[0] if low is None else low
    high = usual[1] if high is None else high
    if any(isinstance(one, float) and math.isnan(one) for one in (low, high)):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    inexact = dtype.is_floating_point or dtype.is_complex
    if low == high and inexact:
        warnings.warn(_EQUAL, FutureWarning, stacklevel=3)
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < lowest or low >= highest:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} "
            f"only supports [{lowest}, {highest})"
        )
    low, high = max(low, lowest), min(high, highest)
    return (low, high) if inexact else (math.ceil(low), math.ceil(high))


def _range(dtype: Dtype) -> tuple[tuple[int, int], Any, Any]:
    """The bounds of a dtype where none are given, and those that it has at all."""
    if dtype.is_floating_point or dtype.is_complex:
        limits: Any = finfo(dtype)
        return (-9, 9), float(limits.min), float(limits.max)
    if dtype is NAMES["bool"]:
        return (0, 2), 0, 2
    limits = iinfo(dtype)
    past = limits.max + 1 if dtype is not NAMES["int64"] else limits.max
    return ((-9, 10) if dtype.is_signed else (0, 10)), limits.min, past


def _draw(made: Any, dtype: Dtype, low: Any, high: Any) -> None:
    """Fills a tensor."""
    if not (dtype.is_floating_point or dtype.is_complex):
        made.random_(low, high)
        return
    parts = view_as_real(made) if dtype.is_complex else made
    if high - low >= finfo(dtype).max:
        parts.uniform_(low / 2, high / 2).mul_(2)
    elif low == high:
        made.fill_(low)
    else:
        parts.uniform_(low, high)
