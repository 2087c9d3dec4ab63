"""Activations that write into their argument: `relu_(x)` is `relu(x, inplace=True)`."""

from seegrad import ops
from seegrad.tensor.tensor import Tensor
from seegrad.tensor.twins import rrelu_

__all__ = ["celu_", "elu_", "hardtanh_", "leaky_relu_", "relu_", "rrelu_", "selu_", "threshold_"]


def relu_(input: Tensor) -> Tensor:
    """Write max(x, 0) into `input`, which is returned.

    Raises RuntimeError for a leaf that requires a gradient, as all functions here do.

    >>> import seegrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.nn.functional.relu_(x) is x
    True
    >>> x
    tensor([0., 2.])
    """
    return ops.relu(input, inplace=True)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Write x, or `alpha * (exp(x) - 1)` where x is not positive, into `input`."""
    return ops.elu(input, alpha, inplace=True)


def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Write x, or `alpha * (exp(x / alpha) - 1)` where x is not positive, into `input`."""
    return ops.celu(input, alpha, inplace=True)


def selu_(input: Tensor) -> Tensor:
    """Write the self-normalising ELU into `input`."""
    return ops.selu(input, inplace=True)


def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """Write x, or `negative_slope * x` where x is not positive, into `input`."""
    return ops.leaky_relu(input, negative_slope, inplace=True)


def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Write x cut off at `min_val` and `max_val` into `input`."""
    return ops.hardtanh(input, min_val, max_val, inplace=True)


def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """Write `value` into `input` wherever it is not above `threshold`."""
    return ops.threshold(input, threshold, value, inplace=True)
