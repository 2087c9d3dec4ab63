"""The tangents of a tensor: given, found for views, and hidden from formulas (Note [Levels])."""

from typing import Any

import numpy as np

from seegrad.graph.levels import LEVELS, Tangents, ask, carries
from seegrad.graph.recorded import recorded
from seegrad.graph.state import is_recording
from seegrad.graph.tensor import TensorBase, requires, set_requires, wrap
from seegrad.graph.versions import alias_counter
from seegrad.graph.views import Replay, apply, gradient_edge

__all__ = [
    "alias",
    "below",
    "give",
    "give_in_place",
    "is_differentiated",
    "laid_out",
    "tangents_of",
]

NONE: dict[int, Any] = {}


def origin(tensor: TensorBase) -> tuple[TensorBase, Replay] | None:
    """The base of a view to forward mode, and what leads from there; None where it is no view."""
    held = tensor._tangents
    if held is not None and held.base is not None:
        steps, chain = [], held.chain
        while chain is not None:
            chain, step = chain
            steps.append(step)
        return held.base, tuple(reversed(steps))
    view = tensor._view
    if view is None or (held is not None and held.rooted):
        return None
    return view.base, view.replay


def tangents_of(tensor: TensorBase) -> dict[int, Any]:
    """The tangents by level; those of a view are made of its base's."""
    held = tensor._tangents
    found = origin(tensor) if tensor._view is not None else None
    if found is not None:
        base, replay = found
        for number, tangent in tangents_of(base).items():
            if held is None or number not in held.at:
                give(tensor, number, apply(recorded, tangent, replay))
                held = tensor._tangents
    return NONE if held is None else held.at


def is_differentiated(tensor: TensorBase) -> bool:
    """Whether a derivative of what is computed from it may be asked for, in either mode."""
    return (is_recording() and requires(tensor)) or bool(carries() and tangents_of(tensor))


def give(tensor: TensorBase, number: int, tangent: Any) -> None:
    """Makes `tangent` what the tensor carries at a level, if that is still open."""
    level = LEVELS.open.get(number)
    if level is None:
        return
    held = tensor._tangents
    if held is None:
        held = tensor._tangents = Tangents()
    held.at[number] = tangent
    level.holders.add(held)
    ask(tensor)


def give_in_place(tensor: TensorBase, number: int, tangent: Any) -> None:
    """As `give` for what was written to in place: its tangent is written to, or made."""
    own = tangents_of(tensor).get(number)
    found = origin(tensor) if own is None else None
    if found is not None:
        base, _ = found
        give(base, number, wrap(like(base._array, base._array.dtype)))
        own = tangents_of(tensor)[number]
    if own is None:
        give(tensor, number, laid_out(tangent, tensor._array))
    else:
        recorded.copy_(own, tangent)


def laid_out(tangent: Any, array: Any) -> Any:
    """A tangent that lies in memory as the value does, so that both have the same views."""
    if lies_like(tangent._array, array):
        return tangent
    return recorded.copy_(wrap(like(array, tangent._array.dtype)), tangent)


def lies_like(mine: Any, array: Any) -> bool:
    """Whether two arrays of one shape have the same strides, in elements."""
    steps = zip(mine.shape, mine.strides, array.strides, strict=True)
    sizes = mine.itemsize, array.itemsize
    return not mine.size or all(
        n == 1 or one * sizes[1] == other * sizes[0] for n, one, other in steps
    )


def like(array: Any, kind: Any) -> Any:
    """Zeros that lie in memory as `array` does, gaps and all."""
    if not array.size:
        return np.zeros(array.shape, kind)
    steps = tuple(s // array.itemsize * kind.itemsize for s in array.strides)
    ends = [(n - 1) * s for n, s in zip(array.shape, steps, strict=True)]
    low = sum(min(end, 0) for end in ends)
    size = sum(max(end, 0) for end in ends) - low + kind.itemsize
    memory = np.zeros(size, np.uint8)
    return np.ndarray(array.shape, kind, memory, -low, steps)


def below(tensor: TensorBase, number: int) -> Any:
    """The tensor as formulas of a level see it: without the tangents of that level and later."""
    return alias(tensor, number) if any(n >= number for n in tangents_of(tensor)) else tensor


def alias(tensor: TensorBase, number: int) -> Any:
    """Another tensor of the same memory and history, with the tangents of earlier levels only."""
    out = wrap(tensor._array)
    out._counter = alias_counter(tensor)
    if is_recording() and requires(tensor):
        edge = gradient_edge(tensor)
        if edge is not None:
            out._node, out._nr = edge, tensor._nr
            set_requires(out, True)
    for earlier, tangent in tangents_of(tensor).items():
        if earlier < number:
            give(out, earlier, tangent)
    return out
