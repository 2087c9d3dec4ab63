"""`Module`: the base class of everything that owns parameters."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from seegrad.graph.asked import tap
from seegrad.nn.modules.conversion import Conversion
from seegrad.nn.modules.global_hooks import (
    GLOBAL,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from seegrad.nn.modules.hooks import Hookable
from seegrad.nn.modules.state_dict import StateDict
from seegrad.nn.modules.state_dict import _IncompatibleKeys as _IncompatibleKeys

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

any_global = GLOBAL.any
T_destination = TypeVar("T_destination", bound=dict[str, Any])


def _forward_unimplemented(self: Any, *input: Any) -> None:
    raise NotImplementedError(
        f'Module [{type(self).__name__}] is missing the required "forward" function'
    )


class Module(Hookable, StateDict, Conversion):
    """A part of a model: it owns parameters, buffers and other modules, and `forward` computes.

    Subclasses call `super().__init__()`, assign Parameters and Modules as attributes, and define
    `forward`. Calling a module calls `forward` with its hooks around it.

    >>> import seegrad as torch
    >>> class Scale(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = torch.nn.Parameter(torch.tensor(3.0))
    ...     def forward(self, x):
    ...         return x * self.factor
    >>> Scale()(torch.ones(2))
    tensor([3., 3.], grad_fn=<MulBackward0>)
    """

    T_destination = T_destination
    _compiled_call_impl: Any = None
    _version = 1
    call_super_init = False
    dump_patches = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            raise TypeError(_unexpected(type(self).__name__, args, kwargs))
        own = self.__dict__  # direct: __setattr__ asks for the dictionaries that are made here
        own["training"] = True
        own["_parameters"] = {}
        own["_buffers"] = {}
        own["_non_persistent_buffers_set"] = set()
        own["_backward_pre_hooks"] = OrderedDict()
        own["_backward_hooks"] = OrderedDict()
        own["_is_full_backward_hook"] = None
        own["_forward_hooks"] = OrderedDict()
        own["_forward_hooks_with_kwargs"] = OrderedDict()
        own["_forward_hooks_always_called"] = OrderedDict()
        own["_forward_pre_hooks"] = OrderedDict()
        own["_forward_pre_hooks_with_kwargs"] = OrderedDict()
        own["_state_dict_hooks"] = OrderedDict()
        own["_state_dict_pre_hooks"] = OrderedDict()
        own["_load_state_dict_pre_hooks"] = OrderedDict()
        own["_load_state_dict_post_hooks"] = OrderedDict()
        own["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    forward: Callable[..., Any] = _forward_unimplemented

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # The common case is a module without hooks: four look-ups, then straight to `forward`.
        if not (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or any_global
        ):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    _call_impl = __call__

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Accepted, and changes nothing: modules run as they are.

        >>> import seegrad as torch
        >>> torch.nn.ReLU().compile()
        """

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What stands between the brackets of the repr; for subclasses to override."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = [
            f"({name}): {_addindent(repr(module), 2)}" for name, module in self._modules.items()
        ]
        if len(extra_lines) == 1 and not child_lines:
            return f"{self._get_name()}({extra})"
        lines = extra_lines + child_lines
        body = "\n  " + "\n  ".join(lines) + "\n" if lines else ""
        return f"{self._get_name()}({body})"


for _name in ("__init__", "__call__", "load_state_dict", "zero_grad", "requires_grad_", "_apply"):
    tap(getattr(Module, _name), "torch.nn", f"Module.{_name}")


def _unexpected(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    if kwargs:
        return f"{name}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'"
    return f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given"


def _addindent(s_: str, numSpaces: int) -> str:
    """`s_` with all lines but the first moved in."""
    return s_.replace("\n", "\n" + " " * numSpaces)
