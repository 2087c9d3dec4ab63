"""Dimensions as PyTorch counts them, for public functions."""

from seegrad.arrays.dims import wrap_dim, wrap_dims

__all__ = ["wrap_dim", "wrap_dims"]
