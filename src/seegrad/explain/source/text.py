"""What the text of the user's program says around a line."""

import ast
from collections.abc import Iterator
from types import CodeType

from seegrad.explain.places import Place
from seegrad.explain.source.sources import called_name, tree_of
from seegrad.explain.source.statements import scope_of, statement_at

__all__ = [
    "at",
    "calls_of",
    "consumed",
    "idle",
    "installed",
    "is_under_count",
    "last_assignment",
    "mentions",
    "spelled",
    "statement",
    "stores_of_key",
    "targets",
    "tree",
    "whole_numbers",
]


def tree(file: str) -> ast.Module:
    """The program in a file; an empty one where it cannot be read."""
    return tree_of(file) or ast.Module([], [])


def at(place: Place, line: int) -> Place:
    """Another line of the same file."""
    return Place(place.code, line)


def statement(place: Place) -> ast.stmt | None:
    """The innermost statement that covers a line, a loop's or a function's head included."""
    return statement_at(place.file, place.line)


def covers(node: ast.AST, line: int) -> bool:
    """Whether a line lies within a node."""
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is not None and last is not None and first <= line <= last


def scope(place: Place) -> ast.AST:
    """The innermost function around a line, or the whole program."""
    return scope_of(place.file, place.line) or tree(place.file)


def is_under_count(place: Place) -> bool:
    """Whether a line stands under `if (i + 1) % 4 == 0:`, or `if count == 4:`."""
    return any(
        isinstance(node, ast.If)
        and any(covers(one, place.line) for one in node.body)
        and any(isinstance(one, (ast.Mod, ast.Eq)) for one in ast.walk(node.test))
        for node in ast.walk(tree(place.file))
    )


def spelled(node: ast.AST) -> str | None:
    """`name` or `self.name` as it is written, None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def targets(node: ast.AST) -> list[str]:
    """What a statement gives a value to."""
    given: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        given = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        given = [node.target]
    return [name for one in given if (name := spelled(one)) is not None]


def last_assignment(name: str, place: Place) -> ast.stmt | None:
    """The last statement before a line, in its scope or at the top, that sets a name."""
    for around in (scope(place), tree(place.file)):
        found = [
            node
            for node in ast.walk(around)
            if isinstance(node, ast.stmt) and node.lineno < place.line and name in targets(node)
        ]
        if found:
            return max(found, key=lambda node: node.lineno)
    return None


def installed(place: Place) -> Place:
    """The line that puts what a line made into an object: `new = Linear(3, 3)`, `self.a = new`."""
    here = statement(place)
    made = {name for name in targets(here) if "." not in name} if here is not None else set()
    lines = [
        node.lineno
        for node in (ast.walk(scope(place)) if made else ())
        if isinstance(node, (ast.Assign, ast.Expr)) and node.lineno > place.line
        if any(isinstance(one, ast.Name) and one.id in made for one in put(node))
    ]
    return at(place, min(lines)) if lines else place


def put(node: ast.Assign | ast.Expr) -> list[ast.expr]:
    """What a statement puts into an object: `a.b = x`, `a[0] = x`, `setattr(a, "b", x)`."""
    value = node.value
    if isinstance(node, ast.Assign):
        kept = any(isinstance(one, (ast.Attribute, ast.Subscript)) for one in node.targets)
        return [value] if kept else []
    if not isinstance(value, ast.Call):
        return []
    return value.args if called_name(value) in INSTALLING else []


INSTALLING = frozenset(["setattr", "__setattr__", "add_module", "register_module"])
INSTALLING |= {"register_parameter", "set_submodule"}
SINGLE_USE = frozenset(
    ["parameters", "named_parameters", "filter", "map", "iter", "chain", "zip", "children"]
)


def is_single_use(node: ast.AST | None) -> bool:
    """Whether an expression makes an iterator that can be walked once."""
    if isinstance(node, ast.GeneratorExp):
        return True
    return isinstance(node, ast.Call) and called_name(node) in SINGLE_USE


def consumed(place: Place) -> tuple[str, Place] | None:
    """An iterator that the statement of a line uses, and the line that used it up before."""
    here = statement(place)
    if here is None:
        return None
    for node in ast.walk(here):
        name = spelled(node)
        made = None if name is None else last_assignment(name, Place(place.code, here.lineno))
        if name is None or made is None or not is_single_use(getattr(made, "value", None)):
            continue
        lines = [
            use.lineno
            for use in ast.walk(scope(place))
            if isinstance(use, (ast.Name, ast.Attribute)) and spelled(use) == name
            if isinstance(use.ctx, ast.Load)
            and (made.end_lineno or made.lineno) < use.lineno < here.lineno
        ]
        if lines:
            return name, at(place, min(lines))
    return None


def idle(attribute: str, file: str) -> list[int]:
    """The lines where a method is named as a statement of its own, and not called."""
    return [
        node.lineno
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == attribute
    ]


def mentions(attribute: str, place: Place) -> bool:
    """Whether the statement of a line, or one that made what it uses, reads an attribute."""
    here = statement(place)
    names = {name for node in ast.walk(here) if (name := spelled(node))} if here else set()
    made = [last_assignment(name, place) for name in names]
    return any(
        isinstance(node, ast.Attribute) and node.attr == attribute
        for one in [here, *made]
        if one is not None
        for node in ast.walk(one)
    )


def calls_of(attribute: str, file: str) -> Iterator[ast.Call]:
    """The calls of methods of a name."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == attribute:
                yield node


def whole_numbers(codes: list[CodeType]) -> Place | None:
    """The line of a function that rounds: `step // warmup`, `int(step / warmup)`."""
    for code in codes:
        first = Place(code, code.co_firstlineno)
        for node in ast.walk(tree(first.file)):
            if not isinstance(node, (ast.FunctionDef, ast.Lambda)) or node.lineno != first.line:
                continue
            for one in ast.walk(node):
                floor = isinstance(one, ast.BinOp) and isinstance(one.op, ast.FloorDiv)
                cast = isinstance(one, ast.Call) and getattr(one.func, "id", "") in (
                    "int",
                    "round",
                )
                if floor or cast:
                    return at(first, one.lineno)  # type: ignore[attr-defined]
    return None


def stores_of_key(key: str, file: str) -> list[int]:
    """The lines that set `something[key]`."""
    return [
        node.lineno
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value == key
    ]
