"""The sources of seegrad as data: modules, their imports, their floors from docs/design.md."""

import ast
import pathlib
import re
from collections.abc import Iterator
from functools import cache

ROOT = pathlib.Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "seegrad"
# The faces of the package see every floor.
ROOF = {"__init__": 10, "__main__": 10}

_FLOOR_LINE = re.compile(r"^ {6}((?:\w+(?:\.py|/) ?)+)\s+(\d+)\s", re.MULTILINE)


@cache
def modules() -> dict[str, pathlib.Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("seegrad", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def floors() -> dict[str, int]:
    """The floor of each package and top module, read from the plan in docs/design.md."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    named = [(names, int(floor)) for names, floor in _FLOOR_LINE.findall(text)]
    table = {
        re.sub(r"\.py|/", "", name): floor for names, floor in named for name in names.split()
    }
    return table | ROOF


def top(module: str) -> str:
    """The part of a module's name that has a floor: 'graph' of 'seegrad.graph.node'."""
    return module.split(".")[1] if "." in module else "__init__"


def _free(node: ast.stmt) -> bool:
    """Whether a statement is an ``if TYPE_CHECKING`` block, whose imports never run."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _import_statements(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import that may run, those inside functions included."""
    pending = [tree]
    while pending:
        for node in ast.iter_child_nodes(pending.pop()):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield node
            elif isinstance(node, ast.stmt) and _free(node):
                pending.extend(getattr(node, "orelse", []))
            else:
                pending.append(node)


@cache
def statements(module: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The import statements of a module."""
    source = modules()[module].read_text(encoding="utf-8")
    return tuple(_import_statements(ast.parse(source)))


def imported(module: str) -> set[str]:
    """Dotted names that a module imports; ``from a import b`` is a.b where that is a module."""
    names: set[str] = set()
    for statement in statements(module):
        if isinstance(statement, ast.Import):
            names.update(alias.name for alias in statement.names)
        elif statement.module:
            whole = [f"{statement.module}.{alias.name}" for alias in statement.names]
            names.update(name if name in modules() else statement.module for name in whole)
    return names


def own_imports(module: str) -> set[str]:
    """The modules of seegrad that a module imports."""
    return {name for name in imported(module) if name.split(".")[0] == "seegrad"} - {module}
