"""The quick way for `x * 2`: one plain tensor and one Python number.

NumPy takes a Python number weakly, as PyTorch does, where the array is of floating point;
everything else goes the general way.
"""

from typing import Any

import numpy as np

from seegrad.arrays import raw
from seegrad.graph.cuts import cause
from seegrad.graph.node import next_sequence
from seegrad.graph.state import ASK, thread
from seegrad.graph.tensor import Number, TensorBase, requires, tensor_class, wrap
from seegrad.graph.views import gradient_edge
from seegrad.operators.nodes import node_class
from seegrad.rules.spec import Operator

__all__ = ["SIMPLE", "plan_of", "second_number", "with_number"]

new, ndarray = object.__new__, np.ndarray
SIMPLE = frozenset({float, int})  # what NumPy takes weakly
_plans: dict[Operator, "Plan"] = {}


class Plan:
    """What is needed again and again of one operator of two operands."""

    __slots__ = ("both", "cls", "kernel", "operator", "saves", "tensor")

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        self.tensor = tensor_class()
        self.kernel = raw.plain_kernel(operator.name)
        usable = len(operator.parameters) == 2 and len(operator.operands) == 2
        is_ufunc = self.kernel.__class__ is np.ufunc
        # Kernels of comparisons take a number in the second place, as ufuncs do in both.
        self.both = is_ufunc
        if not usable or operator.promote == "none" or not (is_ufunc or not operator.formulas):
            self.kernel = None
            return
        self.cls = node_class(operator) if len(operator.formulas) == 2 else None
        # For each operand that may need a gradient: is the tensor, number, result or nothing
        # saved?
        self.saves = [
            [self.what(operator, mine, name) for name in operator.saved]
            for mine in operator.operands
            if operator.formulas
        ]

    @staticmethod
    def what(operator: Operator, mine: str, name: str) -> int:
        """0 for nothing, 1 for the tensor, 2 for the number, 3 for the result."""
        if name not in operator.uses[mine]:
            return 0
        return 1 if name == mine else 2 if name in operator.operands else 3


def plan_of(operator: Operator) -> Plan | None:
    """The plan of an operator whose second operand may be a number, else None."""
    plan = Plan(operator)
    return plan if plan.kernel is not None else None


def second_number(plan: Plan, tensor: Any, number: Any, general: Any) -> Any:
    """`x * 2`, called by the wrapper when the second operand is a float or an int."""
    state = thread.state
    try:
        needs = tensor._requires_grad
        if needs is ASK or state.mode > 1:
            return general(plan.operator, tensor, number)
        array = tensor._array
    except AttributeError:
        return general(plan.operator, tensor, number)
    if plan.cls is None:
        return cut_off(plan, tensor, state.quiet(plan.kernel, array, number))
    known = SINGLES if array.dtype is SINGLE else DOUBLES
    operand = known.get(number)
    if operand is None:
        operand = remember(known, number, array.dtype)
    quiet = state.quiet
    made = quiet(plan.kernel, array, operand)
    out = new(plan.tensor)
    out._array = made if made.__class__ is ndarray else np.asarray(made)
    out._counter = state.fresh
    out._nr, out._cut, out._requires_grad = 0, None, False
    if needs and state.mode:
        record(plan, out, tensor, number, 0)
    elif needs:
        out._cut = "no_grad"
    elif tensor._cut is not None:
        out._cut = tensor._cut
    return out


# Numbers as arrays of no dimensions: NumPy computes with these 0.25 us faster.
SINGLE = np.dtype(np.float32)
SINGLES: dict[float, Any] = {}
DOUBLES: dict[float, Any] = {}


def remember(known: dict[float, Any], number: float, kind: Any) -> Any:
    """The number as an operand of this plain dtype; NumPy's own way where it is not usual."""
    if not number or not -(2**53) < number < 2**53:  # 0 and -0 are the same key
        return number
    if len(known) >= 1000:
        known.clear()
    known[number] = np.array(number, kind)
    return known[number]


def with_number(operator: Operator, args: tuple[Any, ...]) -> Any:
    """The result where this is such a call, else None."""
    plan = _plans.get(operator)
    if plan is None:
        plan = _plans[operator] = Plan(operator)
    if plan.kernel is None:
        return None
    first, second = args
    place = 0 if second.__class__ is float or second.__class__ is int else 1
    tensor, number = (first, second) if place == 0 else (second, first)
    if number.__class__ not in (float, int) or not isinstance(tensor, TensorBase):
        return None
    if place and not plan.both:
        return None
    needs, state = tensor._requires_grad, thread.state
    if state.mode > 1:
        return None
    array = tensor._array
    if needs is ASK:
        return unrecorded_number(plan, tensor, number, place)
    pair = (array, number) if place == 0 else (number, array)
    made = state.quiet(plan.kernel, *pair)
    if plan.cls is None:
        return cut_off(plan, tensor, made)
    out = new(plan.tensor)
    out._array = made if made.__class__ is ndarray else np.asarray(made)
    out._counter = state.fresh
    if needs and state.mode:
        record(plan, out, tensor, number, place)
    elif needs:
        out._cut = "no_grad"
    elif tensor._cut is not None:
        out._cut = tensor._cut
    return out


def unrecorded_number(plan: Plan, tensor: Any, number: Any, place: int) -> Any:
    """The same for a tensor of any dtype that the number does not change, without a gradient."""
    state, array = thread.state, tensor._array
    kind = array.dtype
    if tensor.__class__ is not plan.tensor or (state.mode and requires(tensor)):
        return None
    kernel = plan.kernel
    if kind.kind != "f":
        kernel = getattr(raw, plan.operator.name)  # the plain kernel is for floating point only
        whole = number.__class__ is int and plan.operator.promote == "operands"
        if kernel.__class__ is not np.ufunc or not (
            kind.kind == "c" or (kind.kind in "iu" and whole)
        ):
            return None
    elif kind.char == "e":
        return None
    try:
        made = state.quiet(kernel, *((array, number) if place == 0 else (number, array)))
    except OverflowError:  # a number beyond the dtype
        return None
    return cut_off(plan, tensor, made) if plan.cls is None or made.dtype is kind else None


def cut_off(plan: Plan, tensor: Any, made: Any) -> Any:
    """A result without history (Note [Cut])."""
    out = wrap(made)
    if tensor._cut is not None or tensor._requires_grad is not False:
        out._cut = cause(plan.operator.name, tensor)
    return out


def record(plan: Plan, out: Any, tensor: Any, number: Any, place: int) -> None:
    """Gives the result its node."""
    cls: Any = plan.cls
    node = cls()
    edge = tensor._node or gradient_edge(tensor)
    node._next = (edge, None) if place == 0 else (None, edge)
    if tensor._nr:
        node._nrs = (tensor._nr, 0) if place == 0 else (0, tensor._nr)
    saved: list[Any] = []
    for what in plan.saves[place]:
        if what == 0:
            saved += (None, 0)
        elif what == 1:
            saved += (tensor, tensor._counter.value)
        elif what == 2:
            saved += (Number(number), 0)
        else:
            saved += (out._array, None)
    node._saved = tuple(saved)
    node._shape = out._array.shape
    node._dtype = out._array.dtype
    node._sequence = next_sequence()
    out._requires_grad = True
    out._node = node
