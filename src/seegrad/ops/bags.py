"""The public function embedding_bag."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.masks import shorten_rows
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

MODES = {"sum": 0, "mean": 1, "max": 2}


@public
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Return sums, means or maxima of bags of rows of a table.

    `input`: (b, n), bags of rows, or (n,) with `offsets` (b,) where bags begin. `weight`: the
    table (rows, m). `per_sample_weights`: input's shape, with mode "sum". Returns (b, m). Raises
    ValueError or RuntimeError where these do not fit.

    >>> import seegrad as torch
    >>> table = torch.tensor([[1.0], [10.0], [100.0]])
    >>> bags = torch.tensor([[0, 1], [1, 2]])
    >>> torch.nn.functional.embedding_bag(bags, table, mode="sum")
    tensor([[ 11.],
            [110.]])
    """
    _check_mode(mode, scale_grad_by_freq, sparse)
    if per_sample_weights is not None and per_sample_weights.shape != input.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then "
            f"it must have the same shape as the input ({input.shape})"
        )
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch "
                "of fixed length sequences. However, found offsets of type "
                f"{type(offsets)}"
            )
        starts = np.arange(0, input._array.size, max(input.shape[1], 1))
        offsets, input = wrap(starts), reshape(input, (-1,))
        if per_sample_weights is not None:
            per_sample_weights = reshape(per_sample_weights, (-1,))
    elif input.ndim != 1:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}"
        )
    elif offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    elif offsets.ndim != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported "
            f"for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    padding = row_of(padding_idx, weight.shape[0])
    if max_norm is not None:
        shorten_rows(weight, input, max_norm, norm_type)
    return op.embedding_bag(
        weight, input, offsets, scale_grad_by_freq, MODES[mode], sparse, per_sample_weights,
        include_last_offset, padding,
    )[0]  # fmt: skip


def _check_mode(mode: str, scale_grad_by_freq: bool, sparse: bool) -> None:
    if mode not in MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")


def row_of(padding_idx: Any, rows: int) -> int:
    """`padding_idx` counted from the front, -1 for none."""
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, "
            f"but got {padding_idx}"
        )
    return int(padding_idx % rows)
