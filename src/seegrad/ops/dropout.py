"""Dropout: the input times random zeros, with PyTorch's random numbers."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.random import bernoulli
from seegrad.arrays.strides import dense_like, in_memory
from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Return input with elements zeroed with probability p, the others divided by `1 - p`.

    `input`: (...), floating point. Without `training` input itself is returned. With `inplace` the
    result is written into input. Returns (...). Raises ValueError for a p outside of 0 and 1.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout(torch.ones(2, 3), 0.3)
    tensor([[0.0000, 0.0000, 1.4286],
            [0.0000, 1.4286, 0.0000]])
    """
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if p == 0 or not training or not input._array.size:
        return input
    if p < 1:
        refuse_integers(input)
    noise = wrap(_noise(input._array, p))
    return op.mul_(input, noise) if inplace else op.mul(input, noise)


def refuse_integers(input: Any, bools: str = "Bool") -> None:
    """PyTorch drops floats and complex numbers. `bools`: what the text calls a bool."""
    kind = input._array.dtype.kind
    if kind in "biu":
        name = bools if kind == "b" else input.dtype.scalar_name
        raise RuntimeError(f"result type Float can't be cast to the desired output type {name}")


def _noise(array: Any, p: float) -> Any:
    """Zeros, and `1 / (1 - p)` where an element stays."""
    if p == 1:
        return np.zeros_like(array)
    return scaled(staying(array, p), p)


def scaled(noise: Any, p: float) -> Any:
    """Ones made `1 / (1 - p)`, in place; half precision is divided in float32."""
    wide = noise.dtype.type if noise.dtype.itemsize > 2 else np.float32
    noise *= noise.dtype.type(wide(1) / wide(1 - p))
    return noise


def staying(array: Any, p: float) -> Any:
    """Ones where an element stays, drawn in the order of memory."""
    noise = dense_like(array, array.dtype)
    lines = in_memory(noise)
    lines[...] = bernoulli(None, 1 - p, lines.shape, array.dtype)
    return noise
