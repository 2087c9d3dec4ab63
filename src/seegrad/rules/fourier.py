"""Derivatives of Fourier transforms: the adjoint is the transform of opposite direction."""

from typing import Any

from seegrad.rules.spec import linear

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Size = tuple[int, ...]


def from_real(
    xp: Xp, grad: Value, self_shape: Size, dim: Size, normalization: int, onesided: bool
) -> Value:
    """The half that was left out got no gradient."""
    last = dim[-1]
    missing = self_shape[last] - grad.shape[last]
    if onesided and missing:
        margins = (0, 0) * (len(self_shape) - 1 - last) + (0, missing)
        grad = xp.constant_pad_nd(grad, margins, 0)
    return xp.real(xp.fft_c2c(grad, dim, normalization, False))


def to_real(xp: Xp, grad: Value, dim: Size, normalization: int) -> Value:
    """What stands for its mirror image too counts twice: all but frequency 0 and the highest."""
    last = dim[-1]
    found = xp.fft_r2c(grad, dim, normalization, True)
    size = found.shape[last]
    twice = grad.shape[last] - size
    if twice <= 0:
        return found
    parts = [
        xp.slice(found, last, 0, 1, 1),
        xp.slice(found, last, 1, 1 + twice, 1) * 2,
        xp.slice(found, last, 1 + twice, size, 1),
    ]
    return xp.cat(parts, last)


linear(
    "fft_c2c(self, dim, normalization, forward)",
    node="FftC2CBackward0",
    holomorphic=False,
    self=lambda xp, grad, dim, normalization, forward: xp.fft_c2c(
        grad, dim, normalization, not forward
    ),
)
linear(
    "fft_r2c(self, dim, normalization, onesided)",
    node="FftR2CBackward0",
    holomorphic=False,
    self=from_real,
)
linear(
    "fft_c2r(self, dim, normalization, last_dim_size)",
    node="FftC2RBackward0",
    holomorphic=False,
    self=to_real,
)
