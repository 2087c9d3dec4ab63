"""`torch.backends.opt_einsum`: whether opt_einsum orders the operands of `einsum`, and how."""

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

__all__ = ["enabled", "flags", "get_opt_einsum", "is_available", "set_flags", "strategy"]

enabled = True
strategy: Any = "auto"

STRATEGIES = "[auto, greedy, optimal]"


def is_available() -> bool:
    """True: opt_einsum comes with seegrad."""
    return True


def get_opt_einsum() -> Any:
    """The package opt_einsum, imported when it is first needed.

    >>> import seegrad as torch
    >>> torch.backends.opt_einsum.get_opt_einsum().__name__
    'opt_einsum'
    """
    import opt_einsum

    return opt_einsum


def set_flags(_enabled: bool | None = None, _strategy: str | None = None) -> tuple[bool, Any]:
    """Sets the switches that are given and returns what both were.

    Raises ValueError for a strategy other than "auto", "greedy" and "optimal".

    >>> import seegrad as torch
    >>> torch.backends.opt_einsum.set_flags(_strategy="greedy")
    (True, 'auto')
    >>> torch.backends.opt_einsum.set_flags(_strategy="auto")
    (True, 'greedy')
    """
    global enabled, strategy
    before = enabled, strategy
    if _strategy not in (None, "auto", "greedy", "optimal"):
        raise ValueError(
            f"`strategy` must be one of the following: {STRATEGIES} but is {_strategy}"
        )
    enabled = enabled if _enabled is None else _enabled
    strategy = strategy if _strategy is None else _strategy
    return before


@contextlib.contextmanager
def flags(enabled: bool | None = None, strategy: str | None = None) -> Iterator[None]:
    """Sets the switches for a `with` block.

    >>> import seegrad as torch
    >>> with torch.backends.opt_einsum.flags(enabled=False):
    ...     print(torch.backends.opt_einsum.enabled)
    False
    """
    before = set_flags(enabled, strategy)
    try:
        yield
    finally:
        set_flags(*before)


@functools.lru_cache
def best_path(
    inputs: tuple[tuple[str, ...], ...],
    output: tuple[str, ...],
    shapes: tuple[tuple[int, ...], ...],
    strategy: Any = "auto",
) -> list[tuple[int, int]]:
    """The places of the two operands to multiply each time; the product goes behind the others.

    >>> best_path((("i", "j"), ("j", "k"), ("k",)), ("i",), ((9, 9), (9, 9), (9,)))
    [(1, 2), (0, 1)]
    """
    opt_einsum = get_opt_einsum()
    letters: dict[str, str] = {}
    for label in (label for labels in inputs for label in labels):
        letters.setdefault(label, opt_einsum.get_symbol(len(letters)))
    *terms, result = ("".join(letters[one] for one in labels) for labels in [*inputs, output])
    equation = f"{','.join(terms)}->{result}"
    path, _ = opt_einsum.contract_path(equation, *shapes, shapes=True, optimize=strategy)
    return list(path)
