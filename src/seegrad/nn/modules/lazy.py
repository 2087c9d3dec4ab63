"""`LazyModuleMixin`: modules that learn the sizes of their parameters from their first input."""

from typing import Any

from seegrad.nn.parameter import is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """Put before a Module among the bases, it calls `initialize_parameters` at the first call.

    That method gives all uninitialized parameters their shapes. Afterwards, and so that nothing
    of it is left, the module becomes one of `cls_to_become`, where that is set.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyLinear(3)
    >>> _ = layer(torch.ones(1, 2))
    >>> layer
    Linear(in_features=2, out_features=3, bias=True)
    """

    cls_to_become: type | None = None

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Functions, not methods: a module that holds its own methods is a cycle.
        self._load_hook = self._register_load_state_dict_pre_hook(_shape_from, with_module=True)
        self._initialize_hook = self.register_forward_pre_hook(_infer, with_kwargs=True)

    def initialize_parameters(self: Any, *args: Any, **kwargs: Any) -> None:
        """Give all uninitialized parameters the shapes that follow from the input; to override."""
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def has_uninitialized_params(self: Any) -> bool:
        """Whether a parameter or buffer of this module itself has no shape yet."""
        members = (*self._parameters.values(), *self._buffers.values())
        return any(is_lazy(member) for member in members)

    def _infer_parameters(
        self: Any, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {module._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become


def _infer(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    module._infer_parameters(module, args, kwargs)


def _shape_from(module: Any, state_dict: dict[str, Any], prefix: str, *rest: Any) -> None:
    """Before loading: members without a shape get that of what is loaded."""
    for members in (module._parameters, module._buffers):
        for name, member in members.items():
            loaded = state_dict.get(prefix + name)
            if is_lazy(member) and loaded is not None and not is_lazy(loaded):
                member.materialize(loaded.shape)
