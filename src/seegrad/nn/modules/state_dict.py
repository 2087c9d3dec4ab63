"""Saving and loading the state of a module: `state_dict` and `load_state_dict`."""

import itertools
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from seegrad.autograd.grad_mode import no_grad
from seegrad.nn.modules.traversal import Traversal
from seegrad.nn.parameter import Parameter, is_lazy
from seegrad.tensor.tensor import Tensor
from seegrad.utils.hooks import RemovableHandle

_EXTRA_STATE = "_extra_state"
_UNREACHABLE = (
    "Reached a code path in Module.{}() that should never be called. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
)
_POSITIONAL = (
    "Positional args are being deprecated, use kwargs instead. Refer to "
    "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict "
    "for details."
)


class _IncompatibleKeys(
    NamedTuple("IncompatibleKeys", [("missing_keys", list[str]), ("unexpected_keys", list[str])])
):
    """What `load_state_dict` returns: the keys that had no counterpart."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


class StateDict(Traversal):
    """The state of a module as one flat dictionary from dotted paths to tensors."""

    _version: int
    _state_dict_hooks: dict[int, Callable[..., Any]]
    _state_dict_pre_hooks: dict[int, Callable[..., Any]]
    _load_state_dict_pre_hooks: dict[int, Callable[..., Any]]
    _load_state_dict_post_hooks: dict[int, Callable[..., Any]]

    def get_extra_state(self) -> Any:
        """Override together with `set_extra_state` to put more than tensors into `state_dict`."""
        raise RuntimeError(_UNREACHABLE.format("get_extra_state"))

    def set_extra_state(self, state: Any) -> None:
        """Receive from `load_state_dict` what `get_extra_state` returned."""
        raise RuntimeError(_UNREACHABLE.format("set_extra_state"))

    def state_dict(
        self,
        *args: Any,
        destination: dict[str, Any] | None = None,
        prefix: str = "",
        keep_vars: bool = False,
    ) -> dict[str, Any]:
        """All parameters and persistent buffers, by dotted path, sharing memory with the module.

        `keep_vars=True` gives the Parameters themselves, else detached tensors. The result is an
        OrderedDict with PyTorch's `_metadata`.

        >>> import seegrad as torch
        >>> list(torch.nn.Sequential(torch.nn.Linear(1, 2)).state_dict())
        ['0.weight', '0.bias']
        """
        if args:
            warnings.warn(_POSITIONAL, FutureWarning, stacklevel=2)
            given = [*args, *(destination, prefix, keep_vars)[len(args) :]]
            destination, prefix, keep_vars = given
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()  # type: ignore[attr-defined]
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}{name}."
                module.state_dict(destination=destination, prefix=path, keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, metadata)
            destination = destination if changed is None else changed
        return destination

    def _save_to_state_dict(
        self, destination: dict[str, Any], prefix: str, keep_vars: bool
    ) -> None:
        """Put what this module itself owns into `destination`."""
        for name, member in self._local_state().items():
            if member is not None:
                whole = keep_vars or is_lazy(member)
                destination[prefix + name] = member if whole else member.detach()
        if self._has_extra_state("get_extra_state"):
            destination[prefix + _EXTRA_STATE] = self.get_extra_state()

    def _local_state(self) -> dict[str, Any]:
        """Own parameters and persistent buffers by name, empty ones included."""
        persistent = {
            name: buffer
            for name, buffer in self._buffers.items()
            if name not in self._non_persistent_buffers_set
        }
        return {**self._parameters, **persistent}

    def _has_extra_state(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(StateDict, method)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy the tensors of `state_dict` into this module (`assign=True`: take them over).

        Returns the missing and the unexpected keys. Raises RuntimeError that lists all misfits:
        wrong sizes always, missing and unexpected keys if `strict`; TypeError for no mapping.

        >>> import seegrad as torch
        >>> one, two = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
        >>> two.load_state_dict(one.state_dict())
        <All keys matched successfully>
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        loading = _Loading(state_dict, strict, assign)
        loading.load(self, OrderedDict(state_dict), "")
        loading.raise_errors(type(self).__name__)
        return _IncompatibleKeys(loading.missing_keys, loading.unexpected_keys)

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Load what this module itself owns; errors are collected in the three lists."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(
                self, state_dict, prefix, local_metadata, strict,
                missing_keys, unexpected_keys, error_msgs,
            )  # fmt: skip
        local_state = {k: v for k, v in self._local_state().items() if v is not None}
        assign = bool(local_metadata.get("assign_to_params_buffers", False))
        for name, member in local_state.items():
            key = prefix + name
            if key in state_dict:
                error = self._load_member(name, member, key, state_dict[key], assign)
                error_msgs.extend(error)
            elif strict:
                missing_keys.append(key)
        if self._has_extra_state("set_extra_state"):
            if prefix + _EXTRA_STATE in state_dict:
                self.set_extra_state(state_dict[prefix + _EXTRA_STATE])
            elif strict:
                missing_keys.append(prefix + _EXTRA_STATE)
        elif strict and prefix + _EXTRA_STATE in state_dict:
            unexpected_keys.append(prefix + _EXTRA_STATE)
        if strict:
            unexpected_keys.extend(self._unexpected(state_dict, prefix, local_state))

    def _unexpected(
        self, state_dict: dict[str, Any], prefix: str, local_state: dict[str, Any]
    ) -> list[str]:
        """The keys under `prefix` that name neither an own member nor a child."""
        found = []
        for key in state_dict:
            if key.startswith(prefix) and key != prefix + _EXTRA_STATE:
                name, dot, _ = key[len(prefix) :].partition(".")
                if name not in (self._modules if dot else local_state):
                    found.append(key)
        return found

    def _load_member(
        self, name: str, member: Tensor, key: str, loaded: Any, assign: bool
    ) -> list[str]:
        """Load one tensor; the list of what went wrong."""
        if not isinstance(loaded, Tensor):
            return [
                f'While copying the parameter named "{key}", expected torch.Tensor or '
                f"Tensor-like object from checkpoint but received {type(loaded)}"
            ]
        if is_lazy(member) and is_lazy(loaded):
            return []
        if member.ndim == 0 and loaded.ndim == 1 and len(loaded) == 1:
            loaded = loaded[0]  # scalars were once saved with shape (1,)
        if loaded.shape != member.shape:
            return [
                f"size mismatch for {key}: copying a param with shape {loaded.shape} from "
                f"checkpoint, the shape in current model is {member.shape}."
            ]
        try:
            self._take(name, member, loaded, assign)
        except Exception as error:
            return [
                f'While copying the parameter named "{key}", whose dimensions in the model are '
                f"{member.size()} and whose dimensions in the checkpoint are {loaded.size()}, an "
                f"exception occurred : {error.args}."
            ]
        return []

    def _take(self, name: str, member: Tensor, loaded: Tensor, assign: bool) -> None:
        with no_grad():
            if not assign:
                member.copy_(loaded)
            elif isinstance(member, Parameter):
                if not isinstance(loaded, Parameter):
                    loaded = Parameter(loaded, requires_grad=member.requires_grad)
                else:
                    loaded.requires_grad_(member.requires_grad)
                setattr(self, name, loaded)
            else:
                setattr(self, name, loaded)

    def register_state_dict_post_hook(self, hook: Callable[..., None]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` at the end of `state_dict`."""
        return _register(self._state_dict_hooks, _ReturnsNothing(hook))

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """As `register_state_dict_post_hook`; what the hook returns replaces the dictionary."""
        return _register(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., None]) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` at the start of `state_dict`."""
        return _register(self._state_dict_pre_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., None]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata, strict, missing_keys,
        unexpected_keys, error_msgs)` before this module loads its own state.
        """
        return _register(self._load_state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable[..., None], with_module: bool = False
    ) -> RemovableHandle:
        """As `register_load_state_dict_pre_hook`, without the module unless `with_module`."""
        called = hook if with_module else _WithoutModule(hook)
        return _register(self._load_state_dict_pre_hooks, called)

    def register_load_state_dict_post_hook(self, hook: Callable[..., None]) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after this module loaded; it may edit them."""
        return _register(self._load_state_dict_post_hooks, hook)


