"""Kernels of the `*_copy` functions: what a view shows, contiguous, in memory of its own."""

from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays import views
from seegrad.arrays.dims import wrap_dim

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars

# The views that have such a function; `rules.copies` makes an operator of each.
COPIED = (
    *("alias", "as_strided", "diagonal", "expand", "permute", "select", "slice", "split"),
    *("split_with_sizes", "squeeze", "squeeze_dim", "squeeze_dims", "t", "transpose", "unbind"),
    *("unfold", "unsqueeze", "view", "view_as_complex", "view_as_real"),
)


def _copying(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of a view, and then a copy of each view that it made."""

    def copied(*args: Any) -> Any:
        seen = kernel(*args)
        if isinstance(seen, list):
            return [np.array(one, order="C") for one in seen]
        return np.array(seen, order="C")

    return copied


def _shaped(self: Array, size: tuple[int, ...]) -> Array:
    """In another shape also where the strides allow no view."""
    return views.view(np.ascontiguousarray(self) if self.ndim else self, size)


globals().update({f"{name}_copy": _copying(getattr(views, name)) for name in COPIED})
view_copy = _copying(_shaped)


def narrow_copy(self: Array, dim: int, start: int, length: int) -> Array:
    """The slices of a dimension from `start` on; a start below 0 counts from the end."""
    if not self.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if dim >= self.ndim:
        raise RuntimeError(
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request "
            "to PyTorch.)"
        )
    size = self.shape[wrap_dim(dim, self.ndim)]
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    first = start + size if start < 0 else start
    if length < 0 or first + length > size:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({size}).")
    return np.array(views.slice(self, dim, first, first + length), order="C")
