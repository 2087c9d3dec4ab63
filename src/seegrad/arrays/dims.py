"""Dimensions as PyTorch counts them: negative from the end, a 0-d tensor has the dimension 0."""

from collections.abc import Iterable
from operator import index


def wrap_dim(dim: int, ndim: int) -> int:
    """The dimension counted from the front; IndexError where it is out of range."""
    bound = ndim or 1
    if -bound <= dim < bound:
        return index(dim) % bound
    raise IndexError(
        "Dimension out of range (expected to be in range of "
        f"[{-bound}, {bound - 1}], but got {dim})"
    )


def wrap_dims(dim: int | Iterable[int] | None, ndim: int) -> tuple[int, ...]:
    """The dimensions counted from the front; None and an empty sequence mean all of them.

    RuntimeError where one appears twice.
    """
    if dim is None:
        return tuple(range(ndim))
    if not isinstance(dim, Iterable) or not getattr(dim, "ndim", 1):
        return (wrap_dim(index(dim), ndim),)  # type: ignore[arg-type]
    dims = tuple(wrap_dim(one, ndim) for one in dim)
    for position, one in enumerate(dims):
        if one in dims[:position]:
            raise RuntimeError(f"dim {one} appears multiple times in the list of dims")
    return dims or tuple(range(ndim))
