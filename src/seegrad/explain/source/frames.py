"""What the user's program looked like when it ended: frames, names of tensors."""

from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from seegrad.explain.places import Place, is_foreign
from seegrad.graph.tensor import TensorBase
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter

__all__ = ["Frame", "frames_of", "named"]

MANY = 100  # parts of a list or an object that are looked at
OWN = ("seegrad", "torch", "numpy")  # whose objects are not


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
    """The name of a tensor in the first scope that has one: "w", "net.weight", "layers[0].b"."""
    for scope in scopes:
        if isinstance(tensor, Parameter):  # not by the variable of a loop
            for name, value in list(scope.items()):
                path = inside(value, tensor, 1) if isinstance(value, Module) else None
                if path is not None:
                    return f"{name}{path}"
        for name, value in list(scope.items()):
            if value is tensor:
                return name
        for depth in (1, 2, 3):  # the shortest way to say it
            for name, value in list(scope.items()):
                path = inside(value, tensor, depth)
                if path is not None:
                    return f"{name}{path}"
    return None


def inside(value: Any, tensor: Any, depth: int) -> str | None:
    """How a program gets from a value to the tensor in it: `.weight`, `[0]['b']`."""
    if value is tensor:
        return ""
    for step, one in parts_of(value) if depth else ():
        path = inside(one, tensor, depth - 1)
        if path is not None:
            return f"{step}{path}"
    return None


def parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a module, a list, a dict or an object of the program's own classes."""
    if isinstance(value, Module):
        for path, one in (*value.named_parameters(), *value.named_buffers()):
            yield f".{path}", one
    elif isinstance(value, (list, tuple)):
        for index, one in enumerate(value[:MANY]):
            yield f"[{index}]", one
    elif isinstance(value, dict):
        for key, one in list(value.items())[:MANY]:
            yield f"[{key!r}]", one
    elif not isinstance(value, (type, ModuleType, TensorBase)):
        if type(value).__module__.partition(".")[0] not in OWN:
            for key, one in list(getattr(value, "__dict__", {}).items())[:MANY]:
                yield f".{key}", one
