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
