"""What a line of a program does with a value, read from its source: prints, asserts or tests it.

Everything here works on the syntax tree of the file that a line stands in; a file that cannot be
read has no statements, and nothing is known of its lines.
"""

import ast
import difflib
from collections.abc import Iterable, Iterator
from functools import lru_cache

from seegrad.explain.places import Place
from seegrad.explain.source.sources import tree_of

__all__ = [
    "Use",
    "attributes_named_only",
    "binds",
    "calls_of",
    "headed",
    "is_kept_to_show",
    "is_showing",
    "is_shown",
    "leads_to",
    "lines_behind",
    "loads",
    "misspelt",
    "names_in",
    "scope_of",
    "statement_at",
    "statements_of",
    "stores",
    "use_of",
    "within",
]

SHOWING = frozenset(
    ["print", "pprint", "info", "debug", "warning", "warn", "error", "log", "write"]
)


@lru_cache(maxsize=256)
def statement_at(file: str, line: int) -> ast.stmt | None:
    """The innermost statement on a line."""
    tree = tree_of(file)
    found: ast.stmt | None = None
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            if found is None or node.lineno >= found.lineno:
                found = node
    return found


def headed(statement: ast.stmt) -> list[ast.AST]:
    """The expressions of a statement itself, not those of the statements inside of it."""
    found: list[ast.AST] = []
    for _, value in ast.iter_fields(statement):
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.withitem):
                found.append(one.context_expr)
            elif isinstance(one, ast.expr):
                found.append(one)
    return found


def within(statement: ast.stmt) -> Iterator[ast.AST]:
    """All nodes of the expressions of a statement."""
    for expression in headed(statement):
        yield from ast.walk(expression)


class Use:
    """What a statement does with the values of an attribute that it reads."""

    SHOWN, ASSERTED, TESTED, KEPT = "shown", "asserted", "tested", "kept"


def use_of(place: Place | None, attribute: str) -> str:
    """What the line does with `x.attribute`."""
    statement = reading(place, attribute) if place is not None else None
    if statement is None:
        return Use.KEPT
    if isinstance(statement, ast.Assert):
        return Use.ASSERTED
    reads = [n for n in within(statement) if is_read(n, attribute)]
    if any(
        is_read(inner, attribute)
        for call in within(statement)
        if is_showing(call)
        for inner in ast.walk(call)
    ):
        return Use.SHOWN
    tests = [inner for test in tests_of(statement) for inner in ast.walk(test)]
    return Use.TESTED if reads and all(read in tests for read in reads) else Use.KEPT


def reading(place: Place, attribute: str) -> ast.stmt | None:
    """The statement on a line that reads an attribute: `if x.grad is None: continue` are two."""
    found = statement_at(place.file, place.line)
    if found is not None and not any(is_read(node, attribute) for node in within(found)):
        for one in statements_of(tree_of(place.file)):
            if one.lineno == place.line and any(is_read(n, attribute) for n in within(one)):
                return one
    return found


def is_read(node: ast.AST, attribute: str) -> bool:
    """Whether this is `x.attribute`, or `getattr(x, "attribute")`."""
    return (isinstance(node, ast.Attribute) and node.attr == attribute) or (
        isinstance(node, ast.Constant) and node.value == attribute
    )


def is_shown(place: Place) -> bool:
    """Whether the value computed on a line is printed, there or by its name."""
    statement = statement_at(place.file, place.line)
    if statement is None:
        return False
    names, scope = stores(statement), scope_of(place.file, place.line)
    for one in statements_of(scope):
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            continue
        for node in within(one):
            if is_showing(node) and (one is statement or names & names_in([node])):
                return True
    return False


def is_kept_to_show(place: Place, attribute: str) -> bool:
    """Whether the line is `y = x.attribute`, and `y` itself is printed, without a test of it."""
    statement = statement_at(place.file, place.line)
    if not isinstance(statement, ast.Assign) or not is_read(statement.value, attribute):
        return False
    names = names_in(statement.targets, stored=True)
    printed = False
    for one in statements_of(scope_of(place.file, place.line)):
        if any(names & names_in([test]) for test in tests_of(one)):
            return False
        for node in within(one):
            if is_showing(node) and isinstance(node, ast.Call):
                printed |= any(isinstance(a, ast.Name) and a.id in names for a in node.args)
    return printed


