"""What the source of the user's program says about a line: loops, assignments, handlers."""

import ast
import linecache
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from seegrad.explain.places import Place

__all__ = ["assignments", "called_name", "carried", "is_caught_by_name", "tree_of", "value_of"]


@lru_cache(maxsize=64)
def tree_of(file: str) -> ast.Module | None:
    """The syntax of a file, None where its source is not known."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None


def called_name(call: ast.Call) -> str:
    """The last name of what a call calls: "step" of `self.opt.step()`."""
    called = call.func
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def nodes_around(place: Place, kinds: Any) -> list[Any]:
    """The statements of some kinds that a line is inside of, the innermost first."""
    tree = tree_of(place.file)
    found = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, kinds) and node.lineno <= place.line <= (node.end_lineno or 0)
    ]
    return sorted(found, key=lambda node: -node.lineno)


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a block in their order, those of functions defined there left out."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for name in ("body", "orelse", "handlers", "finalbody"):
            yield from statements(getattr(statement, name, []))


def targets(statement: ast.stmt) -> set[str]:
    """The names and attributes that a statement assigns, as they are written."""
    if isinstance(statement, ast.Assign):
        found = statement.targets
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        found = [statement.target]
    else:
        return set()
    parts = [part for one in found for part in ast.walk(one)]
    return {ast.unparse(p) for p in parts if isinstance(p, (ast.Name, ast.Attribute))}


def loaded(tree: ast.AST) -> set[str]:
    """The names and attributes that are read."""
    found = {
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    }
    return found | (targets(tree) if isinstance(tree, ast.AugAssign) else set())


def carried(place: Place) -> dict[str, int]:
    """What the loops around a line carry from round to round: name -> line of its assignment.

    That is what is read in the loop before it is assigned there, or in the same statement.
    """
    found: dict[str, int] = {}
    for loop in nodes_around(place, (ast.For, ast.While, ast.AsyncFor)):
        read: set[str] = set()
        for statement in statements(loop.body):
            simple = not hasattr(statement, "body")
            if simple:
                read |= loaded(statement)
            for name in targets(statement) & read:
                found.setdefault(name, statement.lineno)
            if simple:
                read -= targets(statement) - loaded(statement)
    return found


def assignments(place: Place, name: str) -> list[int]:
    """The lines that assign a name in the function, or the module, that a line belongs to."""
    around = nodes_around(place, (ast.FunctionDef, ast.AsyncFunctionDef))
    tree = around[0] if around else tree_of(place.file)
    found = statements(tree.body) if tree is not None else ()
    return [statement.lineno for statement in found if name in targets(statement)]


def is_caught_by_name(place: Place) -> bool:
    """Whether a line stands in a `try` whose handler gives the error a name, as to print it."""
    for statement in nodes_around(place, (ast.Try,)):
        if any(part.lineno <= place.line <= (part.end_lineno or 0) for part in statement.body):
            return any(handler.name is not None for handler in statement.handlers)
    return False


def value_of(name: str, scope: Mapping[str, Any]) -> Any:
    """What a name or a chain of attributes stands for, None where that is nothing."""
    first, *attributes = name.split(".")
    value = scope.get(first)
    for attribute in attributes:
        value = getattr(value, "__dict__", {}).get(attribute)
    return value
