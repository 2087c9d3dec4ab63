"""Derivatives of random numbers by what they were drawn by: zero."""

from typing import Any

from seegrad.rules.elementwise import nothing
from seegrad.rules.spec import general, not_implemented

Xp = Any
Value = Any
Shape = tuple[int, ...]


def nothing_to_mean(xp: Xp, grad: Value, mean_shape: Shape) -> Value:
    """Zeros in the shape of the means."""
    return xp.new_zeros(grad, mean_shape)


def nothing_to_std(xp: Xp, grad: Value, std_shape: Shape) -> Value:
    """Zeros in the shape of the standard deviations."""
    return xp.new_zeros(grad, std_shape)


general("bernoulli(self, drawn)", self=nothing)
general("bernoulli_p(self, drawn)", node="NotImplemented", self=not_implemented("bernoulli"))
general("normal_mean(mean, drawn)", node="NormalBackward1", mean=nothing_to_mean)
general("normal_std(std, drawn)", node="NormalBackward2", std=nothing_to_std)
general(
    "normal(mean, std, drawn)", node="NormalBackward3", mean=nothing_to_mean, std=nothing_to_std
)
