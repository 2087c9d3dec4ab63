"""`Optimizer`: parameter groups, state, and what every optimiser does besides its step."""

import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from seegrad.graph.asked import tap
from seegrad.graph.hooks import RemovableHandle
from seegrad.optim.blocks import Scratch
from seegrad.optim.step_hooks import (
    Hook,
    register,
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
    with_hooks,
)
from seegrad.optim.step_hooks import use_grad_for_differentiable as _use_grad_for_differentiable
from seegrad.tensor.tensor import Tensor

__all__ = [
    "Optimizer",
    "_use_grad_for_differentiable",
    "register_optimizer_step_post_hook",
    "register_optimizer_step_pre_hook",
    "required",
]

Group = dict[str, Any]

_HOOKS = (
    "_optimizer_step_pre_hooks",
    "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks",
    "_optimizer_load_state_dict_post_hooks",
)


class _RequiredParameter:
    """The default of an option that every group has to give."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _RequiredParameter()


class Optimizer:
    """The base of all optimisers: subclasses hand down defaults and define `step`.

    Args: `params`, the tensors to optimise, or dicts of them with options of their own;
    `defaults`, the options of groups that do not set them. Raises ValueError for no parameter, for
    one that was computed and for one in two groups, TypeError for what is no tensor.

    >>> import seegrad as torch
    >>> layer = torch.nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD([
    ...     {"params": layer.weight, "lr": 0.5}, {"params": layer.bias}], lr=0.1)
    >>> [group["lr"] for group in optimizer.param_groups]
    [0.5, 0.1]
    """

    defaults: dict[str, Any]
    state: defaultdict[Any, Any]
    param_groups: list[Group]
    _optimizer_step_pre_hooks: dict[int, Hook]
    _optimizer_step_post_hooks: dict[int, Hook]
    _optimizer_state_dict_pre_hooks: dict[int, Hook]
    _optimizer_state_dict_post_hooks: dict[int, Hook]
    _optimizer_load_state_dict_pre_hooks: dict[int, Hook]
    _optimizer_load_state_dict_post_hooks: dict[int, Hook]
    _opt_called = False
    _is_scheduled = False
    _scheduled_step: Any = None  # what an instance had in place of `step` then

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        step = cls.__dict__.get("step")
        if step is not None:
            cls.step = with_hooks(step)  # type: ignore[method-assign]
            tap(cls.step, "torch.optim", "Optimizer.step")

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._make_unsaved()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or "
                f"dicts, but got {params.type()}"
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _make_unsaved(self) -> None:
        """What a copy or a pickle starts anew: the hooks, and room to compute in."""
        for name in _HOOKS:
            setattr(self, name, OrderedDict())
        self._scratch = Scratch()

    def __getstate__(self) -> dict[str, Any]:
        saved = ("defaults", "state", "param_groups")
        return {name: self.__dict__[name] for name in saved}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_scratch" not in self.__dict__:
            self._make_unsaved()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        described = [_described(number, group) for number, group in enumerate(self.param_groups)]
        return f"{type(self).__name__} (\n" + "\n\n".join(described) + "\n)"

    def add_param_group(self, param_group: Group) -> None:
        """Add a dict of `params` and options, completed by the defaults.

        Raises TypeError for what is no dict of tensors, ValueError for parameters that were
        computed or are here already.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        param_group["params"] = _listed(param_group["params"])
        _split_names(param_group)
        for param in param_group["params"]:
            _check_parameter(param, bool(self.defaults.get("differentiable")))
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter "
                    f"{name}"
                )
            param_group.setdefault(name, default)
        self._check_duplicates(param_group)
        self.param_groups.append(param_group)

    def _check_duplicates(self, new: Group) -> None:
        params = new["params"]
        if len({id(param) for param in params}) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information",
                stacklevel=4,
            )
        known = {id(param) for group in self.param_groups for param in group["params"]}
        if any(id(param) in known for param in params):
            raise ValueError("some parameters appear in more than one parameter group")
        if self.param_groups and ("param_names" in new) != ("param_names" in self.param_groups[0]):
            kind = "without" if "param_names" in self.param_groups[0] else "with"
            raise ValueError(
                "all optimizer param groups should be with/without names. "
                f"cannot add param group {kind} names to the optimizer"
            )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; subclasses define how."""
        raise NotImplementedError

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients (`set_to_none=False`: fill them with zeros).

        >>> import seegrad as torch
        >>> x = torch.ones(1, requires_grad=True)
        >>> (x * 2).sum().backward()
        >>> torch.optim.SGD([x]).zero_grad()
        >>> x.grad is None
        True
        """
        for group in self.param_groups:
            for param in group["params"]:
                if set_to_none:
                    param.grad = None
                elif param.grad is not None:
                    _zero(param.grad)

    def state_dict(self) -> dict[str, Any]:
        """The state and the groups, parameters replaced by their numbers; shares memory.

        >>> import seegrad as torch
        >>> optimizer = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=0.1)
        >>> optimizer.state_dict()["param_groups"][0]["params"]
        [0, 1]
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            packed = {key: value for key, value in group.items() if key != "params"}
            for param in group["params"]:
                numbers.setdefault(id(param), len(numbers))
            packed["params"] = [numbers[id(param)] for param in group["params"]]
            groups.append(packed)
        state = {
            numbers[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        result: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            result = result if changed is None else changed
        return result

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned, state in the dtype of its parameter.

        Raises ValueError where the groups have other sizes.
        """
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        saved = deepcopy(state_dict["param_groups"])
        self._check_groups(saved)
        numbers = chain.from_iterable(group["params"] for group in saved)
        params = chain.from_iterable(group["params"] for group in self.param_groups)
        by_number = dict(zip(numbers, params, strict=True))
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            param = by_number.get(key)
            state[key if param is None else param] = (
                value if param is None else _state_for(param, value)
            )
        groups = [
            _taken_over(group, loaded)
            for group, loaded in zip(self.param_groups, saved, strict=True)
        ]
        self.__setstate__({"state": state, "param_groups": groups})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def _check_groups(self, saved: list[Group]) -> None:
        if len(self.param_groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        sizes = [len(group["params"]) for group in self.param_groups]
        if sizes != [len(group["params"]) for group in saved]:
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )

    def register_step_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; it may return new ones."""
        return register(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return register(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` before `state_dict` looks."""
        return register(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` at the end; what it returns replaces the result."""
        return register(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` first; what it returns is loaded instead."""
        return register(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` after `load_state_dict`."""
        return register(self._optimizer_load_state_dict_post_hooks, hook, prepend)


for _name in ("__init__", "add_param_group", "zero_grad"):
    tap(getattr(Optimizer, _name), "torch.optim", f"Optimizer.{_name}")


def _described(number: int, group: Group) -> str:
    """A group in the repr: its options in the order of their names."""
    options = [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
    return "\n".join([f"Parameter Group {number}", *options])


def _listed(params: Any) -> list[Any]:
    if isinstance(params, Tensor):
        return [params]
    if isinstance(params, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering "
            "of tensors in sets will change between runs. Please use a list instead."
        )
    return list(params)


def _split_names(group: Group) -> None:
    """Parameters given as (name, tensor): the names go under `param_names`."""
    named = [isinstance(param, tuple) for param in group["params"]]
    if not any(named):
        return
    if not all(named):
        raise ValueError(
            "all optimizer params should be with/without names. Some param names are missing"
        )
    pairs = group["params"]
    group["params"] = [param for _, param in pairs]
    group["param_names"] = [name for name, _ in pairs]


def _check_parameter(param: Any, is_any_history_right: bool) -> None:
    if not isinstance(param, Tensor):
        raise TypeError(
            f"optimizer can only optimize Tensors, but one of the params is {type(param).__name__}"
        )
    if not (is_any_history_right or param.is_leaf or param.retains_grad):
        raise ValueError("can't optimize a non-leaf Tensor")


def _zero(grad: Tensor) -> None:
    if grad.grad_fn is not None:
        grad.detach_()
    else:
        grad.requires_grad_(False)
    grad.zero_()


def _state_for(param: Tensor, value: Any, key: str = "") -> Any:
    """Loaded state with its tensors in the dtype of `param`; the count of steps keeps its own."""
    if isinstance(value, Tensor):
        keep = key == "step" or not (param.is_floating_point() or param.is_complex())
        return value if keep else value.to(dtype=param.dtype)
    if isinstance(value, dict):
        return {name: _state_for(param, part, name) for name, part in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return type(value)(_state_for(param, part) for part in value)  # type: ignore[call-arg]
    return value


def _taken_over(group: Group, loaded: Group) -> Group:
    """The loaded options, with the parameters of `group` and their names."""
    kept: Group = {key: group[key] for key in ("params", "param_names") if key in group}
    return {key: value for key, value in loaded.items() if key != "param_names"} | kept
