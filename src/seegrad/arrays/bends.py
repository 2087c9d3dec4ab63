"""Gradients of the piecewise linear activations: what comes in, let through or not."""

from typing import Any

from seegrad.arrays.picking import pick

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays


def threshold_backward(grad_output: Array, self: Array, threshold: float) -> Array:
    """What comes in where self is above the threshold, zero elsewhere."""
    return pick(self <= threshold, 0, grad_output)


def leaky_relu_backward(grad_output: Array, self: Array, negative_slope: float) -> Array:
    """What comes in, times the slope where self is not above zero."""
    return pick(self > 0, grad_output, grad_output * negative_slope)


def prelu_kernel_backward(grad_output: Array, self: Array, weight: Array) -> Array:
    """What comes in, times the learnt slope where self is not above zero."""
    return pick(self > 0, grad_output, weight * grad_output)


def hardtanh_backward(grad_output: Array, self: Array, min_val: float, max_val: float) -> Array:
    """What comes in where self is between the bounds, zero elsewhere."""
    return pick((self <= min_val) | (self >= max_val), 0, grad_output)


def hardsigmoid_backward(grad_output: Array, self: Array) -> Array:
    """A sixth of what comes in where self is between -3 and 3, zero elsewhere."""
    return pick((self > -3) & (self < 3), grad_output * (1 / 6), 0)


def hardshrink_backward(grad_output: Array, self: Array, lambd: float) -> Array:
    """What comes in where self is further than `lambd` from zero, zero elsewhere."""
    return pick((self >= -lambd) & (self <= lambd), 0, grad_output)


softshrink_backward = hardshrink_backward
