"""Whether a program expects a check to fail: `assert not check(...)`, an error that it catches.

Read from the text around the lines that called, the innermost first: the first one that says
anything decides.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from types import FrameType

from seegrad.explain.places import Place, is_foreign
from seegrad.explain.source import text as text_of
from seegrad.explain.source.sources import called_name
from seegrad.explain.source.statements import is_showing, names_in, statements_of, stores

__all__ = ["callers", "is_expected"]

# Contexts that want an error.
WANTING = frozenset(["raises", "assertRaises", "assertRaisesRegex", "suppress"])
FALSE = frozenset(["assertFalse", "assert_false"])
DEPTH = 4


def callers(depth: int) -> list[Place]:
    """The lines of the program that are being run, the innermost first."""
    found: list[Place] = []
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and len(found) < DEPTH:
        if not is_foreign(frame.f_code.co_filename):
            found.append(Place(frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return found


def is_expected(places: Iterable[Place], raised: bool) -> bool:
    """Whether one of the lines wants a failure (`raised`: of an error), and none shows it."""
    for place in places:
        said = wants_error(place) if raised else wants_false(place)
        if said is not None:
            return said
    return False


def wants_error(place: Place) -> bool | None:
    """Whether the line is where an error is waited for; None where none is caught."""
    for node in around(place):
        if isinstance(node, ast.With):
            calls = [one.context_expr for one in node.items]
            if any(isinstance(one, ast.Call) and called_name(one) in WANTING for one in calls):
                return True
        elif isinstance(node, ast.Try) and any(
            text_of.covers(one, place.line) for one in node.body
        ):
            after = [one for one in node.body if one.lineno > place.line]
            if any(fails(one) for one in (*node.orelse, *after)):
                return True
            if node.handlers:
                inner = [one for handler in node.handlers for one in ast.walk(handler)]
                return not any(is_showing(one) or isinstance(one, ast.Raise) for one in inner)
    return None


def fails(statement: ast.stmt) -> bool:
    """Whether a statement gives up: it is reached only where nothing was raised."""
    if isinstance(statement, ast.Raise):
        return True
    if isinstance(statement, ast.Assert):
        return isinstance(statement.test, ast.Constant) and not statement.test.value
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and called_name(call) in ("fail", "exit")


def wants_false(place: Place) -> bool | None:
    """Whether the program goes on only if the call gave False; None where this does not say so."""
    statement = text_of.statement(place)
    if statement is None:
        return None
    if any(is_showing(node) for node in ast.walk(statement)):
        return False
    if isinstance(statement, ast.Assert):
        return True
    if isinstance(statement, ast.If):
        return isinstance(statement.test, ast.Call) and any(map(fails, statement.body))
    if any(isinstance(one, ast.Call) and called_name(one) in FALSE for one in ast.walk(statement)):
        return True
    names = stores(statement)
    users = [
        one
        for one in statements_of(text_of.scope(place))
        if one is not statement and names & names_in(heads(one))
    ]
    if any(is_showing(node) for one in users for node in heads(one, True)):
        return False
    return True if any(isinstance(one, ast.Assert) for one in users) else None


def heads(statement: ast.stmt, walked: bool = False) -> list[ast.AST]:
    """The expressions of a statement itself, with all that is in them if `walked`."""
    found = [one for one in ast.iter_child_nodes(statement) if isinstance(one, ast.expr)]
    return [inner for one in found for inner in ast.walk(one)] if walked else list(found)


def around(place: Place) -> Iterator[ast.With | ast.Try]:
    """The statements around a line in its function, the innermost first."""
    scope = text_of.scope(place)
    found = [
        node
        for node in ast.walk(scope)
        if isinstance(node, (ast.With, ast.Try)) and text_of.covers(node, place.line)
    ]
    return iter(sorted(found, key=lambda node: -node.lineno))
