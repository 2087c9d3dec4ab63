"""docs/derivatives.md: every line of the table of derivatives, as the rules have it."""

import ast
import functools
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import seegrad  # noqa: F401  (fills the table)
from seegrad.rules.spec import REGISTRY, Operator

NAME = "derivatives.md"

HEAD = """# Derivatives

Written by `make pages` from `src/seegrad/rules/`: each operator with the class of its node, what
the node saves, and the gradient of each operand. `grad` is the gradient of the result; the other
names are operands, results and what else the node keeps. A formula that is more than an expression
is a function, and stands with what it says of itself. The same formulas are for arrays and for
tensors, so that second derivatives are derivatives of these; what is not in the table is composed
of what is.
"""

KINDS = {
    "elementwise": "Each element alone; operands are promoted and broadcast, gradients summed to "
    "their shapes.",
    "linear": "Linear in the operands taken together.",
    "multilinear": "Linear in each operand alone.",
    "general": "All others that have derivatives.",
    "view": "The result shares memory with the operand.",
    "variadic": "Operands are a list of tensors, the formula makes a list of gradients.",
}


def text() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for kind in KINDS for line in section(kind)), *constants()])


def section(kind: str) -> Iterator[str]:
    """The operators of one kind, by name."""
    yield from (f"## {kind.capitalize()}", "", KINDS[kind], "")
    yield from ("| operator | node | saves | gradients |", "|---|---|---|---|")
    for name in sorted(REGISTRY):
        operator = REGISTRY[name]
        if operator.kind == kind:
            yield row(operator, name)
            if operator.written:
                yield row(operator.written, f"{name}_")
    yield ""


def row(operator: Operator, name: str) -> str:
    """One line of the table."""
    given = (
        f"{one}={operator.defaults[one]!r}" if one in operator.defaults else one
        for one in operator.parameters
    )
    gradients = (f"{one}: {shown(formula)}" for one, formula in operator.formulas.items())
    saves = ", ".join((*operator.saved, *operator.kept))
    cells = (code(f"{name}({', '.join(given)})"), code(operator.node), saves)
    return f"| {' | '.join(cells)} | {'<br>'.join(gradients)} |"


def shown(formula: Any) -> str:
    """A formula that is one expression; else its name and the first sentence of its docstring."""
    found = expression(formula)
    if found is not None:
        return code(re.sub(r"\bxp(\.|, |(?=\)))", "", ast.unparse(found)))
    sentence = (inspect.getdoc(formula) or "").partition("\n\n")[0].replace("\n", " ")
    return f"{code(formula.__name__)}: {sentence.replace('|', chr(92) + '|')}"


def code(words: str) -> str:
    """Text as code in a cell of a table."""
    return f"`{words.replace('|', chr(92) + '|')}`"


def expression(formula: Any) -> ast.expr | None:
    """What a formula returns, if that is all that it does."""
    found = formula.__code__
    for node in ast.walk(tree(found.co_filename)):
        if isinstance(node, ast.Lambda) and node.lineno == found.co_firstlineno:
            parts = (one for one in ast.walk(node.body) if isinstance(one, ast.expr))
            places = {(o.lineno, o.end_lineno, o.col_offset, o.end_col_offset) for o in parts}
            if places.intersection(found.co_positions()):
                return node.body
        if isinstance(node, ast.FunctionDef) and node.lineno == found.co_firstlineno:
            rest = node.body[1:] if ast.get_docstring(node) else node.body
            only = rest[0] if len(rest) == 1 else None
            return only.value if isinstance(only, ast.Return) else None
    return None


@functools.cache
def tree(path: str) -> ast.Module:
    """The syntax of a file."""
    return ast.parse(Path(path).read_text(encoding="utf-8"))


def constants() -> Iterator[str]:
    """The operators that have no derivative."""
    names = sorted(name for name, operator in REGISTRY.items() if operator.kind == "constant")
    yield from ("## Without a derivative", "", ", ".join(map(code, names)) + ".", "")
