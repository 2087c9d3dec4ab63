"""Sizes given as one number or as one number for each dimension."""

from typing import Any

__all__ = ["need_ints", "sizes"]


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


def need_ints(value: Any, what: str) -> None:
    """Raise TypeError for numbers that are not whole, or no numbers; `what`: the argument."""
    given = value if isinstance(value, tuple | list) else (value,)
    for place, one in enumerate(given):
        if not hasattr(one, "__index__"):
            raise TypeError(
                f"{what} must be tuple of ints, but found element of type {type(one).__name__} "
                f"at pos {place}"
            )
