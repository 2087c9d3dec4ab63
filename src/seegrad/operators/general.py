"""The one slow and complete path of every operator (Note [Two doors]).

Numbers as operands, promotion, half precision, complex, views that ask, lists of tensors, several
outputs, shapes that do not fit: all of it is here, once.
"""

import sys
from typing import Any

import numpy as np

from seegrad.arrays import raw
from seegrad.arrays.dtypes import from_numpy, get_default_dtype
from seegrad.arrays.promotion import plain_number, result_dtype
from seegrad.arrays.refusals import EMPTY_TAKEN, REFUSED, need_kind
from seegrad.graph.asked import QUIET, arm, ask, asked_among, found_asked, is_asking, symbol
from seegrad.graph.cuts import carry
from seegrad.graph.levels import LEVELS
from seegrad.graph.node import Node
from seegrad.graph.recorded import recorded
from seegrad.graph.saved import pack_results
from seegrad.graph.state import ASK, thread
from seegrad.graph.tensor import (
    PLAIN,
    TensorBase,
    needs_care,
    new_tensor,
    requires,
    set_requires,
    wrap,
)
from seegrad.graph.versions import is_inference
from seegrad.graph.views import Kind, attach, own_history, piece, refuse_stale
from seegrad.operators.forward import carry_tangents, tie_tangents
from seegrad.operators.nodes import HALF, careful, make_node, node_class
from seegrad.operators.numbers import with_number
from seegrad.operators.signatures import SIGNATURES, TENSOR_FIRST, invalid_combination, type_name
from seegrad.operators.unrecorded import unrecorded
from seegrad.rules.spec import Operator

__all__ = ["compute", "for_symbol", "general", "is_plain", "views_of"]

NUMBERS = (bool, int, float, complex, np.number, np.bool_)
OPERANDS = (TensorBase, *NUMBERS)
# Where PyTorch makes a normal tensor of a number, and where it copies into one.
NUMBER_IS_TENSOR = frozenset({"add", "sub", "mul", "div"})
COPIES = frozenset({"clone", "to_copy"})


def is_half(kind: "np.dtype[Any]") -> bool:
    """Whether a dtype is one of half precision."""
    return kind in HALF


def general(operator: Operator, *args: Any) -> Any:
    """Computes `operator` on `args` (all its parameters) and records it where that is wanted."""
    state = thread.state
    if state.mode < 2 and not LEVELS.open:
        quick = unrecorded(operator, args, state)
        if quick is not None:
            return quick
        if state.mode and (plain := without_views(operator, args)) is not None:
            return getattr(recorded, operator.name)(*plain)
    if len(args) == 2:
        if operator.name in TENSOR_FIRST and isinstance(args[0], NUMBERS):
            raise invalid_combination(operator.name, *args)
        quick = None if LEVELS.open else with_number(operator, args)
        if quick is not None:
            return quick
    values = dict(zip(operator.parameters, args, strict=True))
    try:
        check_operands(operator, values)
    except TypeError:
        function: Any = sys._getframe(1).f_globals.get("FUNCTION")
        if found_asked(function, args):
            return function(*args)
        raise
    arrays = compute(operator, values)
    if operator.many:
        return finish_list(operator, values, [wrap(a) for a in arrays])
    outs = [wrap(a) for a in (arrays if len(operator.outputs) > 1 else (arrays,))]
    named = dict(zip(operator.outputs, outs, strict=True))
    needs = wanted(operator, values) if outs[0]._array.dtype.kind not in "iub" else {}
    node = None
    if not needs:
        carry(operator.name, args, outs)
    else:
        node = make_node(operator, class_for(operator, values, outs[0]), values, needs, named)
        if operator.several:
            share(node, [named[name] for name in operator.gradients])
        else:
            node._shape, node._dtype = outs[0]._array.shape, outs[0]._array.dtype
            set_requires(outs[0], True)
            outs[0]._node = node
        if thread.state.hooks:
            pack_results(node, thread.state.hooks[-1])
    if LEVELS.open:
        carry_tangents(operator, values, outs)
        tie_tangents(node, [named[name] for name in operator.gradients])
    return outs[0] if len(outs) == 1 else tuple(outs)


