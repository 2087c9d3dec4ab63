"""What files call classes and functions, and what these are here.

Files say `torch.nn.modules.linear Linear` for what is `seegrad.nn.modules.linear.Linear`.
"""

import importlib
import sys
from typing import Any

from seegrad.serialization._rebuilding import FUNCTIONS
from seegrad.tensor.sampling import Generator

__all__ = ["found", "name_of"]

_NAMES = {id(function): path.rpartition(".")[::2] for path, function in FUNCTIONS.items()} | {
    id(Generator): ("torch._C", "Generator")
}
# Where a function of ours may be found under the name it has for users, the nearest first.
_HOMES = ("nn.functional", "nn.init", "linalg", "special", "fft")


def name_of(thing: Any, name: str | None = None) -> tuple[str, str]:
    """The module and the name by which files speak of a class or function."""
    if id(thing) in _NAMES:
        return _NAMES[id(thing)]
    qualified = name or getattr(thing, "__qualname__", None) or thing.__name__
    module = getattr(thing, "__module__", None) or "__main__"
    if module.partition(".")[0] != "seegrad":
        return module, qualified
    if not isinstance(thing, type):
        for home in ("seegrad", *(f"seegrad.{one}" for one in _HOMES)):
            if getattr(sys.modules.get(home), qualified, None) is thing:
                module = home
    return "torch" + module.removeprefix("seegrad"), qualified


def found(module: str, name: str) -> Any:
    """The class or function of ours that a file calls by a name of PyTorch's.

    Raises AttributeError where seegrad has none.
    """
    path = f"{module}.{name}"
    if path in FUNCTIONS:
        return FUNCTIONS[path]
    if path == "torch._C.Generator":
        return Generator
    own = "seegrad" + module.removeprefix("torch")
    try:
        value: Any = importlib.import_module(own)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError):
        raise AttributeError(f"this file speaks of {path}, which seegrad does not have") from None
    return value
