"""Public functions that draw random numbers: dropout of channels, rrelu, gumbel_softmax."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.random import bernoulli, exponential, uniform
from seegrad.arrays.refusals import need_kind
from seegrad.graph.state import recording
from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.activations import softmax
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.dropout import refuse_integers, scaled, staying
from seegrad.ops.once import warn

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

ALPHA = 1.7580993408473766  # minus the least value of selu


def _check_probability(p: float) -> None:
    if p < 0 or p > 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


@public
def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Return signals of which whole channels are zeroed with probability p.

    `input`: (n, c, l) or (c, l). The other channels are divided by `1 - p`. Returns input's shape.
    Raises ValueError for a p outside of 0 and 1.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout1d(torch.ones(3, 2))
    tensor([[0., 0.],
            [0., 0.],
            [2., 2.]])
    """
    _check_probability(p)
    if input.ndim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, "
            "a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    return _unbatched(input, 3, p, training, inplace)


@public
def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Return images of which whole channels are zeroed with probability p.

    `input`: (n, c, h, w). Otherwise as dropout1d.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout2d(torch.ones(1, 3, 1, 1)).flatten()
    tensor([0., 0., 2.])
    """
    _check_probability(p)
    if input.ndim not in (3, 4):
        warn(_deprecated("dropout2d", input.ndim, "2 spatial dimensions", "3D or 4D"))
    if input.ndim == 3:
        warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D "
            "dropout behavior is desired - input is interpreted as shape (N, C, L), where C "
            "is the channel dim. This behavior will change in a future release to interpret "
            "the input as one without a batch dimension, i.e. shape (C, H, W). To maintain "
            "the 1D channel-wise dropout behavior, please switch to using dropout1d instead."
        )
    return without_channels(input, p, training, inplace)


@public
def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Return volumes of which whole channels are zeroed with probability p.

    `input`: (n, c, d, h, w) or (c, d, h, w). Otherwise as dropout1d.

    >>> import seegrad as torch
    >>> torch.nn.functional.dropout3d(torch.ones(2, 3, 1, 1, 1), training=False).sum()
    tensor(6.)
    """
    _check_probability(p)
    if input.ndim not in (4, 5):
        warn(_deprecated("dropout3d", input.ndim, "3 spatial dimensions", "4D or 5D"))
    return _unbatched(input, 5, p, training, inplace)


def _deprecated(name: str, ndim: int, inner: str, known: str) -> str:
    return (
        f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in an "
        "error in a future release. To retain the behavior and silence this warning, please use "
        f"dropout instead. Note that {name} exists to provide channel-wise dropout on inputs with "
        f"{inner}, a channel dimension, and an optional batch dimension (i.e. {known} inputs)."
    )


def _unbatched(input: Any, batched: int, p: float, training: bool, inplace: bool) -> Any:
    """Dropout of channels, where a tensor without batch has one dimension less."""
    if input.ndim == batched:
        return without_channels(input, p, training, inplace)
    whole = input.unsqueeze_(0) if inplace else op.unsqueeze(input, 0)
    out = without_channels(whole, p, training, inplace)
    return out.squeeze_(0) if inplace else op.squeeze_dim(out, 0)


def without_channels(input: Any, p: float, training: bool, inplace: bool) -> Any:
    """Whole channels zeroed, `input`: (n, c, ...)."""
    if p == 0 or not training or not input._array.size:
        return input
    if p < 1:
        refuse_integers(input)
    noise = _channel_noise(input, p)
    if p < 1:
        noise = scaled(noise, p)
    return op.mul_(input, wrap(noise)) if inplace else op.mul(input, wrap(noise))


def _channel_noise(input: Any, p: float) -> Any:
    """Ones where a channel stays, (n, c, 1, ...)."""
    if input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    shape = (*input.shape[:2], *[1] * (input.ndim - 2))
    if p == 1:  # nothing is drawn
        return np.zeros(shape, input._array.dtype)
    return bernoulli(None, 1 - p, shape, input._array.dtype)


