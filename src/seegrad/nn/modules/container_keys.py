"""Places and keys in containers of modules and of parameters."""

import operator
from collections.abc import Iterable, Iterator
from typing import Any

from seegrad.nn.modules.registry import type_name


def in_range(index: Any, length: int) -> int:
    """`index` counted from the front; IndexError where it is outside of `length`."""
    place: int = operator.index(index)
    if not -length <= place < length:
        raise IndexError(f"index {place} is out of range")
    return place % length


def key_value_pairs(given: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The pairs of a mapping or of a sequence of pairs, each checked to be one."""
    if hasattr(given, "keys") and hasattr(given, "items"):
        yield from given.items()
        return
    for place, pair in enumerate(given):
        if not isinstance(pair, Iterable):
            raise TypeError(
                f"{name} update sequence element #{place} should be Iterable; is{type_name(pair)}"
            )
        pair = tuple(pair)
        if len(pair) != 2:
            raise ValueError(
                f"{name} update sequence element #{place} has length {len(pair)}; 2 is required"
            )
        yield pair