def without_views(operator: Operator, args: tuple[Any, ...]) -> list[Any] | None:
    """The arguments with what asks for its base's sake only made plain, None where more asks.

    A slice of the data, a gradient spread over a shape: views without a history, whose base
    requires no gradient. A tensor of the same memory and counter goes the quick way for them.
    """
    found = None
    for place, value in enumerate(args):
        if not isinstance(value, TensorBase):
            if isinstance(value, (list, tuple)) and operator.variadic:
                return None
            continue
        if value._requires_grad is not ASK:
            continue
        if needs_care(value) or value._view is None or requires(value) or value._shared:
            return None
        plain = new_tensor()
        plain._array, plain._counter, plain._cut = value._array, value._counter, value._cut
        plain._requires_grad = False
        found = list(args) if found is None else found
        found[place] = plain
    return found


def for_symbol(operator: Operator, *args: Any) -> Any:
    """As `general` for `a * b`: other operands get their turn, arrays too.

    NumPy then computes `tensor * array` and gives the result to `__array_wrap__`.
    """
    state = thread.state
    if state.mode < 2 and not state.asked_modes and not LEVELS.open:
        quick = unrecorded(operator, args, state)
        if quick is None and len(args) == 2:
            quick = with_number(operator, args)
        if quick is not None:
            return quick
        if state.mode and (plain := without_views(operator, args)) is not None:
            return getattr(recorded, operator.name)(*plain)
    if not QUIET.issuperset(map(type, args)) and is_asking():
        asked = asked_among(args)
        if asked:
            arm()
            return ask(symbol(operator.name), asked, args, {})
    if operator.name == "eq":  # the one symbol that takes arrays
        args = tuple(map(array_as_tensor, args))
    if any(not isinstance(arg, OPERANDS) for arg in args):
        return NotImplemented
    if not isinstance(args[0], TensorBase):
        name = operator.name.removeprefix("bitwise_")
        raise TypeError(
            f"descriptor '__r{name}__' for 'torch._C.TensorBase' objects doesn't apply to a "
            f"'{type(args[0]).__name__}' object"
        )
    return general(operator, *args)


def array_as_tensor(value: Any) -> Any:
    """An array as a tensor where there are tensors of its type; anything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    try:
        from_numpy(value.dtype)
    except TypeError:
        return value
    return wrap(value.view(np.ndarray))


def check_operands(operator: Operator, values: dict[str, Any]) -> None:
    """Operands are tensors, numbers or None."""
    if not any(isinstance(values[name], (TensorBase, list, tuple)) for name in operator.operands):
        raise not_a_tensor(operator, 0, values[operator.operands[0]], tuple(values.values()))
    for position, name in enumerate(operator.operands):
        value = values[name]
        if isinstance(value, TensorBase) or value is None or isinstance(value, NUMBERS):
            continue
        if operator.variadic or (operator.promote == "none" and isinstance(value, (tuple, list))):
            continue
        raise not_a_tensor(operator, position, value)


def not_a_tensor(
    operator: Operator, position: int, value: Any, args: tuple[Any, ...] = ()
) -> TypeError:
    """PyTorch's error for an operand that is no tensor; `args` where none of them is one."""
    known = operator.name.removesuffix("_scalar").removesuffix("_other")
    if known in SIGNATURES and len(args) == 2:
        return invalid_combination(known, *args)
    name = operator.operands[position].replace("self", "input")
    return TypeError(
        f"{operator.name}(): argument '{name}' (position {position + 1}) must be Tensor, not "
        f"{type_name(value)}"
    )


def differentiable(operator: Operator, values: dict[str, Any]) -> list[Any]:
    """The values of the operands that have a gradient."""
    if operator.variadic:
        return list(values[operator.operands[0]])
    return [values[name] for name in operator.formulas]


def wanted(operator: Operator, values: dict[str, Any]) -> dict[str, Any]:
    """Which operands need a gradient now; empty when nothing is recorded."""
    if thread.state.mode == 0 or not operator.formulas:
        return {}
    if operator.variadic:
        tensors = values[operator.operands[0]]
        flags = [requires(t) for t in tensors]
        if not any(flags) or all(is_inference(t) for t in tensors):
            return {}
        return {operator.operands[0]: True, "each": flags}
    needs = {
        name: isinstance(values[name], TensorBase) and requires(values[name])
        for name in operator.formulas
    }
    return needs if any(needs.values()) and not only_inference(operator, values) else {}


