"""Derivatives of random numbers by what they were drawn by.

Zero, or unknown; gamma and Dirichlet numbers move with their parameters, as
`seegrad.arrays.implicit` says.
"""

from typing import Any

from seegrad.rules.elementwise import nothing
from seegrad.rules.spec import general, not_implemented, refusing

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
general("poisson(self, drawn)", self=nothing)
general(
    "binomial(count, prob, drawn)",
    node="NotImplemented",
    count=not_implemented("binomial"),
    prob=not_implemented("binomial"),
)
general(
    "sample_dirichlet(self, drawn)",
    node="NotImplemented",
    self=not_implemented("_sample_dirichlet"),
)


def dirichlet_self(xp: Xp, grad: Value, self: Value, result: Value) -> Value:
    """What one share gains with its own concentration, all lose in proportion.

    d result[i] / d self[j] = (1 if i == j else 0 - result[i]) * dirichlet_grad[j]: Jankowiak and
    Obermeyer, Pathwise derivatives beyond the reparameterization trick (2018).
    """
    total = xp.sum_dim(self, (-1,), True)
    return xp.dirichlet_grad(result, self, total) * (grad - xp.sum_dim(result * grad, (-1,), True))


general("dirichlet(self, drawn)", node="_DirichletBackward", self=dirichlet_self)
general(
    "dirichlet_grad(x, alpha, total)",
    node="NotImplemented",
    x=not_implemented("_dirichlet_grad"),
    alpha=not_implemented("_dirichlet_grad"),
    total=not_implemented("_dirichlet_grad"),
)
general(
    "standard_gamma(self, drawn)",
    self=lambda xp, grad, self, result: grad * xp.standard_gamma_grad(self, result),
)
general(
    "standard_gamma_grad(self, output)",
    operands="self output",
    self=refusing(
        NotImplementedError("the derivative for '_standard_gamma_grad' is not implemented.")
    ),
)
