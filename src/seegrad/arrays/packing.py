"""Kernels of packed sequences: the rows of a padded batch, step by step, without the padding."""

from typing import Any

import numpy as np

Array = Any  # an ndarray


def pack_padded_sequence(input: Array, result1: Array, batch_first: bool) -> Array:
    """The rows that count, (sum of `result1`, ...), of (t, b, ...) or (b, t, ...)."""
    by_step = input.swapaxes(0, 1) if batch_first else input
    return by_step[_there(by_step.shape, result1)]


def pack_padded_sequence_backward(
    grad: Array, input_shape: tuple[int, ...], result1: Array, batch_first: bool
) -> Array:
    """Rows back at their places in a batch of zeros."""
    out = np.zeros(input_shape, grad.dtype)
    by_step = out.swapaxes(0, 1) if batch_first else out
    by_step[_there(by_step.shape, result1)] = grad
    return out


def _there(shape: tuple[int, ...], batch_sizes: Array) -> Array:
    """(t, b): whether a sequence still has this step; those that last longest come first."""
    sizes = np.zeros((shape[0], 1), np.int64)
    sizes[: len(batch_sizes), 0] = batch_sizes[: shape[0]]
    return np.arange(shape[1]) < sizes
