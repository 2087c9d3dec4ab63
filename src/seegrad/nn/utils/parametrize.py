"""Parametrisations: a weight of a module is computed from others each time it is read.

    layer.weight                                  what the parametrisations make of it
    layer.parametrizations.weight.original        the parameter that is trained
    layer.parametrizations.weight[0]              the first parametrisation, a module

The module gets a class of its own, derived from the one it had, with a property for each such
tensor; what the property gives is what the `ParametrizationList` computes.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from seegrad.autograd.grad_mode import no_grad
from seegrad.graph.tensor import TensorBase
from seegrad.missing import missing as _missing
from seegrad.nn.modules.container import ModuleDict, ModuleList
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]

__getattr__ = _missing(__name__, __all__)

NO_PICKLE = (
    "Serialization of parametrized modules is only supported through state_dict(). See:\n"
    "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
    "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
)

# Inside of `cached`: what was computed, by module and name. As in PyTorch, one for all threads.
_cache: dict[tuple[int, str], Any] = {}
_depth = 0


@contextmanager
def cached() -> Iterator[None]:
    """In its `with` block each parametrised tensor is computed once.

    >>> import seegrad as torch
    >>> layer = torch.nn.Linear(2, 2)
    >>> _ = register_parametrization(layer, "weight", torch.nn.Tanh(), unsafe=True)
    >>> with cached():
    ...     layer.weight is layer.weight
    True
    """
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if not _depth:
            _cache.clear()


class ParametrizationList(ModuleList):
    """The parametrisations of one tensor, and the tensor or tensors that they begin with.

    Args: `modules`, at least one; `original`, the Parameter or buffer; `unsafe`, whether shape and
    dtype may change. Calling it gives the parametrised tensor. Raises ValueError where a
    parametrisation changes shape or dtype, or gives no tensor.
    """

    original: Any

    def __init__(self, modules: Sequence[Module], original: Any, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, kind = original.shape, original.dtype
        with no_grad():
            begun: Any = self._backwards(original, required=False)
        self.is_tensor = _is_tensor(begun)
        self.ntensors = 1 if self.is_tensor else len(begun)
        if self.is_tensor:
            if begun.dtype != original.dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {original.dtype}\n"
                    f"right_inverse(original).dtype: {begun.dtype}"
                )
            _put(original, begun)
            _register(self, "original", original)
        else:
            for place, one in enumerate(begun):
                if not isinstance(one, TensorBase):
                    raise ValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, "
                        f"tuple...). Got element {place} of the sequence with type "
                        f"{type(one).__name__}."
                    )
                own: Any = one
                if isinstance(original, Parameter):
                    own = Parameter(one, original.requires_grad)
                own.requires_grad_(original.requires_grad)
                _register(self, f"original{place}", own)
        if not unsafe:
            self._check(shape, kind)

    def _check(self, shape: Any, kind: Any) -> None:
        made: Any = self()
        if not isinstance(made, TensorBase):
            raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
        for what, before in (("dtype", kind), ("shape", shape)):
            after = getattr(made, what)
            if before != after:
                raise ValueError(
                    f"Registering a parametrization may not change the {what} of the tensor, "
                    f"unless `unsafe` flag is enabled.\nunparametrized {what}: {before}\n"
                    f"parametrized {what}: {after}"
                )

    def _backwards(self, value: Any, required: bool) -> Any:
        """What the parametrisations would have to begin with to give `value`."""
        for module in reversed(list(self)):
            if hasattr(module, "right_inverse"):
                try:
                    value = module.right_inverse(value)
                except NotImplementedError:
                    if required:
                        raise
            elif required:
                raise RuntimeError(
                    f"parametrization {type(module).__name__} does not implement right_inverse."
                )
        return value

    def right_inverse(self, value: Any) -> None:
        """Set the original so that the parametrised tensor becomes `value`.

        Raises RuntimeError where a parametrisation has no `right_inverse`, ValueError where one
        gives something that does not fit.
        """
        with no_grad():
            begun = self._backwards(value, required=True)
            if self.is_tensor:
                if not isinstance(begun, TensorBase):
                    raise ValueError(
                        f"`right_inverse` should return a tensor. Got {type(begun).__name__}"
                    )
                if begun.dtype != self.original.dtype:
                    raise ValueError(
                        f"The tensor returned by `right_inverse` has dtype {begun.dtype} while "
                        f"`original` has dtype {self.original.dtype}"
                    )
                _put(self.original, begun)
                return
            if not isinstance(begun, Sequence):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors. Got "
                    f"{type(begun).__name__}."
                )
            if len(begun) != self.ntensors:
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors of length "
                    f"{self.ntensors}. Got a sequence of length {len(begun)}."
                )
            for place, one in enumerate(begun):
                _put(getattr(self, f"original{place}"), one)

    def forward(self) -> Any:
        """The parametrised tensor."""
        first, *others = self
        begun = [self.original] if self.is_tensor else [
            getattr(self, f"original{place}") for place in range(self.ntensors)
        ]  # fmt: skip
        made = first(*begun)
        for module in others:
            made = module(made)
        return made


def _is_tensor(begun: Any) -> bool:
    """Whether it is one; False for several."""
    if not isinstance(begun, (TensorBase, Sequence)):
        raise ValueError(
            "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
            f"Got {type(begun).__name__}"
        )
    return isinstance(begun, TensorBase)


def _put(tensor: Any, value: Any) -> None:
    """Gives a tensor, which stays the object that it is, the memory of another."""
    if tensor is not value:
        tensor.data = value.detach() if value.requires_grad else value


def _register(module: Module, name: str, tensor: Any) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _refuse_pickle(self: Any) -> Any:
    raise RuntimeError(NO_PICKLE)


def _copied(self: Any, memo: dict[int, Any]) -> Any:
    """A deep copy, of a class of its own."""
    if id(self) in memo:
        return memo[id(self)]
    copy = self.__new__(type(self))
    memo[id(self)] = copy
    copy.__dict__.update(deepcopy(self.__dict__, memo))
    return copy


def _derive(module: Module) -> None:
    """Gives a module a class of its own, which may have properties of its own."""
    cls: Any = type(module)
    body: dict[str, Any] = {"__getstate__": _refuse_pickle, "__module__": __name__}
    if not hasattr(cls, "__deepcopy__"):
        body["__deepcopy__"] = _copied
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), body)


def _give_property(module: Module, name: str) -> None:
    """Has the module compute a tensor when it is read."""

    def get(self: Any) -> Any:
        if not _depth:
            return self.parametrizations[name]()
        key = id(self), name
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def put(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(get, put))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Have a parameter or buffer of `module` computed by `parametrization`; return the module.

    A second one is applied to what the first gives. `right_inverse` of the parametrisation, where
    there is one, says what it begins with. Raises ValueError where there is no such tensor, and,
    unless `unsafe`, where shape or dtype would change.

    >>> import seegrad as torch
    >>> class Symmetric(torch.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).mT
    >>> layer = register_parametrization(torch.nn.Linear(3, 3), "weight", Symmetric())
    >>> torch.equal(layer.weight, layer.weight.mT)
    True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        found: Any = module.parametrizations[tensor_name]
        if not unsafe:
            _check_next(module, tensor_name, parametrization)
        found.append(parametrization)
        found.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        # Made before anything of the module is changed: it may refuse.
        found = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _derive(module)
            module.parametrizations = ModuleDict()
        _give_property(module, tensor_name)
        module.parametrizations[tensor_name] = found
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element "
            f"with name '{tensor_name}'"
        )
    return module


def _check_next(module: Module, name: str, parametrization: Any) -> None:
    """One more parametrisation keeps shape and dtype, in both directions."""
    now = getattr(module, name)
    made = parametrization(now)
    if not isinstance(made, TensorBase):
        raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
    for what in ("dtype", "shape"):
        before, after = getattr(now, what), getattr(made, what)
        if before != after:
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, unless "
                f"the `unsafe` flag is enabled.\nmodule.{name}.{what}: {before}\n"
                f"parametrization(module.{name}).{what}: {after}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        begun = parametrization.right_inverse(made)
    except NotImplementedError:
        return
    if not isinstance(begun, TensorBase):
        raise ValueError(
            f"parametrization.right_inverse must return a tensor. Got: {type(begun).__name__}"
        )
    for what in ("dtype", "shape"):
        before, after = getattr(now, what), getattr(begun, what)
        if before != after:
            raise ValueError(
                "The tensor returned by parametrization.right_inverse must have the same "
                f"{what} as module.{name}, unless the `unsafe` flag is enabled.\n"
                f"module.{name}.{what}: {before}\nreturned {what}: {after}"
            )


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether any tensor of a module, or the one with this name, is parametrised."""
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Make a parametrised tensor an ordinary one again; return the module.

    It keeps the parametrised value, or, where not `leave_parametrized`, the original one. Raises
    ValueError where it is not parametrised, or has several originals to leave.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    found: Any = module.parametrizations[tensor_name]
    original = found.original if found.is_tensor else found.original0
    if leave_parametrized:
        with no_grad():
            value = getattr(module, tensor_name)
        if found.is_tensor:
            _put(original, value)
        elif isinstance(original, Parameter):
            original = Parameter(value, original.requires_grad)
        else:
            original = value
    elif not found.is_tensor:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is "
            "parametrized in terms of a sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """The class that a module had before any parametrisation."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Parametrise the tensors of one module as those of another, with their values.

    Args: `tensor_name`, or all. Returns `to_module`.
    """
    if not is_parametrized(from_module):
        return to_module
    names = [tensor_name] if tensor_name is not None else list(from_module.parametrizations)
    for name in names:
        given: Any = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach().clone()))
        for one in given:
            register_parametrization(to_module, name, one, unsafe=given.unsafe)
        taken: Any = to_module.parametrizations[name]
        originals = ["original"] if given.is_tensor else [
            f"original{place}" for place in range(given.ntensors)
        ]  # fmt: skip
        with no_grad():
            for one in originals:
                _put(getattr(taken, one), getattr(given, one).detach().clone())
    return to_module
