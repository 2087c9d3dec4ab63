"""Modules that hold modules: `Sequential`, `ModuleList`, `ModuleDict`."""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Self

from seegrad.nn.modules.container_keys import in_range, key_value_pairs
from seegrad.nn.modules.module import Module
from seegrad.nn.modules.parameter_container import ParameterDict, ParameterList

__all__ = [
    "Container",
    "ModuleDict",
    "ModuleList",
    "ParameterDict",
    "ParameterList",
    "Sequential",
]


class Container(Module):
    """A module with the given children; kept for old programs, and warns."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        warnings.warn(
            "`nn.Container` is deprecated. All of its functionality is now implemented in "
            "`nn.Module`. Subclass that instead.",
            FutureWarning,
            stacklevel=2,
        )
        for name, module in kwargs.items():
            self.add_module(name, module)


class _Numbered(Module):
    """A module whose children are numbered, as those of Sequential and ModuleList."""

    def _key(self, index: Any) -> str:
        """The name of the child at `index`; Sequential keeps the names it was given."""
        return str(in_range(index, len(self)))

    def _renumber(self, modules: Iterable[Module | None]) -> None:
        numbered = {str(i): module for i, module in enumerate(modules)}
        self._modules.clear()
        self._modules.update(numbered)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __delitem__(self, index: int | slice) -> None:
        keys = list(self._modules)
        chosen = keys[index] if isinstance(index, slice) else [self._key(index)]
        for key in chosen:
            del self._modules[key]
        self._renumber(list(self._modules.values()))

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def pop(self, key: Any) -> Any:
        """Remove and return the child at `key` (a number or a slice)."""
        child = self[key]  # type: ignore[index]
        del self[key]
        return child


class Sequential(_Numbered):
    """Modules called one after the other, each on what the one before returned.

    Args: the modules in order, or one OrderedDict of named modules.

    >>> import seegrad as torch
    >>> torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], Mapping) and type(args[0]) is not dict:
            named: Iterable[tuple[str, Any]] = args[0].items()
        else:
            named = ((str(i), module) for i, module in enumerate(args))
        for name, module in named:
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        """The output of the last module."""
        for module in self._modules.values():
            input = module(input)
        return input

    def _key(self, index: Any) -> str:
        return list(self._modules)[in_range(index, len(self))]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            part = list(self._modules.items())[index]
            return type(self)(_Named(part))
        return self._modules[self._key(index)]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def append(self, module: Module) -> Self:
        """Put `module` at the end; returns this Sequential.

        >>> import seegrad as torch
        >>> len(torch.nn.Sequential().append(torch.nn.ReLU()))
        1
        """
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """Put `module` before the one at `index`; returns this Sequential."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        length = len(self)
        if not -length <= index <= length:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential: Iterable[Module]) -> Self:
        """Put all modules of `sequential` at the end; returns this Sequential."""
        for module in list(sequential):
            self.append(module)
        return self

    def __add__(self, other: Any) -> "Sequential":
        self._check_addend(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Self:
        self._check_addend(other)
        return self.extend(other)

    def _check_addend(self, other: Any) -> None:
        if not isinstance(other, Sequential):
            raise ValueError(
                "add operator supports only objects of Sequential class, "
                f"but {type(other)} is given."
            )

    def __mul__(self, other: Any) -> "Sequential":
        self._check_factor(other)
        return Sequential(*chain.from_iterable([list(self)] * other))

    def __rmul__(self, other: Any) -> "Sequential":
        return self.__mul__(other)

    def __imul__(self, other: Any) -> Self:
        self._check_factor(other)
        return self.extend(list(self) * (other - 1))

    def _check_factor(self, other: Any) -> None:
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")


class _Named(Mapping[str, Any]):
    """Named modules in order: what Sequential takes without numbering it anew."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.named = dict(pairs)

    def __getitem__(self, name: str) -> Any:
        return self.named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.named)

    def __len__(self) -> int:
        return len(self.named)


class ModuleList(_Numbered):
    """A list of modules that a Module registers; it cannot be called.

    >>> import seegrad as torch
    >>> torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.ReLU()])
    ModuleList(
      (0-1): 2 x ReLU()
    )
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self)[idx])
        return self._modules[self._key(idx)]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, self._key(idx), module)

    def append(self, module: Module) -> Self:
        """Put `module` at the end; returns this list."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> None:
        """Put `module` before the one at `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)

    def extend(self, modules: Iterable[Module]) -> Self:
        """Put all `modules` at the end; returns this list. TypeError for what is not iterable."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleList.extend should be called with an iterable, but got "
                f"{type(modules).__name__}"
            )
        for module in list(modules):
            self.append(module)
        return self

    def __add__(self, other: Iterable[Module]) -> "ModuleList":
        return ModuleList([*self, *other])

    def __iadd__(self, modules: Iterable[Module]) -> Self:
        return self.extend(modules)

    def __repr__(self) -> str:
        """Equal neighbours are shown once, with their range and number."""
        if len(self) == 0:
            return f"{self._get_name()}()"
        lines = []
        for first, last, text in _runs([repr(module) for module in self]):
            indented = text.replace("\n", "\n  ")
            if first == last:
                lines.append(f"({first}): {indented}")
            else:
                lines.append(f"({first}-{last}): {last - first + 1} x {indented}")
        body = "\n  ".join(lines)
        return f"{self._get_name()}(\n  {body}\n)"


def _runs(texts: list[str]) -> list[tuple[int, int, str]]:
    """Runs of equal neighbours: (first place, last place, text)."""
    runs: list[tuple[int, int, str]] = []
    for place, text in enumerate(texts):
        if runs and runs[-1][2] == text:
            runs[-1] = (runs[-1][0], place, text)
        else:
            runs.append((place, place, text))
    return runs


class ModuleDict(Module):
    """A dictionary of modules that a Module registers; it keeps the order of insertion.

    >>> import seegrad as torch
    >>> torch.nn.ModuleDict({"act": torch.nn.ReLU()})["act"]
    ReLU()
    """

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove and return the module named `key`."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def items(self) -> Any:
        """The pairs of name and module."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Put in all of `modules`: a mapping, or an iterable of (name, module)."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                f"{type(modules).__name__}"
            )
        for key, module in key_value_pairs(modules, "ModuleDict"):
            self[key] = module
