"""Modules that hold parameters: `ParameterList`, `ParameterDict`."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn, Self

from seegrad.nn.modules.container_keys import in_range, key_value_pairs
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.tensor.tensor import Tensor


def _as_parameter(value: Any) -> Any:
    """A tensor becomes a Parameter; everything else stays what it is."""
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return Parameter(value)
    return value


def _line(key: object, value: Any, kind: Any) -> str:
    """One line of the repr of a container of parameters."""
    if not isinstance(value, Tensor):
        return f"  ({key}): Object of type: {type(value).__name__}"
    size = "x".join(str(length) for length in value.size())
    name = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"  ({key}): {name} containing: [{kind(value)} of size {size}]"


def _indented(name: str, lines: list[str]) -> str:
    """A module's repr with `lines` inside, a single one staying in the first line."""
    if len(lines) == 1:
        return f"{name}({lines[0]})"
    body = "".join(f"\n  {line}" for line in lines)
    return f"{name}({body}\n)" if lines else f"{name}()"


class ParameterList(Module):
    """A list of parameters that a Module registers; tensors put in become Parameters.

    >>> import seegrad as torch
    >>> [p.requires_grad for p in torch.nn.ParameterList([torch.ones(1), torch.ones(2)])]
    [True, True]
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            chosen = type(self)()
            return chosen.extend([self[i] for i in range(*idx.indices(len(self)))])
        return getattr(self, str(in_range(idx, len(self))))

    def __setitem__(self, idx: int, param: Any) -> None:
        setattr(self, str(in_range(idx, len(self))), _as_parameter(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __iadd__(self, parameters: Iterable[Any]) -> Self:
        return self.extend(parameters)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> Self:
        """Put `value` at the end; returns this list."""
        place = self._size
        self._size += 1
        self[place] = value
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Put all `values` at the end; returns this list. TypeError for what is not iterable."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                f"{type(values).__name__}"
            )
        for value in list(values):
            self.append(value)
        return self

    def __repr__(self) -> str:
        lines = [_line(i, value, lambda tensor: tensor.dtype) for i, value in enumerate(self)]
        return _indented(self._get_name(), lines)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dictionary of parameters that a Module registers; tensors put in become Parameters.

    A plain dict comes in the order of its sorted names, as in PyTorch.

    >>> import seegrad as torch
    >>> list(torch.nn.ParameterDict({"b": torch.ones(1), "a": torch.ones(2)}))
    ['a', 'b']
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._name_of(key))

    def __setitem__(self, key: str, value: Any) -> None:
        name = self._name_of(key)
        value = _as_parameter(value)
        if isinstance(value, Parameter):
            self.register_parameter(name, value)  # refuses the names of methods
        else:
            setattr(self, name, value)
        self._keys[key] = None

    def _name_of(self, key: object) -> str:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type "
                f"is '{type(key).__name__}'). Open an issue on github if you need non-string keys."
            )
        return key

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __or__(self, other: Any) -> "ParameterDict":
        copy = self.copy()
        copy.update(other)
        return copy

    def __ror__(self, other: Any) -> Any:
        copy = other.copy()
        copy.update(self)
        return copy

    def __ior__(self, other: Any) -> Self:
        self.update(other)
        return self

    def copy(self) -> "ParameterDict":
        """A new ParameterDict of the same parameters."""
        return ParameterDict(OrderedDict((key, self[key]) for key in self._keys))

    def get(self, key: str, default: Any = None) -> Any:
        """The value at `key`, or `default`."""
        return self[key] if key in self._keys else default

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value at `key`, put there as `default` if it was missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Remove everything."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Remove and return the value at `key`."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Remove and return the last pair of name and value."""
        key = next(reversed(self))
        return key, self.pop(key)

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> "ParameterDict":
        """A new ParameterDict with `default` at all `keys`."""
        return ParameterDict([(key, default) for key in keys])

    def keys(self) -> Any:
        """The names."""
        return self._keys.keys()

    def items(self) -> Iterator[tuple[str, Any]]:
        """The pairs of name and value."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterator[Any]:
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Put in all of `parameters`: a mapping, or an iterable of (name, value)."""
        if not isinstance(parameters, Iterable):
            raise TypeError(
                "ParametersDict.update should be called with an iterable of key/value pairs, but "
                f"got {type(parameters).__name__}"
            )
        pairs = key_value_pairs(parameters, "ParameterDict")
        in_order = (
            isinstance(parameters, OrderedDict | ParameterDict) or type(parameters) is not dict
        )
        for key, value in pairs if in_order else sorted(pairs, key=lambda pair: pair[0]):
            self[key] = value

    def __repr__(self) -> str:
        lines = [_line(key, value, Tensor.type) for key, value in self.items()]
        return _indented(self._get_name(), lines)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("ParameterDict should not be called.")
