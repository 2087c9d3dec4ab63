"""Every rule becomes an operator here: stubs now, generated code at the first call.

A stub replaces its own `__code__` when it is called first (1.7 ms each; 400 at import would cost
0.7 s), so whoever holds the function holds the fast one afterwards.
"""

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays import raw
from seegrad.graph.cuts import carry
from seegrad.graph.node import next_sequence
from seegrad.graph.state import ASK, thread
from seegrad.graph.tensor import PLAIN, requires, tensor_class, wrap
from seegrad.graph.versions import NEVER, bump
from seegrad.graph.views import (
    Kind,
    attach,
    gradient_edge,
    own_history,
    refuse_stale,
    special,
    unrecorded_kind,
)
from seegrad.operators.general import for_symbol, general, views_of
from seegrad.operators.inplace import inplace, is_own, is_separate
from seegrad.operators.nodes import build, careful, node_class
from seegrad.operators.numbers import SIMPLE, plan_of, second_number
from seegrad.operators.recording import fill
from seegrad.operators.source import (
    node_source,
    signature,
    takes_number,
    twin_source,
    variadic_source,
    view_source,
    wrapper_source,
)
from seegrad.rules.spec import REGISTRY, Operator

__all__ = ["SCOPES", "register_all", "source_of"]

Function = Callable[..., Any]

# What a kernel or an operand that does not fit raises; the general path then says why.
UNFIT = (AttributeError, ValueError, TypeError)


# Operators that Python writes with a symbol. `x * other` differs from `mul(x, other)` where
# `other` is neither tensor nor number: an array is taken, anything else has its method asked.
SYMBOLS = frozenset(
    {"add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge"}
    | {"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"}
)
WRITING_SYMBOLS = SYMBOLS | {"floor_divide"}  # `x //= 2`


# The globals of all functions of an operator, by its name: what they call can be exchanged there.
SCOPES: dict[str, list[dict[str, Any]]] = {}


def stub(*args, **kwargs):  # type: ignore[no-untyped-def]
    return first_call(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821


def text_of(operator: Operator) -> str:
    """The source of an operator's function."""
    rest = ", ".join(operator.parameters)
    if operator.kind == "view" and not operator.many:
        return view_source(operator)
    if operator.kind == "view":
        return (
            f"def {operator.name}({signature(operator)}):\n    return views_of(OPERATOR, {rest})\n"
        )
    if operator.variadic:
        return variadic_source(operator)
    if operator.several or operator.result == "other":
        return (
            f"def {operator.name}({signature(operator)}):\n    return general(OPERATOR, {rest})\n"
        )
    return wrapper_source(operator, takes_number(operator) and plan_of(operator) is not None)


def twin_text(operator: Operator) -> str:
    """The source of the in-place twin."""
    return twin_source(operator, isinstance(raw.plain_kernel(operator.name), np.ufunc))


def scope_of(operator: Operator) -> dict[str, Any]:
    """The globals of an operator's generated function."""
    return {
        "ASK": ASK, "OPERATOR": operator, "UNFIT": UNFIT, "asarray": np.asarray, "NEVER": NEVER,
        "NUMBERS": SIMPLE, "PLAIN": PLAIN, "USUAL": Kind.USUAL, "attach": attach, "bump": bump,
        "carry": carry, "general": general, "gradient_edge": gradient_edge,
        "inplace": inplace, "is_own": is_own, "is_separate": is_separate, "ndarray": np.ndarray,
        "new": object.__new__, "next_sequence": next_sequence, "nothing": type(None),
        "own_history": own_history, "refuse_stale": refuse_stale, "requires": requires,
        "second_number": second_number, "special": special, "thread": thread,
        "unrecorded_kind": unrecorded_kind, "views_of": views_of, "wrap": wrap,
    }  # fmt: skip


def make_stub(
    operator: Operator,
    name: str,
    text: Callable[[Operator], str],
    general: Function = general,
    symbol: bool = False,
) -> Function:
    """A function that compiles itself when it is first called."""
    scope = scope_of(operator)
    function = types.FunctionType(stub.__code__, scope, name)

    def first_call(*args: Any, **kwargs: Any) -> Any:
        found = scope["FUNCTION"]  # another one where this one was armed (Note [Asked])
        if found.__code__ is stub.__code__:
            complete(operator, found, text(operator), scope)
        return found(*args, **kwargs)

    def again() -> Function:
        return make_stub(operator, name, text, general, symbol)

    scope |= {"FUNCTION": function, "first_call": first_call, "again": again, "general": general}
    scope["SYMBOL"] = symbol  # of a twin: whether `x += y` is meant
    function.__module__ = "seegrad.operators"
    function.__qualname__ = name
    SCOPES.setdefault(operator.name, []).append(scope)
    return function


def complete(operator: Operator, function: Any, text: str, scope: dict[str, Any]) -> None:
    """Gives a stub its code."""
    scope["Tensor"] = tensor_class()
    if takes_number(operator):
        scope["PLAN"] = plan_of(operator)
    scope["kernel"] = raw.plain_kernel(operator.name)
    if operator.formulas:
        scope[operator.node] = node_class(operator)
        scope["Careful"] = careful(scope[operator.node])
    function.__code__, function.__defaults__ = compiled(function.__name__, text)


@functools.cache
def compiled(name: str, text: str) -> tuple[types.CodeType, tuple[Any, ...] | None]:
    """Code and defaults of a function from its text; all of one name have the same."""
    made: dict[str, Any] = {}
    build(text, name, made)
    return made[name].__code__, made[name].__defaults__


def register_all() -> None:
    """Fills the recorded namespace with every operator of the table and its in-place twin."""
    functions: dict[str, Any] = {}
    for operator in REGISTRY.values():
        functions[operator.name] = make_stub(operator, operator.name, text_of)
        if operator.name in SYMBOLS:
            symbol = make_stub(operator, operator.name, text_of, for_symbol)
            functions[f"symbol_{operator.name}"] = symbol
        if operator.inplace:
            name = operator.name + "_"
            functions[name] = make_stub(operator.written or operator, name, twin_text)
            if operator.name in WRITING_SYMBOLS:
                twin = operator.written or operator
                functions[f"symbol_{name}"] = make_stub(twin, name, twin_text, symbol=True)
    fill(functions)


def source_of(name: str) -> str:
    """The generated source of an operator: its function, and its node class.

    Raises KeyError for a name that is not in the table.
    """
    if name not in REGISTRY:
        raise KeyError(f"there is no operator named {name!r}")
    operator = REGISTRY[name]
    return "\n\n".join(
        [text_of(operator)] + ([node_source(operator)] if operator.formulas else [])
    )
