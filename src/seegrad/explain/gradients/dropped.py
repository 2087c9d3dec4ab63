"""Where the result of a layer is dropped: overwritten before it is read, or read by nobody."""

import ast
from typing import Any

from seegrad.explain.places import Place
from seegrad.explain.session import Session
from seegrad.explain.source.sources import tree_of
from seegrad.explain.source.statements import (
    headed,
    loads,
    names_in,
    statements_of,
    stores,
    within,
)
from seegrad.nn.modules.module import Module

__all__ = ["dropped_at"]


def dropped_at(tensor: Any, session: Session) -> Place | None:
    """The line of a method that drops what a parameter went into; None where none is found."""
    modules = [module for ref in session.watch.seen.modules if (module := ref()) is not None]
    home = home_of(tensor, modules)
    code = getattr(type(home[0]).forward, "__code__", None) if home is not None else None
    if home is None or code is None:
        return None
    kind, attribute = type(home[0]).__name__, home[1]
    for method in methods_of(kind, code.co_filename):
        line = line_that_drops(method, attribute)
        if line is not None:
            return Place(code, line)
    return None


def home_of(tensor: Any, modules: list[Module]) -> tuple[Module, str] | None:
    """The module of the program's own class around a parameter, and the attribute it is in."""
    found = next(
        ((m, n) for m in modules for n, value in m._parameters.items() if value is tensor), None
    )
    while found is not None and type(found[0]).__module__.startswith("seegrad."):
        inner = found[0]
        found = next(((m, n) for m in modules for n, v in m._modules.items() if v is inner), None)
    return found


def methods_of(kind: str, file: str) -> list[ast.FunctionDef]:
    """The methods of a class that may use its layers."""
    tree = tree_of(file)
    return [
        method
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.ClassDef) and node.name == kind
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name != "__init__"
    ]


def line_that_drops(method: ast.FunctionDef, attribute: str) -> int | None:
    """Follows the one value that comes of `self.attribute` to where it is lost."""
    statements = sorted(statements_of(method), key=lambda one: one.lineno)
    using = [one for one in statements if any(is_own(n, attribute) for n in within(one))]
    current = using[0] if len(using) == 1 else None
    seen: set[int] = set()
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        if isinstance(current, ast.Expr):
            return current.lineno
        if not isinstance(current, ast.Assign) or is_looped(current, statements):
            return None
        names = stores(current)
        if not names or names != names_in(headed(current), stored=True):
            return None  # an attribute or an element is set: others may read it
        later = [one for one in statements if one.lineno > current.lineno]
        readers = [one for one in later if names & loads(one)]
        anew = next((one for one in later if names <= stores(one)), None)
        first = readers[0].lineno if readers else None
        if anew is not None and (first is None or anew.lineno < first):
            return anew.lineno if is_beside(current, anew, method) else None
        if not readers:
            return current.lineno
        current = readers[0] if len(readers) == 1 else None
    return None


def is_own(node: ast.AST, attribute: str) -> bool:
    """Whether this is `self.attribute`."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == attribute
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def is_looped(statement: ast.stmt, statements: list[ast.stmt]) -> bool:
    """Whether a statement stands in a loop, in whose next round its value may be read."""
    return any(
        isinstance(one, (ast.For, ast.While)) and statement in list(ast.walk(one))
        for one in statements
    )


def is_beside(one: ast.stmt, other: ast.stmt, method: ast.FunctionDef) -> bool:
    """Whether two statements stand in the same block, so that both run."""
    return any(
        one in block and other in block
        for node in ast.walk(method)
        for block in (getattr(node, "body", None), getattr(node, "orelse", None))
        if isinstance(block, list)
    )
