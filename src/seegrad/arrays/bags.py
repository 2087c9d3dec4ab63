"""The kernel of embedding_bag: rows of a table added up in bags."""

from typing import Any

import numpy as np

from seegrad.arrays import dtypes

Array = Any  # an ndarray

SUM, MEAN, MAX = 0, 1, 2


def embedding_bag(
    weight: Array,
    indices: Array,
    offsets: Array,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Array | None,
    include_last_offset: bool,
    padding_idx: int,
) -> tuple[Array, Array, Array, Array, Array]:
    """Rows (bags, width); then for each index its bag, its share there and 1 / its frequency.

    The last result names, for the largest, the rows that they came of.
    """
    _check(weight, indices, offsets, mode, per_sample_weights)
    bags = len(offsets) - 1 if include_last_offset else len(offsets)
    places = np.arange(len(indices))
    bag = np.searchsorted(offsets[:bags], places, side="right") - 1
    used = indices != padding_idx
    counts = np.bincount(bag[used], minlength=bags)
    share = used.astype(weight.dtype)
    if mode == MEAN:
        share /= np.maximum(counts, 1)[bag]
    repeated = np.bincount(indices, minlength=1)[indices]
    frequency = (1 / np.maximum(repeated, 1)).astype(weight.dtype)
    rows = weight[indices]
    if mode == MAX:
        out, chosen = _largest(rows, bag[used], indices, places[used], (bags, weight.shape[1]))
        return out, bag, share, frequency, chosen
    if per_sample_weights is not None:
        share = share * per_sample_weights
    out = np.zeros((bags, weight.shape[1]), weight.dtype)
    starts = np.flatnonzero(np.diff(bag, prepend=-1))
    if len(starts):
        out[bag[starts]] = np.add.reduceat(rows * share[:, None], starts, 0)
    if per_sample_weights is not None:
        share = used.astype(weight.dtype)
    return out, bag, share, frequency, np.zeros((0, 0), np.int64)


def _check(
    weight: Array, indices: Array, offsets: Array, mode: int, per_sample_weights: Array | None
) -> None:
    said = "(while checking arguments for embedding_bag)"
    if indices.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {_tensor(indices)} instead {said}"
        )
    if weight.dtype.kind != "f":
        kind = dtypes.version_type_name(dtypes.from_numpy(weight.dtype))
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: "
            f"Half, BFloat16, Float, Double; but got {kind} instead {said}"
        )
    if per_sample_weights is not None and per_sample_weights.dtype != weight.dtype:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for "
            f"argument #1 'per_sample_weights'; but type {_tensor(weight)} does not equal "
            f"{_tensor(per_sample_weights)} {said}"
        )
    if len(offsets) and offsets[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
            f"position 0. However, got {offsets[0]}"
        )
    if len(offsets) and offsets[-1] > len(indices):
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {len(indices)} but got "
            f"offsets[-1] of {offsets[-1]}"
        )
    wrong = np.flatnonzero((indices < 0) | (indices >= len(weight)))
    if len(wrong):
        if mode == MAX or weight.dtype == np.float64:
            raise RuntimeError(
                "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be "
                f"{indices[wrong[0]]}"
            )
        raise RuntimeError(
            f"Index {wrong[0]} of input takes value {indices[wrong[0]]} which is not in the valid "
            f"range [0, {len(weight)})"
        )


def _tensor(self: Array) -> str:
    return dtypes.tensor_type_name(dtypes.from_numpy(self.dtype))


def _largest(
    rows: Array, bag: Array, indices: Array, used: Array, shape: tuple[int, int]
) -> tuple[Array, Array]:
    """The largest of each bag and column, and its row in the table; -1 where a bag is empty."""
    out = np.zeros(shape, rows.dtype)
    chosen = np.full(shape, -1, np.int64)
    starts = np.flatnonzero(np.diff(bag, prepend=-1))
    for first, end in zip(starts, np.append(starts, len(used))[1:], strict=True):
        block = rows[used[first:end]]
        best = block.argmax(0)
        out[bag[first]] = np.take_along_axis(block, best[None], 0)[0]
        chosen[bag[first]] = indices[used[first:end]][best]
    return out, chosen