def _register(hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


class _WithoutModule:
    """A hook that is called without its module; an object, so that it is copied with it."""

    def __init__(self, hook: Callable[..., None]) -> None:
        self.hook = hook

    def __call__(self, module: StateDict, *args: Any) -> None:
        self.hook(*args)


class _ReturnsNothing:
    """A hook that must return None."""

    def __init__(self, hook: Callable[..., None]) -> None:
        self.hook = hook

    def __call__(self, *args: Any) -> None:
        returned: Any = self.hook(*args)
        if returned is not None:
            raise RuntimeError("state_dict post-hook must return None")


class _Loading:
    """One run of `load_state_dict`: what it was asked, and the misfits found so far."""

    def __init__(self, state_dict: Mapping[str, Any], strict: bool, assign: bool) -> None:
        self.metadata = getattr(state_dict, "_metadata", None)
        self.strict = strict
        self.assign = assign
        self.missing_keys: list[str] = []
        self.unexpected_keys: list[str] = []
        self.error_msgs: list[str] = []

    def load(self, module: StateDict, state_dict: dict[str, Any], prefix: str) -> None:
        """Load `module` and its children from the part of the state that is theirs."""
        local_metadata = {} if self.metadata is None else self.metadata.get(prefix[:-1], {})
        if self.assign:
            local_metadata["assign_to_params_buffers"] = True
        module._load_from_state_dict(
            state_dict, prefix, local_metadata, True,
            self.missing_keys, self.unexpected_keys, self.error_msgs,
        )  # fmt: skip
        for name, child in module._modules.items():
            if child is not None:
                path = f"{prefix}{name}."
                part = {key: v for key, v in state_dict.items() if key.startswith(path)}
                self.load(child, part, path)
        incompatible = _IncompatibleKeys(self.missing_keys, self.unexpected_keys)
        for hook in module._load_state_dict_post_hooks.values():
            if hook(module, incompatible) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are not "
                    "expected to return new values, if incompatible_keys need to be modified, "
                    "it should be done inplace."
                )

    def raise_errors(self, name: str) -> None:
        """Raise PyTorch's one error that lists everything that did not fit."""
        messages = list(self.error_msgs)
        if self.strict:
            listed = [("Missing", self.missing_keys), ("Unexpected", self.unexpected_keys)]
            keys = [_list_keys(word, names) for word, names in listed if names]
            messages = list(itertools.chain(keys, messages))
        if messages:
            text = "\n\t".join(messages)
            raise RuntimeError(f"Error(s) in loading state_dict for {name}:\n\t{text}")


def _list_keys(word: str, keys: list[str]) -> str:
    quoted = ", ".join(f'"{key}"' for key in keys)
    return f"{word} key(s) in state_dict: {quoted}. "
