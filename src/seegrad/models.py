"""The models that a command names: `script.py:Model`, `package.module:make_model`."""

import difflib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from seegrad.alias import install_as_torch

__all__ = ["Refused", "inputs_of", "model_of"]


class Refused(Exception):
    """There is no such model; the text says why, and what to do."""


def model_of(target: str) -> Any:
    """The model: a Module, or what a class or function gives that is called without arguments.

    `target`: a file or a module, a colon, and a name in it. `import torch` is answered by seegrad
    there. Raises Refused.
    """
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise Refused(f"{target!r} names no model: say script.py:Model or package.module:model")
    install_as_torch()
    module = _module(place)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            near = difflib.get_close_matches(part, dir(found), n=1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise Refused(f"{place} has no {part!r}{hint}")
        found = getattr(found, part)
    from seegrad.nn import Module

    if isinstance(found, Module):
        return found
    model = _called(found, name)
    if not isinstance(model, Module):
        raise Refused(f"{name} is a {type(model).__name__}, not a torch.nn.Module")
    return model


def _called(found: Any, name: str) -> Any:
    """What a class or function gives."""
    if not callable(found):
        return found
    try:
        needed = [
            each.name
            for each in inspect.signature(found).parameters.values()
            if each.default is each.empty and not each.kind.name.startswith("VAR_")
        ]
    except (TypeError, ValueError):
        needed = []
    if needed:
        raise Refused(
            f"{name} needs {', '.join(needed)}: write a function without arguments that makes the "
            "model, and name that"
        )
    return found()


def _module(place: str) -> ModuleType:
    """The module of a file, or by its name."""
    if not place.endswith(".py"):
        sys.path[:0] = [os.getcwd()]
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            if error.name is None or not (place + ".").startswith(error.name + "."):
                raise
            raise Refused(f"there is no module {place!r}; a file is named {place}.py") from None
    path = os.path.abspath(place)
    if not os.path.exists(path):
        raise Refused(f"there is no file {path}")
    sys.path[:0] = [os.path.dirname(path)]
    name = os.path.splitext(os.path.basename(path))[0]
    spec: Any = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def inputs_of(texts: Sequence[str]) -> list[Any]:
    """Tensors as `1x28x28` and `4x16:int64` describe them: zeros of float32, or of that type.

    Raises Refused.
    """
    from seegrad.arrays.dtypes import NAMES
    from seegrad.tensor.creation import zeros

    made = []
    for text in texts:
        sizes, _, kind = text.partition(":")
        wanted = NAMES.get(kind or "float32")
        parts = sizes.split("x")
        if wanted is None or not all(part.isdecimal() for part in parts):
            raise Refused(f"{text!r} is no shape: write 1x28x28, or 4x16:int64 for another type")
        made.append(zeros([int(part) for part in parts], dtype=wanted))
    return made
