"""What a program printed beside each other, read from its source and its variables at the end."""

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from seegrad.explain.source.sources import tree_of
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["gradients_beside_values", "prints"]

# How people call what a gradient should be.
RIGHT = (
    "expect", "by hand", "manual", "should be", "reference", "correct", "numeric", "finite diff",
    "analytic",
)  # fmt: skip
PLAIN = frozenset(["tolist", "detach", "item", "numpy", "clone", "squeeze", "flatten"])


def gradients_beside_values(file: str, names: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Tensors whose gradient is printed, each with a printed value that is called the right one.

    Only what stands outside of functions: there the variables are those of the end.
    """
    shown: list[Any] = []  # tensors whose gradients are printed
    right: list[Any] = []
    for call in prints(file):
        said = " ".join(texts(call)).lower()
        for argument in call.args:
            owner, is_gradient = value_of(argument, names)
            if not isinstance(owner, TensorBase):
                continue
            if is_gradient:
                shown.append(owner)
            elif any(word in said for word in RIGHT) and not requires(owner):
                right.append(owner)
    for tensor in shown:
        for value in right:
            yield tensor, value


def prints(file: str) -> Iterator[ast.Call]:
    """The calls of `print` outside of functions and classes."""
    tree = tree_of(file)
    waiting: list[ast.AST] = [tree] if tree is not None else []
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "print":
                yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def texts(call: ast.Call) -> Iterator[str]:
    """The words of a call, those of formatted strings included."""
    for node in ast.walk(call):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def value_of(node: ast.AST, names: Mapping[str, Any]) -> tuple[Any, bool]:
    """What a printed expression stands for: a tensor, and whether its gradient was printed."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return value_of(node.func.value, names) if node.func.attr in PLAIN else (None, False)
    if isinstance(node, ast.Name):
        return names.get(node.id), False
    if isinstance(node, ast.Attribute):
        owner, is_gradient = value_of(node.value, names)
        if node.attr == "grad":
            return owner, True
        return (
            (None, False)
            if is_gradient
            else (getattr(owner, "__dict__", {}).get(node.attr), False)
        )
    return None, False
