"""PyTorch itself beside seegrad: found where it is installed, and given the user's code.

A function, a module or a custom Function that was written against seegrad is translated, not run
through text: its code objects stay, the names they look up become PyTorch's. What seegrad calls
`seegrad.nn.functional.relu` is `torch.nn.functional.relu` there; a class of the user's is made
anew over PyTorch's bases; tensors are copied.
"""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from seegrad.arrays.dtypes import dtype
from seegrad.device import device
from seegrad.graph.tensor import TensorBase, requires
from seegrad.nn.parameter import Parameter

__all__ = ["Translation", "pytorch"]


@contextmanager
def pytorch() -> Iterator[Any]:
    """PyTorch's module, also where `import torch` gives seegrad in this process.

    Raises ModuleNotFoundError where it is not installed.
    """
    aliased = {name: module for name, module in sys.modules.items() if is_alias(name)}
    own = sys.modules.get("torch")
    is_aliased = own is not None and own is sys.modules["seegrad"]
    finders = [f for f in sys.meta_path if type(f).__module__ == "seegrad.alias"]
    if is_aliased:
        for name in aliased:
            del sys.modules[name]
        sys.meta_path[:] = [f for f in sys.meta_path if f not in finders]
        sys.modules |= _real
    try:
        yield importlib.import_module("torch")
    except ModuleNotFoundError as error:
        if error.name == "torch":
            error.add_note("explain.compare needs PyTorch beside seegrad: pip install torch")
        raise
    finally:
        if is_aliased:
            _real.update({n: sys.modules.pop(n) for n in list(sys.modules) if is_alias(n)})
            sys.modules |= aliased
            sys.meta_path[:0] = finders


_real: dict[str, ModuleType] = {}  # PyTorch's modules while seegrad has their names


def is_alias(name: str) -> bool:
    """Whether a module's name is one of PyTorch's."""
    return name.partition(".")[0] == "torch"


class Translation:
    """What PyTorch gets instead of objects that know seegrad; each object once."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.known: dict[int, Any] = {}
        self.kept: list[Any] = []  # so that no `id` is used twice

    def __call__(self, value: Any) -> Any:
        """The same for PyTorch."""
        if id(value) in self.known:
            return self.known[id(value)]
        made = self.made(value)
        return self.remember(value, made)

    def remember(self, value: Any, made: Any) -> Any:
        """Notes what a value became."""
        self.known[id(value)] = made
        self.kept.append(value)
        return made

    def made(self, value: Any) -> Any:
        """As a call, for what was not met before."""
        if isinstance(value, TensorBase):
            return self.tensor(value)
        if isinstance(value, dtype):
            return getattr(self.torch, str(value).removeprefix("torch."))
        if isinstance(value, device):
            return self.torch.device(str(value))
        if isinstance(value, ModuleType):
            return self.module(value)
        if isinstance(value, MethodType):
            return MethodType(self(value.__func__), self(value.__self__))
        if isinstance(value, type):
            return self.class_(value)
        if isinstance(value, FunctionType):
            return self.named(value) if is_ours(value) else self.function(value)
        if isinstance(value, BuiltinFunctionType):
            return value
        if type(value) in (list, tuple, set):
            return type(value)(self(one) for one in value)
        if isinstance(value, dict):
            return type(value)((key, self(one)) for key, one in value.items())
        if isinstance(value, (staticmethod, classmethod)):
            return type(value)(self(value.__func__))
        if isinstance(value, property):
            return property(*(f and self(f) for f in (value.fget, value.fset, value.fdel)))
        return self.instance(value)

    def tensor(self, value: Any) -> Any:
        """A copy that requires a gradient where the tensor does."""
        with suppress(TypeError):
            array = np.array(value._array)
            made = self.torch.from_numpy(array)
            return self.marked(value, made)
        wide = self.torch.from_numpy(value._array.astype(np.float32))  # bfloat16
        return self.marked(value, wide.to(self(value.dtype)))

    def marked(self, value: Any, made: Any) -> Any:
        """The copy as a Parameter, or with its flag."""
        if isinstance(value, Parameter):
            return self.torch.nn.Parameter(made, requires_grad=requires(value))
        return made.requires_grad_(requires(value))

    def module(self, value: ModuleType) -> Any:
        """PyTorch's module of the same name; others stay."""
        root, _, rest = value.__name__.partition(".")
        if root != "seegrad":
            return value
        return importlib.import_module("torch" + ("." + rest if rest else ""))

    def named(self, value: Any) -> Any:
        """What PyTorch calls by the same name."""
        place = value.__module__.replace("seegrad", "torch", 1)
        names = value.__qualname__.split(".")
        for module in (place, "torch", "torch.nn.functional", "torch.nn", "torch.autograd"):
            with suppress(ImportError, AttributeError):
                found = importlib.import_module(module)
                for name in names:
                    found = getattr(found, name)
                return found
        raise LookupError(f"PyTorch has no {value.__module__}.{value.__qualname__}")

    def function(self, value: FunctionType) -> FunctionType:
        """The same code with PyTorch's names around it."""
        scope = {"__builtins__": value.__globals__.get("__builtins__"), "__name__": "translated"}
        cells = tuple(CellType() for _ in value.__closure__ or ())
        made = FunctionType(value.__code__, scope, value.__name__, None, cells or None)
        self.remember(value, made)
        for cell, before in zip(cells, value.__closure__ or (), strict=True):
            with suppress(ValueError):  # nothing is in it
                cell.cell_contents = self(before.cell_contents)
        for name in names_in(value.__code__):
            if name in value.__globals__:
                scope[name] = self(value.__globals__[name])
        made.__defaults__ = value.__defaults__ and tuple(map(self, value.__defaults__))
        made.__kwdefaults__ = value.__kwdefaults__ and self(value.__kwdefaults__)
        return made

    def class_(self, value: type) -> Any:
        """PyTorch's class of the same name; a class of the user's over PyTorch's bases."""
        if is_ours(value):
            return self.named(value)
        if not any(is_ours(base) for base in value.__mro__):
            return value
        bases = tuple(map(self, value.__bases__))
        made = type(bases[0])(value.__name__, bases, {"__module__": "translated"})
        self.remember(value, made)
        for name, one in vars(value).items():
            if name not in ("__dict__", "__weakref__", "__module__", "_backward_cls", "apply"):
                if not isinstance(one, type) and isinstance(name, str):
                    with suppress(AttributeError):
                        setattr(made, name, self(one))
        return made

    def instance(self, value: Any) -> Any:
        """An object of a class that PyTorch has too, attribute by attribute; others stay."""
        cls = self(type(value))
        if cls is type(value) or not hasattr(value, "__dict__"):
            return value
        made = object.__new__(cls)
        self.remember(value, made)
        if isinstance(made, self.torch.nn.Module):
            self.torch.nn.Module.__init__(made)
        for name, one in vars(value).items():
            if name in ("_parameters", "_buffers", "_modules"):
                made.__dict__[name].update(self(one))
            elif "hooks" not in name:
                made.__dict__[name] = self(one)
        return made


def is_ours(value: Any) -> bool:
    """Whether a function or class belongs to seegrad, whatever it says of itself."""
    code = getattr(value, "__code__", None)
    if code is not None and "seegrad" in code.co_filename:
        return True
    module = getattr(value, "__module__", "") or ""
    return module.partition(".")[0] in ("seegrad", "torch")


def names_in(code: Any) -> set[str]:
    """The global names that code and the code inside of it may look up."""
    found = set(code.co_names)
    for one in code.co_consts:
        if hasattr(one, "co_names"):
            found |= names_in(one)
    return found
