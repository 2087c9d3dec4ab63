"""Tensors in containers: what a function takes and returns, as a list of leaves and a structure.

Containers are tuples, named tuples and those of `torch.return_types`, lists, deques and
dictionaries. Everything else, None too, is a leaf.
"""

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any

from seegrad.arrays.size import Size

__all__ = ["Structure", "flatten", "mapped", "spread"]

DICTIONARIES = (dict, OrderedDict, defaultdict)


class Structure:
    """What is left of a tree without its leaves; printed as PyTorch prints it, leaves as `*`."""

    def __init__(self, kind: Any, extra: Any, parts: "tuple[Structure, ...]") -> None:
        self.kind = kind  # None for a leaf
        self.extra = extra  # keys of a dictionary
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Structure)
            and (self.kind, self.extra) == (other.kind, other.extra)
            and self.parts == other.parts
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = [repr(part) for part in self.parts]
        if self.kind is None:
            return "*"
        if self.kind is list:
            return f"[{', '.join(inside)}]"
        if self.kind is tuple:
            return f"({', '.join(inside)}{',' if len(inside) == 1 else ''})"
        if self.kind is deque:
            return f"deque([{', '.join(inside)}])"
        if self.kind is OrderedDict:
            items = ", ".join(f"({k!r}, {v})" for k, v in zip(self.extra, inside, strict=True))
            return f"OrderedDict([{items}])"
        if self.kind in DICTIONARIES:
            keys = self.extra if self.kind is dict else self.extra[1]
            items = ", ".join(f"{k!r}: {v}" for k, v in zip(keys, inside, strict=True))
            return (
                f"{{{items}}}"
                if self.kind is dict
                else f"defaultdict({self.extra[0]}, {{{items}}})"
            )
        fields = getattr(self.kind, "_fields", None)
        if fields:
            inside = [f"{n}={v}" for n, v in zip(fields, inside, strict=True)]
        return f"{self.kind.__name__}({', '.join(inside)})"

    def told(self, indent: int = 0) -> str:
        """As PyTorch says it in errors about the dimensions of `vmap`."""
        if self.kind is None:
            return "*"
        inside = f",\n{' ' * (indent + 2)}".join(part.told(indent + 2) for part in self.parts)
        extra = self.kind if hasattr(self.kind, "_fields") else self.extra
        return f"TreeSpec({self.kind.__name__}, {extra}, [{inside}])"

    def filled(self, leaves: Any) -> Any:
        """The tree of this structure with these leaves, in order."""
        return self._filled(iter(leaves))

    def _filled(self, leaves: Iterator[Any]) -> Any:
        if self.kind is None:
            return next(leaves)
        values = [part._filled(leaves) for part in self.parts]
        if self.kind is defaultdict:
            return defaultdict(self.extra[0], zip(self.extra[1], values, strict=True))
        if self.kind in DICTIONARIES:
            return self.kind(zip(self.extra, values, strict=True))
        return self.kind(*values) if hasattr(self.kind, "_make") else self.kind(values)


LEAF = Structure(None, None, ())


def children(tree: Any) -> tuple[Any, list[Any]] | None:
    """What is beside the values of a container, and these; None for a leaf."""
    kind = kind_of(tree)
    if kind is defaultdict:
        return (tree.default_factory, list(tree)), list(tree.values())
    if kind in DICTIONARIES:
        return list(tree), list(tree.values())
    if kind in (list, tuple, deque) or is_named(kind):
        return None, list(tree)
    return None


def kind_of(tree: Any) -> type:
    """The class that a container is taken for: a size is a tuple."""
    return tuple if type(tree) is Size else type(tree)


def is_named(kind: type) -> bool:
    """Whether this is a class of named tuples, or one of `torch.return_types`."""
    return issubclass(kind, tuple) and (hasattr(kind, "_make") or hasattr(kind, "n_fields"))


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves of a tree in order, and its structure.

    >>> flatten({"a": 1, "b": [2, (3,)]})
    ([1, 2, 3], {'a': *, 'b': [*, (*,)]})
    """
    found = children(tree)
    if found is None:
        return [tree], LEAF
    extra, values = found
    leaves: list[Any] = []
    parts = []
    for value in values:
        inside, structure = flatten(value)
        leaves += inside
        parts.append(structure)
    return leaves, Structure(kind_of(tree), extra, tuple(parts))


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with `function` of each leaf.

    >>> mapped(str, (1, [2]))
    ('1', ['2'])
    """
    leaves, structure = flatten(tree)
    return structure.filled([function(leaf) for leaf in leaves])


def spread(prefix: Any, structure: Structure) -> list[Any] | None:
    """For each leaf of `structure` what `prefix` says of it; None where the two do not fit.

    A leaf of `prefix` speaks for all that stands below it.

    >>> spread((0, None), flatten((1, {"a": 2, "b": 3}))[1])
    [0, None, None]
    """
    found = children(prefix)
    if found is None:
        return [prefix] * len(list(_places(structure)))
    extra, values = found
    if kind_of(prefix) is not structure.kind or len(values) != len(structure.parts):
        return None
    if structure.kind in DICTIONARIES and extra != structure.extra:
        return None
    said: list[Any] = []
    for value, part in zip(values, structure.parts, strict=True):
        inside = spread(value, part)
        if inside is None:
            return None
        said += inside
    return said


def _places(structure: Structure) -> Iterator[None]:
    if structure.kind is None:
        yield None
    for part in structure.parts:
        yield from _places(part)
