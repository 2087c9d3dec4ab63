"""The quick way for tensors of one dtype that need no gradient, of whatever dtype.

Integers, bools, complex numbers and views without a history come to the general path. Where
nothing is to be promoted, rounded or recorded, nine tenths of it can be left out.
"""

from typing import Any

import numpy as np

from seegrad.arrays import raw
from seegrad.arrays.refusals import refused_types
from seegrad.graph.cuts import carry, cause
from seegrad.graph.state import ThreadState
from seegrad.graph.tensor import requires, tensor_class, wrap
from seegrad.graph.versions import bump
from seegrad.rules.spec import Operator

__all__ = ["forget", "unrecorded", "written"]


class Lane:
    """What is needed again and again of one operator."""

    __slots__ = ("floats", "kernel", "others", "places", "refused", "several", "tensor")

    def __init__(self, operator: Operator) -> None:
        self.kernel = getattr(raw, operator.name)
        self.tensor = tensor_class()
        self.places = tuple(operator.parameters.index(name) for name in operator.operands)
        self.others = tuple(set(range(len(operator.parameters))) - set(self.places))
        self.refused = refused_types(operator.name)
        self.floats = operator.promote == "float"
        self.several = len(operator.outputs) > 1


_lanes: dict[Operator, Lane | None] = {}


def lane_of(operator: Operator) -> Lane | None:
    """The lane of an operator; None where operands or results are lists, or results are views."""
    lists = operator.many or operator.variadic or operator.kind == "view"
    _lanes[operator] = None if lists else Lane(operator)
    return _lanes[operator]


def forget(operator: Operator) -> None:
    """Makes the lane of an operator anew, because its kernel is another one."""
    _lanes.pop(operator, None)


def arrays_of(operator: Operator, args: tuple[Any, ...], state: ThreadState) -> Any:
    """The lane and the kernel's arguments where this is such a call, else None."""
    lane = _lanes[operator] if operator in _lanes else lane_of(operator)
    if lane is None:
        return None
    kind = None
    values = list(args)
    for place in lane.places:
        tensor = args[place]
        if tensor.__class__ is not lane.tensor:
            return None
        if state.mode and requires(tensor):
            return None
        array = values[place] = tensor._array
        if kind is None:
            kind = array.dtype
            # Half precision is computed wide and rounded; integers may have to become floats.
            if kind.char in "eE" or kind in lane.refused or (lane.floats and kind.kind in "iub"):
                return None
        elif array.dtype is not kind:
            return None
    for place in lane.others:
        if isinstance(args[place], np.generic):  # not weak as Python's numbers are
            return None
    return lane, values


def unrecorded(operator: Operator, args: tuple[Any, ...], state: ThreadState) -> Any:
    """The result where this is such a call, else None."""
    found = arrays_of(operator, args, state)
    if found is None:
        return None
    lane, values = found
    try:
        result = state.quiet(lane.kernel, *values)
    except ValueError:  # the general path says it in PyTorch's words
        return None
    if lane.several:
        outs = tuple([wrap(one) for one in result])
        carry(operator.name, args, outs)
        return outs
    out = wrap(result)
    for place in lane.places:
        tensor = args[place]
        if tensor._cut is not None or (tensor._requires_grad is not False and requires(tensor)):
            out._cut = cause(operator.name, *args)
            break
    return out


def written(operator: Operator, self: Any, args: tuple[Any, ...], state: ThreadState) -> bool:
    """Whether this was such a call in place, on memory of its own, and is done."""
    found = arrays_of(operator, (self, *args), state)
    if found is None or self._shared or found[0].several:
        return False
    lane, values = found
    mine = values[0]
    owner = mine if mine.base is None else mine.base
    if 0 in mine.strides:
        return False
    for place in lane.places[1:]:
        theirs = values[place]
        if owner is (theirs if theirs.base is None else theirs.base):
            return False
    try:
        result = state.quiet(lane.kernel, *values)
        if result.shape != mine.shape or result.dtype is not mine.dtype:
            return False
        mine[...] = result
    except Exception:  # the general path says it in PyTorch's words
        return False
    bump(self)
    return True
