"""The line on which a program puts tensors into a container, found in its source."""

import ast
from collections.abc import Iterator

from seegrad.explain.places import Place
from seegrad.explain.source.sources import called_name, tree_of

__all__ = ["ctx_line", "line_that_carries", "line_that_fills", "looks_at_memory"]

FILLING = frozenset(
    ["append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault"]
    + ["put", "push", "append_"]
)
HARMLESS = frozenset(["item", "detach", "tolist", "numpy", "float", "cpu_detached"])


def line_that_fills(path: str, made: Place | None) -> int | None:
    """Where the container at `path` ("history['valid']") gets its tensors.

    `made`: the line that made one of them, whose file is searched. The line itself, if it fills
    the container; else the nearest one after it in the same function, else the only one there is.
    """
    tree = None if made is None else tree_of(made.file)
    if tree is None or made is None:
        return None
    wanted = key_of(path)
    if wanted is None:
        return None
    found = sorted(
        (first, last) for first, last, key, value in fillings(tree) if same(key, wanted)
        and not is_harmless(value)
    )  # fmt: skip
    for first, last in found:
        if first <= made.line <= last:
            return first if first == last else made.line
    span = function_span(tree, made.line)
    near = [first for first, _ in found if first >= made.line and span[0] <= first <= span[1]]
    if near:
        return near[0]
    return found[0][0] if found else None


# The last name of a container, and the key behind it: ("history", "valid"), ("items", None).
Key = tuple[str, object]


def key_of(path: str) -> Key | None:
    """The last name in a path, and a constant key behind it."""
    try:
        return key_in(ast.parse(path, mode="eval").body)
    except SyntaxError:
        return None


def key_in(node: ast.expr) -> Key | None:
    """As `key_of`, of a parsed expression."""
    key: object = None
    while isinstance(node, ast.Subscript):
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr, key
    return (node.id, key) if isinstance(node, ast.Name) else None


def same(found: Key | None, wanted: Key) -> bool:
    """Whether two keys may mean one container."""
    if found is None or found[0] != wanted[0]:
        return False
    return None in (found[1], wanted[1]) or found[1] == wanted[1]


def fillings(tree: ast.Module) -> Iterator[tuple[int, int, Key | None, ast.expr]]:
    """Every line of a program that puts something into a container: lines, which, and what."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in FILLING and node.args:
                target = node.func.value
                if isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute):
                    target = target.func.value  # d.setdefault(key, []).append(...)
                last = node.end_lineno or node.lineno
                yield node.lineno, last, key_in(target), node.args[-1]
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            yield node.lineno, node.end_lineno or node.lineno, key_in(node.target), node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                is_item = isinstance(target, ast.Subscript)
                if is_item or isinstance(node.value, (ast.ListComp, ast.DictComp, ast.BinOp)):
                    last = node.end_lineno or node.lineno
                    yield node.lineno, last, key_in(target), node.value


def is_harmless(value: ast.expr) -> bool:
    """Whether what is put in is plainly a number or detached: `loss.item()`, `float(loss)`."""
    if isinstance(value, ast.Call):
        return called_name(value) in HARMLESS
    return isinstance(value, ast.Constant)


def function_span(tree: ast.Module, line: int) -> tuple[int, int]:
    """First and last line of the innermost function around a line, or of the whole file."""
    best = (0, 10**9)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            last = node.end_lineno or node.lineno
            if node.lineno <= line <= last and node.lineno >= best[0]:
                best = (node.lineno, last)
    return best


def line_that_carries(path: str, near: Place) -> int | None:
    """Where a state gets its next value: `h = cell(x, h)`, `out, h = net(x, h)`, `self.h = ...`.

    An assignment that mentions the state on both sides if there is one, in the function of the
    line `near` if there is one there.
    """
    tree, wanted = tree_of(near.file), key_of(path)
    if tree is None or wanted is None:
        return None
    span = function_span(tree, near.line)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant):
            targets = [one for target in node.targets for one in ast.walk(target)]
            if any(names_it(one, wanted[0], is_target=True) for one in targets):
                carried = any(names_it(one, wanted[0]) for one in ast.walk(node.value))
                cut = isinstance(node.value, ast.Call) and is_harmless(node.value)
                is_near = span[0] <= node.lineno <= span[1]
                found.append((cut, not carried, not is_near, -node.lineno))
    return -min(found)[3] if found else None


def names_it(node: ast.AST, name: str, is_target: bool = False) -> bool:
    """Whether a piece of source is this variable or attribute."""
    if is_target and not isinstance(getattr(node, "ctx", None), ast.Store):
        return False
    return (isinstance(node, ast.Name) and node.id == name) or (
        isinstance(node, ast.Attribute) and node.attr == name
    )


def ctx_line(file: str, first: int, name: str) -> int | None:
    """The line behind `first` that sets the attribute `name` of a context."""
    tree = tree_of(file)
    if tree is None:
        return None
    lines = [
        target.lineno
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for each in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for target in ast.walk(each)
        if isinstance(target, ast.Attribute) and target.attr == name and target.lineno >= first
    ]
    return min(lines, default=None)


LOOKING = frozenset(
    ["gc", "weakref", "tracemalloc", "psutil", "resource", "getrefcount", "next_functions"]
    + ["memory_allocated", "max_memory_allocated", "getsizeof"]
)


def looks_at_memory(file: str) -> bool:
    """Whether a program looks at its memory, or walks through graphs, itself."""
    tree = tree_of(file)
    if tree is None:
        return False
    return any(
        (isinstance(node, ast.Name) and node.id in LOOKING)
        or (isinstance(node, ast.Attribute) and node.attr in LOOKING)
        for node in ast.walk(tree)
    )
