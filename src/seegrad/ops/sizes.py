"""Sizes given as one number or as one number for each dimension."""

from typing import Any

__all__ = ["sizes"]


def sizes(value: Any, count: int, name: str) -> tuple[int, ...]:
    """`count` numbers; RuntimeError where another number of them was given."""
    given = tuple(value) if isinstance(value, tuple | list) else (value,)
    if len(given) == 1:
        return given * count
    if len(given) != count:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {count} values to match "
            f"the convolution dimensions, but got {name}={list(given)}"
        )
    return given
