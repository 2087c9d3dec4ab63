"""Exponential families: the entropy by the derivative of the log-normaliser."""

from __future__ import annotations

from typing import Any

from seegrad.autograd import grad
from seegrad.distributions.distribution import Distribution

__all__ = ["ExponentialFamily"]

Tensor = Any


class ExponentialFamily(Distribution):
    """Densities exp(t(x) . theta - A(theta) + k(x)).

    A derived class may say its natural parameters theta (`_natural_params`), A
    (`_log_normalizer`) and the mean of k (`_mean_carrier_measure`).
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> float:
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy, A - theta . dA/dtheta - E k."""
        result = -self._mean_carrier_measure
        parameters = [one.detach().requires_grad_() for one in self._natural_params]
        normalizer = self._log_normalizer(*parameters)
        slopes = grad(normalizer.sum(), parameters, create_graph=True)
        result += normalizer
        for parameter, slope in zip(parameters, slopes, strict=True):
            product = parameter * slope
            result -= product.reshape((*self._batch_shape, -1)).sum(-1)
        return result
