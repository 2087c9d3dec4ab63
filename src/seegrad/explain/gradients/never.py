"""Which tensor should have required a gradient, where none does."""

import ast
from collections.abc import Iterable
from typing import Any

from seegrad.explain.gradients.causes import Cause, Subject, made_at, misspelt_flag
from seegrad.explain.gradients.chains import ancestors, selves
from seegrad.explain.record import Made
from seegrad.explain.session import Session
from seegrad.explain.source.sources import tree_of
from seegrad.explain.source.statements import names_in
from seegrad.graph.tensor import TensorBase, requires
from seegrad.nn.parameter import Parameter

__all__ = ["leaf_to_name"]


def leaf_to_name(subject: Subject, session: Session, only_sure: bool = False) -> Cause | None:
    """The cause of a loss that was made from leaves of which none requires a gradient.

    `only_sure`: None where nothing in the program tells that it wants the gradient of a leaf.
    """
    made = subject.made
    if made is None or made.live:
        return None
    found = ancestors([made])
    leaves = [one for one in found if not one.parents and made_at(one) is not None]
    if not leaves:
        return None
    wanted = asked_leaf(found, session)
    if wanted is None and not only_sure:
        wanted = wanted_leaf(leaves, found, session)
    if wanted is None:
        return None
    place = made_at(wanted)
    about = [one for _, one in tensors_of(session) if selves(one._made) & selves(wanted)]
    return Cause("requires-grad-never-set", misspelt_flag(place) or place, about=tuple(about[:1]))


def asked_leaf(found: set[Made], session: Session) -> Made | None:
    """A leaf that an optimizer got, or whose gradient the program reads; nobody has frozen it."""
    seen = session.watch.seen
    held = [one for optimizing in seen.optimizers for one in optimizing.params]
    scopes = [*(frame.names for frame in reversed(session.frames())), session.names]
    read = [
        value
        for scope in scopes
        for name, value in list(scope.items())
        if isinstance(value, TensorBase) and is_differentiated(name, session)
    ]
    for one in [*held, *read]:
        same = selves(one._made)
        if same & found and not requires(one) and not isinstance(one, Parameter):
            if seen.flag_of(one) is None:
                return min(same, key=lambda one: one.number)
    return None


def wanted_leaf(leaves: list[Made], found: set[Made], session: Session) -> Made:
    """The leaf whose gradient the program reads, else one that it writes to, else the first."""
    tensors = tensors_of(session)
    for name, tensor in tensors:
        same = selves(tensor._made)
        if same & found and is_differentiated(name, session):
            return min(same, key=lambda one: one.number)
    for _, tensor in tensors:
        same = selves(tensor._made)
        if same & found and len(same) > 1:
            return min(same, key=lambda one: one.number)
    return min(leaves, key=lambda one: (one.name in DATA, one.number))


# What data is read or drawn with, rather than parameters.
DATA = frozenset(["linspace", "arange", "from_numpy", "randint", "load"])


def tensors_of(session: Session) -> list[tuple[str, Any]]:
    """The tensors that the program has names for, also in lists, with the names."""
    found: list[tuple[str, Any]] = []
    for scope in [*(frame.names for frame in reversed(session.frames())), session.names]:
        for name, value in list(scope.items()):
            found += [(name, one) for one in members(value)]
    return found


def members(value: Any) -> Iterable[Any]:
    """A tensor, the tensors of a list, or those that an object has as attributes."""
    if isinstance(value, TensorBase):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [one for one in value if isinstance(one, TensorBase)]
    inside = getattr(value, "__dict__", None)
    if isinstance(inside, dict) and not isinstance(value, type):
        return [one for one in inside.values() if isinstance(one, TensorBase)]
    return []


def is_differentiated(name: str, session: Session) -> bool:
    """Whether the program reads `name.grad`, or goes through `name` reading gradients."""
    files = {frame.place.file for frame in session.frames()}
    return any(name in differentiated(file) for file in files)


def differentiated(file: str) -> set[str]:
    """The names whose gradients a file reads."""
    tree = tree_of(file)
    found: set[str] = set()
    nodes = list(ast.walk(tree)) if tree is not None else []
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == "grad":
            inner = node.value
            while isinstance(inner, (ast.Attribute, ast.Subscript)):
                found |= {inner.attr} if isinstance(inner, ast.Attribute) else set()
                inner = inner.value
            found |= names_in([inner])
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in OPTIMIZERS:
            found |= names_in(node.args)
    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)):
            if names_in([node.target], stored=True) & found:
                found |= names_in([node.iter])
    return found


OPTIMIZERS = frozenset(["SGD", "Adam", "AdamW", "Adagrad", "RMSprop", "LBFGS", "Adadelta", "grad"])
