"""Padded batches of sequences without their padding, and back."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.dims import wrap_dim

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


def packed_rows(input: Tensor, lengths: Tensor, batch_first: bool) -> tuple[Tensor, Tensor]:
    """The rows that count, step by step, and how many there are of each step.

    `input`: (t, b, ...), with `batch_first` (b, t, ...). `lengths`: (b,), the largest first.
    Returns (sum of `lengths`, ...) and (largest length,). Raises RuntimeError for lengths that
    are not positive, not sorted or not as many as sequences.
    """
    counts = _lengths(lengths)
    wrap_dim(1, input.ndim)
    if not input._array.size:
        raise RuntimeError("Cannot pack empty tensors.")
    batch = input.shape[0 if batch_first else 1]
    if len(counts) != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} "
            f"(batch_size={batch})"
        )
    if counts[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' "
            "that is <= 0"
        )
    if (counts[:-1] < counts[1:]).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. "
            "You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
            "sidestep this requirement if you do not need ONNX exportability."
        )
    sizes = wrap((counts[:, None] > np.arange(counts[0])).sum(0, dtype=np.int64))
    return op.pack_padded_sequence(input, sizes, batch_first), sizes


def _lengths(lengths: Any) -> Any:
    array = lengths._array
    if array.ndim != 1 or array.dtype != np.int64:
        raise RuntimeError(
            "'lengths' argument should be a 1D CPU int64 tensor, but got "
            f"{array.ndim}D cpu {lengths.dtype.scalar_name} tensor"
        )
    return array
