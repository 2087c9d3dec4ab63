"""Derivatives of the activation functions; at their kinks they are PyTorch's."""

import math
from typing import Any

from seegrad.arrays.activations import log_softmax_backward, softmax_backward
from seegrad.arrays.gates import gelu_backward, silu_backward
from seegrad.rules.spec import elementwise, general

Xp = Any
Value = Any


# In place, a leaky relu and an elu keep their result alone: its sign is that of what was there,
# and the slope follows from it, as long as the function rises on both sides of zero.

LEAKY_BELOW_ZERO = (
    "In-place leakyReLu backward calculation is triggered with a negative slope which is not "
    "supported. This is caused by calling in-place forward function with a negative slope, please "
    "call out-of-place version instead. File an issue at https://github.com/pytorch/pytorch if "
    "you do require supporting in-place leakRelu backward calculation with negative slope"
)
ELU_BELOW_ZERO = (
    "In-place elu backward calculation is triggered with a negative slope which is not supported. "
    "This is caused by calling in-place forward function with a negative slope, please call "
    "out-of-place version instead."
)


def leaky_relu_written(xp: Xp, grad: Value, negative_slope: float, result: Value) -> Value:
    """1 where the result is positive, the slope elsewhere."""
    if negative_slope < 0:
        raise RuntimeError(LEAKY_BELOW_ZERO)
    return xp.leaky_relu_backward(grad, result, negative_slope)


def elu_written(
    xp: Xp, grad: Value, alpha: float, scale: float, input_scale: float, result: Value
) -> Value:
    """scale above zero, `input_scale (y + alpha scale)` elsewhere, y the result."""
    if alpha < 0:
        raise RuntimeError(ELU_BELOW_ZERO)
    bend = (result + alpha * scale) * input_scale
    return xp.where(result <= 0, grad * bend, grad * scale)


def celu_written(xp: Xp, grad: Value, alpha: float, result: Value) -> Value:
    """1 above zero, `1 + y / alpha` elsewhere, y the result."""
    if alpha < 0:
        raise RuntimeError(ELU_BELOW_ZERO)
    return xp.where(result <= 0, grad * (result / alpha + 1), grad)


# Piecewise linear
#
# The gradients are operators of their own, so that they depend on `self` as the others do: the
# second derivative of a relu is there, and zero.

elementwise("relu(self)", self=lambda xp, grad, result: xp.threshold_backward(grad, result, 0.0))
elementwise(
    "leaky_relu(self, negative_slope)",
    self=lambda xp, grad, self, negative_slope: xp.leaky_relu_backward(grad, self, negative_slope),
    written={"node": "LeakyReluBackward1", "self": leaky_relu_written},
)
elementwise(
    "hardtanh(self, min_val, max_val)",
    self=lambda xp, grad, self, min_val, max_val: xp.hardtanh_backward(
        grad, self, min_val, max_val
    ),
)
elementwise(
    "hardsigmoid(self)",
    fused=True,
    self=lambda xp, grad, self: xp.hardsigmoid_backward(grad, self),
)
elementwise(
    "hardswish(self)",
    fused=True,
    self=lambda xp, grad, self: xp.where(
        self <= -3, 0.0, xp.where(self < 3, grad * (self / 3 + 0.5), grad)
    ),
)
elementwise(
    "hardshrink(self, lambd)",
    self=lambda xp, grad, self, lambd: xp.hardshrink_backward(grad, self, lambd),
)
elementwise(
    "softshrink(self, lambd)",
    self=lambda xp, grad, self, lambd: xp.softshrink_backward(grad, self, lambd),
)
elementwise(
    "threshold(self, threshold, value)",
    self=lambda xp, grad, self, threshold: xp.threshold_backward(grad, self, threshold),
    written={"node": "ThresholdBackward1"},
)


def flat(xp: Xp, grad: Value) -> Value:
    """Zero: `self` only says where these gradients bend."""
    return xp.zeros_like(grad)


elementwise(
    "threshold_backward(grad_output, self, threshold)",
    inplace=False,
    grad_output=lambda xp, grad, self, threshold: xp.threshold_backward(grad, self, threshold),
    self=flat,
)
elementwise(
    "leaky_relu_backward(grad_output, self, negative_slope)",
    inplace=False,
    grad_output=lambda xp, grad, self, negative_slope: xp.leaky_relu_backward(
        grad, self, negative_slope
    ),
    self=flat,
)
elementwise(
    "hardtanh_backward(grad_output, self, min_val, max_val)",
    inplace=False,
    grad_output=lambda xp, grad, self, min_val, max_val: xp.hardtanh_backward(
        grad, self, min_val, max_val
    ),
    self=flat,
)
elementwise(
    "hardsigmoid_backward(grad_output, self)",
    inplace=False,
    grad_output=lambda xp, grad, self: xp.hardsigmoid_backward(grad, self),
    self=flat,
)
for _name in ("hardshrink", "softshrink"):
    elementwise(
        f"{_name}_backward(grad_output, self, lambd)",
        inplace=False,
        grad_output=lambda xp, grad, self, lambd: xp.hardshrink_backward(grad, self, lambd),
        self=flat,
    )
elementwise(
    "prelu_kernel(self, weight)",
    fused=True,
    self=lambda xp, grad, self, weight: xp.prelu_kernel_backward(grad, self, weight),
    weight=lambda xp, grad, self: xp.where(self > 0, 0.0, self * grad),
)
elementwise(
    "prelu_kernel_backward(grad_output, self, weight)",
    inplace=False,
    fused=True,
    grad_output=lambda xp, grad, self, weight: xp.prelu_kernel_backward(grad, self, weight),
    self=flat,
    weight=lambda xp, grad, grad_output, self: xp.where(self > 0, 0.0, grad_output * grad),
)


