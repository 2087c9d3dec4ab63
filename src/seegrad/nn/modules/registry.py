"""What a module owns: its parameters, buffers and children, and the attribute rules over them."""

from typing import Any

from seegrad.nn.modules.global_hooks import GLOBAL, registered
from seegrad.nn.parameter import Buffer, Parameter
from seegrad.tensor.tensor import Tensor

_MISSING = object()


def type_name(value: object) -> str:
    """The name that PyTorch's error messages give to a value: `torch.FloatTensor`, `int` ..."""
    if isinstance(value, Tensor):
        return str(value.type())
    cls = value if isinstance(value, type) else type(value)
    module = cls.__module__
    return cls.__qualname__ if module in ("builtins", None) else f"{module}.{cls.__qualname__}"


class Registry:
    """The three dictionaries of a module, and what its attributes mean.

    Registered members live in `_parameters`, `_buffers` and `_modules`, never in `__dict__`, so
    that one name means one thing: assigning to a name moves it to where the new value belongs.
    """

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]

    def _owned(self, store: str, action: str) -> dict[str, Any]:
        """The dictionary `store`, or PyTorch's error when `Module.__init__` has not run."""
        owned = self.__dict__.get(store)
        if owned is None:
            raise AttributeError(f"cannot assign {action} before Module.__init__() call")
        return owned  # type: ignore[no-any-return]

    def _check_new_name(self, kind: str, name: object, store: dict[str, Any]) -> None:
        """Raise what PyTorch raises for a member name that cannot be registered."""
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {type_name(name)}")
        if hasattr(self, name) and name not in store:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            shown = f", got: {name}" if kind == "module" else ""
            raise KeyError(f'{kind} name can\'t contain "."{shown}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register `tensor` as the buffer `name`: state that is not trained.

        A persistent buffer is part of `state_dict`. Raises KeyError for a name that is taken,
        empty or dotted, TypeError for what is no tensor.

        >>> import seegrad as torch
        >>> module = torch.nn.Module()
        >>> module.register_buffer("mean", torch.zeros(2))
        >>> module.mean
        tensor([0., 0.])
        """
        store = self._owned("_buffers", "buffer")
        self._check_new_name("buffer", name, store)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type_name(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        store[name] = registered(GLOBAL.buffer, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register `param` as the parameter `name`.

        Raises KeyError for a name that is taken, empty or dotted, TypeError for what is no
        Parameter, ValueError for a Parameter that was computed.

        >>> import seegrad as torch
        >>> module = torch.nn.Module()
        >>> module.register_parameter("scale", torch.nn.Parameter(torch.ones(1)))
        >>> [name for name, _ in module.named_parameters()]
        ['scale']
        """
        store = self._owned("_parameters", "parameter")
        self._check_new_name("parameter", name, store)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type_name(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                "created explicitly. To express 'name' as a function of another Tensor, compute "
                "the value in the forward() method."
            )
        if param is not None:
            param = registered(GLOBAL.parameter, self, name, param)
        store[name] = param

    def add_module(self, name: str, module: Any) -> None:
        """Register `module` (a Module or None) as the child `name`.

        Raises KeyError for a name that is taken, empty or dotted, TypeError for what is no module.

        >>> import seegrad as torch
        >>> parent = torch.nn.Module()
        >>> parent.add_module("act", torch.nn.ReLU())
        >>> parent.act
        ReLU()
        """
        if not isinstance(module, Registry) and module is not None:
            raise TypeError(f"{type_name(module)} is not a Module subclass")
        store = self._modules
        self._check_new_name("module", name, store)
        store[name] = registered(GLOBAL.module, self, name, module)

    def register_module(self, name: str, module: Any) -> None:
        """Alias of `add_module`."""
        self.add_module(name, module)

    def __getattr__(self, name: str) -> Any:
        # Called only when the ordinary look-up failed; parameters are by far the commonest.
        own = self.__dict__
        parameters = own.get("_parameters")
        if parameters is not None and name in parameters:
            return parameters[name]
        for store in ("_buffers", "_modules"):
            members = own.get(store)
            if members is not None and name in members:
                return members[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Parameter):
            self._owned("_parameters", "parameters")
            self._forget(name, keep="_parameters")
            self.register_parameter(name, value)
        elif isinstance(value, Registry):
            store = self._owned("_modules", "module")
            self._forget(name, keep="_modules")
            store[name] = registered(GLOBAL.module, self, name, value)
        elif isinstance(value, Buffer):
            self._owned("_buffers", "buffer")
            self._forget(name, keep="_buffers")
            buffer: Any = value
            self.register_buffer(name, buffer, getattr(buffer, "persistent", True))
        elif not self._assign_registered(name, value):
            object.__setattr__(self, name, value)

    def _forget(self, name: str, keep: str) -> None:
        """Remove `name` from everywhere except the dictionary `keep`."""
        own = self.__dict__
        for store in (own, own["_parameters"], own["_buffers"], own["_modules"]):
            if store is not own[keep]:
                store.pop(name, None)
        if keep != "_buffers":
            self._non_persistent_buffers_set.discard(name)

    def _assign_registered(self, name: str, value: Any) -> bool:
        """Assign an ordinary value to a registered name; False when the name is not registered."""
        own = self.__dict__
        if name in own.get("_parameters", ()):
            if value is not None:
                raise _cannot_assign(value, "parameter", name, "torch.nn.Parameter")
            self.register_parameter(name, None)
        elif name in own.get("_modules", ()):
            if value is not None:
                raise _cannot_assign(value, "child module", name, "torch.nn.Module")
            own["_modules"][name] = registered(GLOBAL.module, self, name, None)
        elif name in own.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise _cannot_assign(value, "buffer", name, "torch.nn.Buffer, torch.Tensor")
            own["_buffers"][name] = registered(GLOBAL.buffer, self, name, value)
        else:
            return False
        return True

    def __delattr__(self, name: str) -> None:
        own = self.__dict__
        for store in ("_parameters", "_buffers", "_modules"):
            if own.get(store, {}).pop(name, _MISSING) is not _MISSING:
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__]
        names += [*self._parameters, *self._buffers, *self._modules]
        return sorted(name for name in set(names) if not name[:1].isdigit())


def _cannot_assign(value: object, kind: str, name: str, wanted: str) -> TypeError:
    return TypeError(
        f"cannot assign '{type_name(value)}' as {kind} '{name}' ({wanted} or None expected)"
    )