@public
def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Return input with elements set to selu's least value, mean and variance kept.

    `input`: (...). Without `training` input itself is returned. Returns input's shape. Raises
    ValueError for a p outside of 0 and 1.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.alpha_dropout(torch.ones(4), 0.5, training=True)
    tensor([-0.7792, -0.7792,  1.6656, -0.7792])
    """
    _check_probability(p)
    if p == 0 or not training or not input._array.size:
        return input
    noise = staying(input._array, p) if p < 1 else np.zeros_like(input._array)
    return _affine(input, noise, p, inplace)


@public
def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Return input with whole channels set to selu's least value, mean and variance kept.

    `input`: (n, c, ...). Otherwise as alpha_dropout.

    >>> import seegrad as torch
    >>> torch.nn.functional.feature_alpha_dropout(torch.ones(1, 2, 2))
    tensor([[[1., 1.],
             [1., 1.]]])
    """
    _check_probability(p)
    if p == 0 or not training or not input._array.size:
        return input
    return _affine(input, _channel_noise(input, p), p, inplace)


def _affine(input: Any, noise: Any, p: float, inplace: bool) -> Any:
    """`input * noise * a + (noise - 1) * ALPHA * a + ALPHA * a * p`."""
    multiply, plus = (op.mul_, op.add_) if inplace else (op.mul, op.add)
    if p == 1:
        return multiply(input, wrap(noise))
    refuse_integers(input, bools="Long")
    scale = 1 / math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p))
    shift = ((noise - 1) * (ALPHA * scale) + ALPHA * scale * p).astype(noise.dtype)
    noise = (noise * scale).astype(noise.dtype)
    return plus(multiply(input, wrap(noise)), wrap(shift))


@public
def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Return the elements, those that are not positive times a random slope.

    `input`: (...). `lower`, `upper`: the slopes' bounds; without `training` their mean is taken.
    With `inplace` the result is written into input. Returns input's shape. Raises RuntimeError for
    a lower bound above the upper one.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.rrelu(torch.tensor([-1.0, 2.0]), training=True)
    tensor([-0.3271,  2.0000])
    """
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    call = op.rrelu_with_noise_ if inplace else op.rrelu_with_noise
    kernel, kinds = ("rrelu_with_noise_out_cpu", "h") if training else ("leaky_relu_cpu", "uilbc")
    need_kind(input._array.dtype, kernel, kinds)
    return call(input, wrap(_slopes(input._array, lower, upper, training)), lower, upper, training)


def _slopes(array: Any, lower: float, upper: float, training: bool) -> Any:
    """One where an element is positive, else a number between the bounds; empty if unused."""
    if not training or array.dtype.kind in "iub":
        return np.zeros(0, array.dtype)
    noise = np.ones(array.shape, array.dtype)
    bent = array <= 0
    drawn = uniform(None, (int(bent.sum()),), np.dtype(np.float64), lower, upper) if (
        lower < upper
    ) else np.full(int(bent.sum()), lower)  # fmt: skip
    noise[bent] = drawn.astype(array.dtype)
    return noise


@public
def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """Return softmax of logits with random numbers added: a sample that has a gradient.

    `logits`: (..., n, ...). `tau`: the temperature. With `hard` the largest becomes 1, all others
    0, the gradient being that of the soft sample. Returns logits' shape.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.gumbel_softmax(torch.zeros(3), hard=True)
    tensor([0., 0., 1.])
    """
    if eps != 1e-10:
        warn("`eps` parameter is deprecated and has no effect.")
    noise = -np.log(exponential(None, tuple(logits.shape), logits._array.dtype))
    soft = softmax(op.div(op.add(logits, wrap(noise)), tau), dim)
    if not hard:
        return soft
    axis = wrap_dim(dim, logits.ndim)
    with recording(False):
        _, place = op.max_dim(soft, axis, True)
        one = np.zeros_like(soft._array)
        np.put_along_axis(one, place._array, 1, axis)
        step = wrap(one - soft._array)
    return op.add(step, soft)
