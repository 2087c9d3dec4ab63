"""What the user's program looked like when it ended: frames, names of tensors."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from seegrad.explain.places import Place, is_foreign
from seegrad.nn.modules.module import Module

__all__ = ["Frame", "frames_of", "named"]


class Frame(NamedTuple):
    """A line of the user's that an error went through, and the variables there."""

    place: Place
    names: Mapping[str, Any]


def frames_of(error: BaseException | None) -> list[Frame]:
    """The user's frames of an error's traceback, the innermost last."""
    traceback = None if error is None else error.__traceback__
    found = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_foreign(code.co_filename):
            place = Place(code, traceback.tb_lineno)
            found.append(Frame(place, traceback.tb_frame.f_locals))
        traceback = traceback.tb_next
    return found


def named(tensor: Any, scopes: Iterable[Mapping[str, Any]]) -> str | None:
    """The name of a tensor in the first scope that has one, as a variable or in a module."""
    for scope in scopes:
        for name, value in list(scope.items()):
            if value is tensor:
                return name
        for name, value in list(scope.items()):
            if isinstance(value, Module):
                for path, parameter in (*value.named_parameters(), *value.named_buffers()):
                    if parameter is tensor:
                        return f"{name}.{path}"
            elif isinstance(value, (list, tuple)):
                for index, one in enumerate(value):
                    if one is tensor:
                        return f"{name}[{index}]"
            elif isinstance(value, dict):
                for key, one in list(value.items()):
                    if one is tensor:
                        return f"{name}[{key!r}]"
    return None
