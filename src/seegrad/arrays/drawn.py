"""Kernels of numbers that were drawn already: what they were drawn by has gradient zero."""

from typing import Any

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars


def bernoulli(self: Array, drawn: Array) -> Array:
    """Ones and zeros that were drawn with the probabilities in `self`."""
    return drawn


def bernoulli_p(self: Array, drawn: Array) -> Array:
    """Ones and zeros in the shape of `self`, drawn with a probability of their own."""
    return drawn


def normal_mean(mean: Array, drawn: Array) -> Array:
    """Normal numbers with these means."""
    return drawn


def normal_std(std: Array, drawn: Array) -> Array:
    """Normal numbers with these standard deviations."""
    return drawn


def normal(mean: Array, std: Array, drawn: Array) -> Array:
    """Normal numbers with these means and standard deviations."""
    return drawn


def poisson(self: Array, drawn: Array) -> Array:
    """Poisson's numbers of these rates."""
    return drawn


def binomial(count: Array, prob: Array, drawn: Array) -> Array:
    """How many of these trials succeeded."""
    return drawn


def sample_dirichlet(self: Array, drawn: Array) -> Array:
    """Shares of these concentrations, that do not move with them."""
    return drawn
