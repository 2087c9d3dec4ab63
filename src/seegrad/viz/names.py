"""What a program calls its tensors: the names for a picture, from the variables of its frames."""

from collections.abc import Iterable, Mapping
from typing import Any

from seegrad.explain.places import is_foreign, users_frame

__all__ = ["names_in", "variables"]


def variables() -> dict[str, Any]:
    """Tensors by their names in the user's own frames that run, the innermost first."""
    frame = users_frame()
    scopes = []
    while frame is not None:
        if not is_foreign(frame.f_code.co_filename):
            scopes += [frame.f_locals, frame.f_globals]
        frame = frame.f_back
    return names_in({id(scope): scope for scope in scopes}.values())


def names_in(scopes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Tensors by their names; those of modules by their path, "model.0.weight"."""
    found: dict[str, Any] = {}
    named: set[int] = set()
    for scope in scopes:
        for name, value in list(scope.items()):
            pairs = [(name, value)] if hasattr(type(value), "grad_fn") else _inside(name, value)
            for path, tensor in pairs:
                if id(tensor) not in named:
                    named.add(id(tensor))
                    found.setdefault(path, tensor)
    return found


def _inside(name: str, value: Any) -> list[tuple[str, Any]]:
    if not hasattr(type(value), "named_parameters"):
        return []
    return [(f"{name}.{path}", parameter) for path, parameter in value.named_parameters()]