def only_inference(operator: Operator, values: dict[str, Any]) -> bool:
    """Whether all operands are inference tensors, of which PyTorch's autograd is not told."""
    found = [values[name] for name in operator.operands]
    if operator.name in COPIES:
        return False
    if operator.name in NUMBER_IS_TENSOR and not all(isinstance(v, TensorBase) for v in found):
        return False
    return all(is_inference(v) for v in found if isinstance(v, TensorBase))


def is_plain(tensors: list[Any]) -> bool:
    """Whether all these have one and the same plain dtype (numbers and None do not count)."""
    kinds = {t._array.dtype for t in tensors if isinstance(t, TensorBase)}
    return len(kinds) == 1 and kinds <= PLAIN


def class_for(operator: Operator, values: dict[str, Any], out: Any) -> type[Node]:
    """The node class, or its careful twin."""
    cls = node_class(operator)
    return cls if is_plain([*differentiable(operator, values), out]) else careful(cls)


def compute(operator: Operator, values: dict[str, Any]) -> Any:
    """The kernel's result on the operands, promoted as the operator says."""
    kernel = getattr(raw, operator.name)
    # NumPy's scalars are not weak as Python's numbers are.
    values = {n: plain_number(v) if isinstance(v, np.generic) else v for n, v in values.items()}
    narrow = None
    for name in operator.operands:
        values[name] = raw_value(values[name])
    if operator.name in REFUSED:
        refuse_kinds(operator, values)
    if operator.promote != "none":
        narrow = promote(operator, values)
    elif operator.wide:
        narrow = widen(operator, values)
    try:
        result = thread.state.quiet(kernel, *values.values())
    except ValueError as error:
        raise explained(operator, values, error) from None
    return result if narrow is None else rounded(result, narrow)


def refuse_kinds(operator: Operator, values: dict[str, Any]) -> None:
    """Raises for types that PyTorch's kernel was not written for."""
    operands = [values[n] for n in operator.operands if values[n] is not None]
    if operator.name in EMPTY_TAKEN and any(one.size == 0 for one in operands):
        return
    kind = operands[0].dtype if operator.promote == "none" else result_dtype(operands)
    need_kind(kind, *REFUSED[operator.name])


def raw_value(value: Any) -> Any:
    """Arrays of tensors, also inside lists and tuples; anything else as it is."""
    if isinstance(value, TensorBase):
        return value._array
    if isinstance(value, (list, tuple)):
        return type(value)(raw_value(v) for v in value) if type(value) in (list, tuple) else (
            tuple(raw_value(v) for v in value)
        )  # fmt: skip
    return value


def promote(operator: Operator, values: dict[str, Any]) -> Any:
    """Casts the operands to their common dtype, in place in `values`; what to round to, if any."""
    names = list(operator.formulas) or list(operator.operands)
    present = [n for n in names if values[n] is not None]
    if not operator.bools:
        refuse_bools([values[n] for n in present])
    common = result_dtype([values[n] for n in present])
    if operator.promote == "float" and common.kind in "biu":
        common = get_default_dtype().numpy
    narrow = common if is_half(common) and operator.result != "bool" else None
    if is_half(common) and operator.result == "bool" and values.get("other") is not None:
        # Compared in half precision: a number is rounded first.
        other = thread.state.quiet(np.asarray(values["other"]).astype, common)
        values["other"] = other.astype(np.float32)
    width = np.dtype(np.float32) if is_half(common) else common
    for name in present:
        values[name] = thread.state.quiet(np.asarray(values[name]).astype, width, copy=False)
    return narrow


