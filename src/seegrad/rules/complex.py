"""Derivatives between complex and real numbers: none is holomorphic, each rule is whole.

The gradient of a real loss L with respect to z = x + iy is dL/dx + i dL/dy, as in PyTorch.
"""

from typing import Any

from seegrad.rules.elementwise import is_complex
from seegrad.rules.spec import elementwise, general, linear, view

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it


def real_part(xp: Xp, z: Value) -> Value:
    """The real part of a complex value."""
    return xp.select(xp.view_as_real(z), -1, 0)


def imaginary_part(xp: Xp, z: Value) -> Value:
    """The imaginary part of a complex value."""
    return xp.select(xp.view_as_real(z), -1, 1)


view(
    "view_as_real(self)",
    holomorphic=False,
    self=lambda xp, grad: xp.view_as_complex(xp.clone(grad, "contiguous")),
)
view(
    "view_as_complex(self)",
    holomorphic=False,
    self=lambda xp, grad: xp.view_as_real(grad),
)
# PyTorch conjugates lazily, so that the gradient of `z.conj().real` has no -0: nor has it here.
linear("conj(self)", holomorphic=False, self=lambda xp, grad: xp.conj(grad) + 0)
linear(
    "conj_physical(self)",
    inplace=True,
    holomorphic=False,
    self=lambda xp, grad: xp.conj_physical(grad),
    written={"node": "ConjPhysicalBackward1"},
)
# For formulas and casts; `torch.real` is `view_as_real` and `select`, as in PyTorch.
view("real(self)", node="SelectBackward0", holomorphic=False, self=lambda xp, grad: grad)
view(
    "imag(self)",
    node="SelectBackward0",
    holomorphic=False,
    self=lambda xp, grad: xp.complex(xp.zeros_like(grad), grad),
)
elementwise(
    "complex(real, imag)",
    result="other",
    promote="none",
    inplace=False,
    holomorphic=False,
    wide=False,
    real=lambda xp, grad: real_part(xp, grad),
    imag=lambda xp, grad: imaginary_part(xp, grad),
)


def polar_angle(xp: Xp, grad: Value, result: Value) -> Value:
    """The gradient across that direction, i times the result."""
    return real_part(xp, xp.conj(grad) * (result * 1j))


general(
    "polar(abs, angle)",
    result="other",
    wide=False,
    holomorphic=False,
    abs=lambda xp, grad, angle: real_part(
        xp, xp.conj(grad) * xp.polar(xp.ones_like(angle), angle)
    ),
    angle=polar_angle,
)


def angle_back(xp: Xp, grad: Value, self: Value) -> Value:
    """0 for real numbers; for z = x + iy it is grad * (-y + ix) / |z|^2, and 0 at 0."""
    if not is_complex(self):
        return xp.zeros_like(grad)
    real, imag = real_part(xp, self), imaginary_part(xp, self)
    size = xp.abs(self)
    at_zero = xp.eq(size, 0)
    size = xp.masked_fill(size, at_zero, 1)
    slope = grad / size  # squares would overflow before the size does
    return xp.complex(
        xp.masked_fill(-imag / size * slope, at_zero, 0),
        xp.masked_fill(real / size * slope, at_zero, 0),
    )


general("angle(self)", holomorphic=False, self=angle_back)