def is_showing(node: ast.AST) -> bool:
    """Whether this is a call that prints or logs."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name in SHOWING


def tests_of(statement: ast.stmt) -> Iterator[ast.AST]:
    """The conditions of a statement."""
    if isinstance(statement, (ast.If, ast.While)):
        yield statement.test
    for node in within(statement):
        if isinstance(node, ast.IfExp):
            yield node.test
            if tests_none(node.test):
                yield node
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
            if node.ifs:
                yield node.iter
        elif isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            if any(tests_none(test) for one in node.generators for test in one.ifs):
                yield node
        elif isinstance(node, ast.BoolOp) or tests_none(node):
            yield node


def tests_none(node: ast.AST) -> bool:
    """Whether this compares with None."""
    return isinstance(node, ast.Compare) and any(
        isinstance(one, ast.Constant) and one.value is None
        for one in (node.left, *node.comparators)
    )


def names_in(nodes: Iterable[ast.AST], stored: bool = False) -> set[str]:
    """The names that expressions read, or store."""
    context = ast.Store if stored else ast.Load
    return {
        inner.id
        for node in nodes
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, context)
    }


def stores(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a value, `x.append(...)` and `x[i] = ...` included."""
    found = names_in(headed(statement), stored=True)
    targets: list[ast.AST] = []
    if isinstance(statement, ast.Assign):
        targets += statement.targets
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        targets.append(statement.target)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        if isinstance(statement.value.func, ast.Attribute):
            targets.append(statement.value.func.value)
    for target in targets:
        while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
            if isinstance(target, ast.Attribute):
                found.add(target.attr)
            target = target.value
        if isinstance(target, ast.Name):
            found.add(target.id)
    return found


def binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement gives a name itself a value: not `x[i] = ...`, not `x.append(...)`."""
    return name in names_in(headed(statement), stored=True)


def loads(statement: ast.stmt) -> set[str]:
    """The names, and the attributes, that a statement reads."""
    found = names_in(headed(statement))
    found |= {n.attr for n in within(statement) if isinstance(n, ast.Attribute)}
    if isinstance(statement, ast.AugAssign):
        found |= names_in([statement.target], stored=True)
    return found


def scope_of(file: str, line: int) -> ast.AST | None:
    """The innermost function around a line, else the module."""
    tree = tree_of(file)
    found: ast.AST | None = tree
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.lineno <= line <= (node.end_lineno or 0):
                found = node
    return found


def statements_of(scope: ast.AST | None) -> Iterator[ast.stmt]:
    """The statements of a function, those inside of loops included."""
    for node in ast.walk(scope) if scope is not None else ():
        if isinstance(node, ast.stmt):
            yield node


def lines_of(statement: ast.stmt) -> range:
    """The lines of the expressions of a statement."""
    last = max([getattr(node, "end_lineno", 0) or 0 for node in headed(statement)] or [0])
    return range(statement.lineno, max(last, statement.lineno) + 1)


def lines_behind(place: Place, depth: int = 4) -> set[int]:
    """The lines of the file from which the condition of an assertion (or of a raise) comes."""
    statement = statement_at(place.file, place.line)
    if statement is None:
        return {place.line}
    found = set(lines_of(statement))
    wanted = names_in(headed(statement))
    if isinstance(statement, ast.Raise):
        for outer in statements_of(tree_of(place.file)):
            if isinstance(outer, ast.If) and outer.lineno <= place.line <= (outer.end_lineno or 0):
                found |= set(lines_of(outer))
                wanted |= names_in([outer.test])
    scope = scope_of(place.file, place.line)
    candidates = list(statements_of(scope))
    functions = {
        node.name: node
        for node in statements_of(tree_of(place.file))
        if isinstance(node, ast.FunctionDef)
    }
    seen: set[str] = set()
    for _ in range(depth):
        fresh, seen = wanted - seen, seen | wanted
        for name in fresh:
            if name in functions:
                found |= set(range(functions[name].lineno, (functions[name].end_lineno or 0) + 1))
        for one in candidates:
            if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
                continue
            if stores(one) & fresh:
                found |= set(lines_of(one))
                wanted = wanted | loads(one)
    return found


def leads_to(file: str, start: int, ends: set[int]) -> bool:
    """Whether a value computed on line `start` may be used on one of the lines `ends`."""
    statement = statement_at(file, start)
    if statement is None:
        return False
    if ends & set(lines_of(statement)):
        return True
    names = stores(statement)
    scope = scope_of(file, start)
    if isinstance(statement, ast.Return) and isinstance(scope, ast.FunctionDef):
        tree = tree_of(file)
        inside = list(statements_of(tree))
        users = [one for one in inside if scope.name in loads(one)]
        kept = [one for one in users if is_only_kept(one, scope.name)]
        return any(
            follow(stores(one), ends, inside) if one in kept else uses(one, ends, inside)
            for one in users
        )
    inside = list(statements_of(scope))
    return follow(names, ends, inside) or kept_for(file, attributes_of(statement, inside), ends)


def is_only_kept(statement: ast.stmt, name: str) -> bool:
    """Whether a line keeps, or shows, what calls of a name return, and computes nothing of it.

    `value = step(x)`, `losses = [step(x) for x in data]`, `log.append(step(x))`.
    """
    return not any(computes_with(one, name, False) for one in headed(statement))


def computes_with(node: ast.AST, name: str, inside: bool) -> bool:
    """Whether a call of a name (or an attribute, which may be a property) is an operand."""
    if name == getattr(node, "id", getattr(node, "attr", None)):
        return inside
    for field, value in ast.iter_fields(node):
        within_it = inside or is_operation(node)
        if isinstance(node, ast.Call) and field == "func":
            within_it = inside  # the name that is called is no operand of its own call
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST) and computes_with(one, name, within_it):
                return True
    return False


def is_operation(node: ast.AST) -> bool:
    """Whether an expression computes something of its operands, rather than keep them."""
    if isinstance(node, ast.Call):
        return not is_showing(node) and getattr(node.func, "attr", "") not in KEEPING
    return isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp))


KEEPING = frozenset(["append", "extend", "add", "insert", "update", "setdefault"])


def attributes_of(statement: ast.stmt, candidates: list[ast.stmt]) -> set[str]:
    """The attributes into which a statement puts its value, itself or by a name."""
    names = names_in(headed(statement), stored=True)
    users = [one for one in candidates if isinstance(one, ast.Assign) and loads(one) & names]
    targets = [
        target
        for one in (statement, *users)
        for target in (one.targets if isinstance(one, ast.Assign) else ())
    ]
    return {target.attr for target in targets if isinstance(target, ast.Attribute)}


def kept_for(file: str, attributes: set[str], ends: set[int]) -> bool:
    """Whether attributes that objects keep are read on one of the lines, or on the way there."""
    tree = tree_of(file) if attributes else None
    for one in statements_of(tree):
        read = {
            node.attr
            for node in within(one)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
        }
        if attributes & read and not isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            if uses(one, ends, list(statements_of(scope_of(file, one.lineno)))):
                return True
    return False


def uses(statement: ast.stmt, ends: set[int], candidates: list[ast.stmt]) -> bool:
    """Whether a statement is on one of the lines, or hands its value to one that is."""
    if ends & set(lines_of(statement)):
        return True
    return follow(stores(statement), ends, candidates)


def follow(names: set[str], ends: set[int], candidates: list[ast.stmt]) -> bool:
    """Whether names, and what is computed from them, are read on one of the lines."""
    known: set[str] = set()
    while names - known:
        known |= names
        for one in candidates:
            if isinstance(one, (ast.FunctionDef, ast.ClassDef)) or not loads(one) & known:
                continue
            if ends & set(lines_of(one)):
                return True
            names = names | stores(one)
    return False


def calls_of(place: Place | None, modules: Iterable[str]) -> bool:
    """Whether the line calls a function of one of the modules: `math.exp(...)`."""
    statement = statement_at(place.file, place.line) if place is not None else None
    for node in within(statement) if statement is not None else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id in modules:
                return True
    return False


def attributes_named_only(file: str, name: str) -> list[int]:
    """The lines that name `x.name` and do not call it; first those where nothing else is said."""
    tree = tree_of(file)
    nodes = list(ast.walk(tree)) if tree is not None else []
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    found = [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr == name and id(node) not in called
    ]
    return [node.lineno for node in sorted(found, key=lambda node: id(node) not in alone)]


def misspelt(file: str) -> int | None:
    """The line of `x.require_grad = True`: almost `requires_grad`, and not."""
    tree = tree_of(file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if node.attr != "requires_grad" and similar(node.attr, "requires_grad"):
                return node.lineno
    return None


def similar(word: str, wanted: str) -> bool:
    """Whether a word is another one misspelt."""
    return difflib.SequenceMatcher(None, word.lower(), wanted).ratio() > 0.85