def refuse_bools(values: list[Any]) -> None:
    """Raises for a bool tensor beside other types; the kernel refuses two of them itself."""
    bools = [isinstance(v, bool) or getattr(v, "dtype", None) == np.bool_ for v in values]
    if any(bools) and not all(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
            "trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )


def widen(operator: Operator, values: dict[str, Any]) -> Any:
    """Half precision in float32, so that kernels accumulate wide; what to round to, if any.

    Where half stands beside another type it stays, for the kernel to refuse.
    """
    narrow = None
    if len(floating_kinds(operator, values)) > 1:
        return None
    for name in operator.operands:
        found = values[name]
        items = found if isinstance(found, (list, tuple)) else [found]
        halves = [a for a in items if isinstance(a, np.ndarray) and is_half(a.dtype)]
        if not halves:
            continue
        narrow = narrow or halves[0].dtype
        cast = [to_float32(a) for a in items]
        values[name] = type(found)(cast) if isinstance(found, (list, tuple)) else cast[0]
    return narrow


def floating_kinds(operator: Operator, values: dict[str, Any]) -> "set[np.dtype[Any]]":
    """The floating types among the operands."""
    found = [values[name] for name in operator.operands]
    arrays = [a for v in found for a in (v if isinstance(v, (list, tuple)) else [v])]
    kinds = {a.dtype for a in arrays if isinstance(a, np.ndarray)}
    return {kind for kind in kinds if kind.kind == "f" or is_half(kind)}


def to_float32(value: Any) -> Any:
    """A half-precision array in float32."""
    if isinstance(value, np.ndarray) and is_half(value.dtype):
        return value.astype(np.float32)
    return value


def rounded(result: Any, narrow: Any) -> Any:
    """float32 results back in half precision; indices and masks stay."""
    if isinstance(result, (tuple, list)):
        return type(result)(rounded(r, narrow) for r in result)
    # What is too large becomes infinite, without a word.
    return thread.state.quiet(result.astype, narrow) if result.dtype == np.float32 else result


def explained(operator: Operator, values: dict[str, Any], error: ValueError) -> Exception:
    """PyTorch's sentence for operands that do not broadcast, else the error itself."""
    arrays = [np.asarray(values[n]) for n in operator.operands if values[n] is not None]
    if operator.kind not in ("elementwise", "constant") or "broadcast" not in str(error):
        return error
    first = arrays[0].shape
    for other in (a.shape for a in arrays[1:]):
        depth = max(len(first), len(other))
        a, b = (1,) * (depth - len(first)) + first, (1,) * (depth - len(other)) + other
        for dim in reversed(range(depth)):
            if a[dim] != b[dim] and 1 not in (a[dim], b[dim]):
                return RuntimeError(
                    f"The size of tensor a ({a[dim]}) must match the size of tensor b ({b[dim]}) "
                    f"at non-singleton dimension {dim}"
                )
        first = tuple(max(x, y) if 0 not in (x, y) else 0 for x, y in zip(a, b, strict=True))
    return error


def views_of(operator: Operator, self: TensorBase, *args: Any) -> Any:
    """The several views that `split` and `unbind` make, with one node."""
    try:
        arrays = getattr(raw, operator.name)(self._array, *args)
    except Exception:
        refuse_stale(self)
        raise
    mode = thread.state.mode
    outs = [new_tensor() for _ in arrays]
    views = []
    shape = self._array.shape
    for index, (out, array) in enumerate(zip(outs, arrays, strict=True)):
        out._array = array
        step = piece(operator, (*args, shape), index, arrays)
        views.append(attach(out, self, step, Kind.MULTI))
    attached = [view for view in views if view is not None]
    if mode and attached and requires(self):
        values = dict(zip(operator.parameters, (self, *args), strict=True))
        cls = class_for(operator, values, self)
        node = make_node(operator, cls, values, {"self": True}, {})
        several(node, outs)
        for nr, (out, view) in enumerate(zip(outs, attached, strict=True)):
            own_history(out, view, node, nr)
    return tuple(outs)


def several(node: Node, outs: list[Any]) -> None:
    """Tells a node of several outputs what gradients to expect."""
    node._outputs = len(outs)
    node._shape = None
    node._shapes = tuple(o._array.shape for o in outs)
    node._dtypes = tuple(o._array.dtype for o in outs)


def finish_list(operator: Operator, values: dict[str, Any], outs: list[Any]) -> Any:
    """Records an operator whose outputs are a list."""
    needs = wanted(operator, values)
    if needs:
        cls = class_for(operator, values, outs[0])
        share(make_node(operator, cls, values, needs, {}), outs)
    if LEVELS.open:
        carry_tangents(operator, values, outs)
    return tuple(outs)


def share(node: Node, outs: list[Any]) -> None:
    """Gives the outputs their common node."""
    several(node, outs)
    for nr, out in enumerate(outs):
        set_requires(out, True)
        out._node, out._nr = node, nr