def rrelu_back(
    xp: Xp, grad: Value, self: Value, noise: Value, lower: float, upper: float, training: bool
) -> Value:
    """The slopes that were drawn; later their mean."""
    if training and upper - lower > 1e-6:
        return grad * noise
    return xp.leaky_relu_backward(grad, self, (lower + upper) / 2)


def rrelu_written(
    xp: Xp, grad: Value, noise: Value, lower: float, upper: float, training: bool, result: Value
) -> Value:
    """As `rrelu_back`, from the result."""
    if training and upper - lower > 1e-6:
        return grad * noise
    return leaky_relu_written(xp, grad, (lower + upper) / 2, result)


elementwise(
    "rrelu_with_noise(self, noise, lower, upper, training)",
    operands="self noise",
    self=rrelu_back,
    written={"node": "RreluWithNoiseBackward1", "self": rrelu_written},
)


# Smooth


def negative_part(xp: Xp, self: Value) -> Value:
    """Self where it is negative, else 0: what an exponential may see without overflow.

    At 0 it is flat, so that second derivatives are 0 there, as PyTorch's are.
    """
    return xp.where(self < 0, self, 0.0)


def elu_self(
    xp: Xp, grad: Value, self: Value, alpha: float, scale: float, input_scale: float
) -> Value:
    """scale above zero, `alpha scale input_scale exp(input_scale x)` elsewhere."""
    bend = xp.exp(negative_part(xp, self) * input_scale) * (alpha * scale * input_scale)
    return xp.where(self <= 0, grad * bend, grad * scale)


def celu_self(xp: Xp, grad: Value, self: Value, alpha: float) -> Value:
    """1 above zero, `exp(x / alpha)` elsewhere."""
    return xp.where(self <= 0, grad * xp.exp(negative_part(xp, self) / alpha), grad)


def gelu_self(xp: Xp, grad: Value, self: Value, approximate: str) -> Value:
    """`P(x) + x p(x)`, P the normal distribution and p its density."""
    if approximate == "tanh":
        return gelu_tanh_self(xp, grad, self)
    below = 0.5 * (1 + xp.erf(self * math.sqrt(0.5)))
    density = xp.exp(-0.5 * self * self) * (1 / math.sqrt(2 * math.pi))
    return grad * (below + self * density)


def gelu_tanh_self(xp: Xp, grad: Value, self: Value) -> Value:
    """The derivative of `0.5 x (1 + tanh(u))`, u a cubic in x."""
    scale, cubic = math.sqrt(2 / math.pi), 0.044715
    square = self * self
    bend = xp.tanh(scale * (self + cubic * square * self))
    slope = scale * (1 + 3 * cubic * square)
    return grad * (0.5 * (1 + bend) + 0.5 * self * (1 - bend * bend) * slope)


def silu_self(xp: Xp, grad: Value, self: Value) -> Value:
    """`s (1 + x (1 - s))`, s the sigmoid of x."""
    gate = xp.sigmoid(self)
    return grad * (gate * (1 + self * (1 - gate)))


def mish_self(xp: Xp, grad: Value, self: Value) -> Value:
    """`t + x s (1 - t^2)`, t the tanh of softplus and s the sigmoid of x."""
    bend = xp.tanh(xp.softplus(self, 1.0, 20.0))
    return grad * (bend + self * xp.sigmoid(self) * (1 - bend * bend))


elementwise(
    "elu(self, alpha=1.0, scale=1, input_scale=1)",
    fused=True,
    self=elu_self,
    written={"node": "EluBackward1", "self": elu_written},
)
elementwise(
    "celu(self, alpha=1.0)",
    fused=True,
    self=celu_self,
    written={"node": "CeluBackward1", "self": celu_written},
)
elementwise("gelu(self, approximate='none')", fused=True, fast=gelu_backward, self=gelu_self)
elementwise("silu(self)", fused=True, fast=silu_backward, self=silu_self)
elementwise("mish(self)", fused=True, self=mish_self)
elementwise(
    "softplus(self, beta=1.0, threshold=20.0)",
    fused=True,
    self=lambda xp, grad, self, beta, threshold: xp.where(
        self * beta > threshold, grad, grad * xp.sigmoid(self * beta)
    ),
)
elementwise("log_sigmoid(self)", fused=True, self=lambda xp, grad, self: grad * xp.sigmoid(-self))


# Along a dimension


def glu_self(xp: Xp, grad: Value, self: Value, dim: int) -> Value:
    """Of `a s(b)`: `s(b)` for the first half, `a s(b) (1 - s(b))` for the second."""
    half = self.shape[dim] // 2
    first = xp.slice(self, dim, 0, half)
    gate = xp.sigmoid(xp.slice(self, dim, half, 2 * half))
    return xp.cat([grad * gate, grad * first * gate * (1 - gate)], dim)


general("glu(self, dim)", fused=True, self=glu_self)
general(
    "softmax(self, dim)",
    fused=True,
    fast=softmax_backward,
    self=lambda xp, grad, result, dim: softmax_self(xp, grad, result, dim),
)
general(
    "log_softmax(self, dim)",
    fused=True,
    fast=log_softmax_backward,
    self=lambda xp, grad, result, dim: grad - xp.exp(result) * xp.sum_dim(grad, (dim,), True),
)


def softmax_self(xp: Xp, grad: Value, result: Value, dim: int) -> Value:
    """`y (grad - sum(grad y))`."""
    weighted = grad * result
    return weighted - result * xp.sum_dim(weighted, (dim,), True)
