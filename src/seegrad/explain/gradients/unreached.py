"""A program that has a backward() and never gets to it: the line that stands in the way."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from seegrad.explain.gradients.causes import Cause
from seegrad.explain.places import Place
from seegrad.explain.session import Session
from seegrad.explain.source.sources import called_name, tree_of
from seegrad.explain.source.statements import statements_of, within

__all__ = ["unreached"]

# Methods of tensors that people ask for the truth, and forget to call.
ASKED = frozenset(["isnan", "isinf", "isfinite", "any", "all", "is_floating_point", "numel"])


Scope = ast.Module | ast.FunctionDef
Blocks = list[tuple[list[ast.stmt], ast.stmt]]


class Way(NamedTuple):
    """How the program gets to its backward(): the function it stands in, and the blocks there."""

    call: ast.Call
    scope: Scope
    blocks: Blocks  # each with the statement that leads there


def unreached(session: Session) -> Cause | None:
    """Why no pass ran, although the program has a backward() that comes before its end."""
    places = known_places(session)
    for place in places:
        tree = tree_of(place.file)
        ways = list(ways_in(tree)) if tree is not None else []
        end = next((one.place for one in session.frames() if one.place.file == place.file), None)
        for way in ways:
            if tree is not None and is_before(way, tree, end):
                return cause_of(way, tree, place)
    return None


def known_places(session: Session) -> list[Place]:
    """A line of each file that is known of the program."""
    found = [frame.place for frame in session.frames()]
    found += [one.place for one in session.watch.seen.optimizers if one.place is not None]
    found += [one.place for one in session.record.exits if one.place is not None]
    return list({place.file: place for place in reversed(found)}.values())


def ways_in(tree: ast.Module) -> Iterator[Way]:
    """The calls of backward() in a file."""

    def walk(scope: Scope, block: list[ast.stmt], above: Blocks) -> Iterator[Way]:
        for one in block:
            here = [*above, (block, one)]
            for node in within(one):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "backward":
                    yield Way(node, scope, here)
            inner = one if isinstance(one, ast.FunctionDef) else scope
            for name in ("body", "orelse", "finalbody"):
                if isinstance(one, ast.ClassDef) or inner is one:
                    yield from walk(inner, getattr(one, name, []), [])
                else:
                    yield from walk(scope, getattr(one, name, []), here)

    yield from walk(tree, tree.body, [])


def is_before(way: Way, tree: ast.Module, end: Place | None) -> bool:
    """Whether the program would have run it before the line of its own on which it ended."""
    if isinstance(way.scope, ast.Module):
        return end is None or way.call.lineno < end.line
    names = {way.scope.name}
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    for _ in range(4):
        names |= {one.name for one in functions if names & called(one)}
    lines = [one.lineno for one in tree.body if not is_definition(one) and names & called(one)]
    if end is None or not lines:  # nobody calls it: that matters where an assertion failed
        return bool(lines) or end is not None
    return min(lines) <= end.line


def called(statement: ast.stmt) -> set[str]:
    """The names of the functions and methods that a statement calls, those inside included."""
    return {called_name(node) for node in ast.walk(statement) if isinstance(node, ast.Call)}


def is_definition(statement: ast.stmt) -> bool:
    """Whether a statement defines something, and runs nothing."""
    return isinstance(statement, (ast.FunctionDef, ast.ClassDef))


def cause_of(way: Way, tree: ast.Module, place: Place) -> Cause:
    """The line in the way: a generator that nobody goes through, a method that is not called."""
    kind = "backward-never-ran"
    for node in ast.walk(tree):
        test = node.test if isinstance(node, (ast.If, ast.IfExp, ast.While)) else None
        if isinstance(test, ast.UnaryOp):
            test = test.operand
        if isinstance(test, ast.Attribute) and test.attr in ASKED:
            line = Place(place.code, test.lineno)
            return Cause(kind, line, call=test.attr, saying="backward-method-not-called")
    if isinstance(way.scope, ast.FunctionDef) and is_generator(way.scope):
        for one in statements_of(tree):
            call = one.value if isinstance(one, ast.Expr) else None
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == way.scope.name:
                line = Place(place.code, one.lineno)
                return Cause(kind, line, call=way.scope.name, saying="backward-in-generator")
    for block, statement in reversed(way.blocks):
        for one in reversed(block[: block.index(statement)]):
            if isinstance(one, ast.If) and isinstance(one.body[-1], (ast.Return, ast.Continue)):
                return Cause(kind, Place(place.code, one.lineno), saying="backward-behind-return")
    return Cause(kind, Place(place.code, way.call.lineno), saying="backward-not-reached")


def is_generator(function: ast.FunctionDef) -> bool:
    """Whether a function yields."""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function))
