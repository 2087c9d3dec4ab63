"""What a node holds: its saved values by name, and what a custom Function put on its `ctx`."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.packed import PackedValue, flat
from seegrad.graph.tensor import TensorBase
from seegrad.graph.views import CopySlices

__all__ = ["Held", "arrays_in", "held_by", "operator_of"]


class Held(NamedTuple):
    """One value that a node holds: "self", "result", "saved_tensors[0]", "ctx.mask"."""

    name: str
    value: Any  # a Tensor, an array (a saved result), or what a hook or the user made of it
    on_ctx: bool = False


def held_by(node: Node) -> list[Held]:
    """The values a node holds now, without None and numbers; nothing is checked or unpacked."""
    found: list[Held] = []
    if isinstance(node, CopySlices):
        return [] if node._saved is None else held_by(flat(node)[0])
    if node._saved:
        values = flat(node)
        if node._tensor_names:
            pairs = list(zip(node._tensor_names, values[::2], strict=False))
        else:
            pairs = [(f"saved_tensors[{i}]", value) for i, value in enumerate(values)]
        for name, value in pairs:
            found.append(Held(name, value.packed if value.__class__ is PackedValue else value))
    if not node._builtin:
        for name, value in vars(node).items():
            if not hasattr(type(node), name):
                found.append(Held(f"ctx.{name}", value, on_ctx=True))
    return [held for held in found if next(arrays_in(held.value), None) is not None]


def arrays_in(value: Any, depth: int = 3) -> Iterator[Any]:
    """The arrays of a tensor, an array, or of a container of such."""
    if isinstance(value, TensorBase):
        yield value._array
    elif isinstance(value, np.ndarray):
        yield value
    elif depth and isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from arrays_in(one, depth - 1)
    elif depth and isinstance(value, dict):
        for one in value.values():
            yield from arrays_in(one, depth - 1)


def operator_of(node: Node) -> str:
    """What made a node, as a program writes it: "mul" for MulBackward0, "leaf" for a leaf."""
    if isinstance(node, AccumulateGrad):
        return "leaf"
    return node.name().rpartition("::")[2].rstrip("0123456789").removesuffix("Backward").lower()
