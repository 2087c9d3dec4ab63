"""Pruning: a mask of zeros and ones on a parameter, multiplied in before each forward pass.

    layer.weight_orig     the parameter that is trained
    layer.weight_mask     a buffer, 0 where it is pruned
    layer.weight          their product, an attribute that a hook renews

A second pruning of the same tensor chooses among what the first one left (`PruningContainer`).
"""

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from seegrad.missing import missing as _missing
from seegrad.nn.modules.module import Module
from seegrad.nn.utils.convert_parameters import parameters_to_vector
from seegrad.ops.norms import norm
from seegrad.tensor.creation import ones_like, zeros_like
from seegrad.tensor.sampling import rand, rand_like

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]

__getattr__ = _missing(__name__, __all__)


class BasePruningMethod(ABC):
    """What chooses the elements that are pruned; as a hook it multiplies the mask in.

    A subclass says by `PRUNING_TYPE` what a second pruning shows it of the tensor:
    `"unstructured"` the elements that are left, `"structured"` the slices along its `dim` that
    are left, `"global"` all.

    >>> import seegrad as torch
    >>> class EverySecond(BasePruningMethod):
    ...     PRUNING_TYPE = "unstructured"
    ...     def compute_mask(self, t, default_mask):
    ...         mask = default_mask.clone()
    ...         mask.view(-1)[::2] = 0
    ...         return mask
    >>> layer = torch.nn.Linear(2, 2)
    >>> _ = EverySecond.apply(layer, "weight")
    >>> layer.weight_mask
    tensor([[0., 1.],
            [0., 1.]])
    """

    PRUNING_TYPE: str
    _tensor_name: str

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask for a tensor, of its shape, with the zeros of `default_mask` at least."""

    def apply_mask(self, module: Module) -> Any:
        """The parameter times its mask, recorded."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask = getattr(module, f"{name}_mask")
        original = getattr(module, f"{name}_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> "BasePruningMethod":
        """Prune a parameter of `module` by this method, made with the other arguments.

        Args: `importance_scores`, of the parameter's shape, chosen by instead of its values.
        Returns the hook: the method, or a container with those that pruned the tensor before.
        """
        found = _hook_of(module, name)
        method: BasePruningMethod = cls(*args, **kwargs)
        method._tensor_name = name
        tensor = getattr(module, name)
        scores = _scores(importance_scores, tensor, f"parameter {name} of {module}")
        if found is None:
            mask = method.compute_mask(scores, default_mask=ones_like(tensor))
            module.register_parameter(f"{name}_orig", tensor)
            del module._parameters[name]
        else:
            key, before = found
            if not isinstance(before, PruningContainer):
                before = PruningContainer(before)
            method = PruningContainer(*before, method)
            now = getattr(module, f"{name}_mask").detach().clone()
            mask = method.compute_mask(scores, now)
            del module._forward_pre_hooks[key]
        module.register_buffer(f"{name}_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """A tensor with what this method chooses set to 0; no module is needed."""
        scores = _scores(importance_scores, t, "tensor t")
        if default_mask is None:
            default_mask = ones_like(t)
        return t * self.compute_mask(scores, default_mask=default_mask)

    def remove(self, module: Module) -> None:
        """Make the pruned values those of the parameter, which gets its name again."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        pruned = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original: Any = module._parameters.pop(f"{name}_orig")
        original.data = pruned.data
        del module._buffers[f"{name}_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """The methods that pruned one tensor, in their order.

    Args: methods that were applied to one name, or an iterable of them.
    """

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        if len(args) == 1 and isinstance(args[0], list | tuple):
            args = tuple(args[0])
        if args:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: BasePruningMethod | None) -> None:
        """Append a method. Raises TypeError for another thing, ValueError for another name."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """What the last method makes of the part that `default_mask` leaves it."""
        method, mask = self._pruning_methods[-1], default_mask.clone()
        part = _left(method, t, mask)
        mask[part] = method.compute_mask(t[part], default_mask=mask[part]).to(mask.dtype)
        return mask


def _left(method: Any, t: Any, mask: Any) -> Any:
    """The index of what an earlier pruning left for a method to choose from."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return (slice(None),) * t.ndim
    if method.PRUNING_TYPE != "structured":
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    if not hasattr(method, "dim"):
        raise AttributeError(
            'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` '
            "defined."
        )
    dim = method.dim % t.ndim
    channels = mask.sum(dim=[other for other in range(t.ndim) if other != dim]) != 0
    return (*[slice(None)] * dim, channels)


class Identity(BasePruningMethod):
    """Prunes nothing: a mask of ones."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask as it is."""
        return default_mask

    @classmethod
    def apply(cls, module: Module, name: str) -> BasePruningMethod:  # type: ignore[override]
        """Give a parameter of `module` a mask of ones."""
        return super().apply(module, name)


class RandomUnstructured(BasePruningMethod):
    """Prunes elements by chance. Args: `amount`, their number (int) or share (float)."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: Any) -> None:
        _check_amount(amount)
        self.amount = amount

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """`default_mask` with `amount` zeros more."""
        count, mask = _count(self.amount, t.nelement()), default_mask.clone()
        if count:
            mask.view(-1)[rand_like(t).view(-1).topk(count).indices] = 0
        return mask

    @classmethod
    def apply(cls, module: Module, name: str, amount: Any) -> BasePruningMethod:  # type: ignore[override]
        """Prune elements of a parameter of `module` by chance."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(BasePruningMethod):
    """Prunes the smallest elements. Args: `amount`, their number (int) or share (float)."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: Any) -> None:
        _check_amount(amount)
        self.amount = amount

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """`default_mask` with zeros for the `amount` smallest absolute values."""
        count, mask = _count(self.amount, t.nelement()), default_mask.clone()
        if count:
            mask.view(-1)[t.abs().view(-1).topk(count, largest=False).indices] = 0
        return mask

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Module, name: str, amount: Any, importance_scores: Any = None
    ) -> BasePruningMethod:
        """Prune the smallest elements of a parameter of `module`."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class RandomStructured(BasePruningMethod):
    """Prunes slices along `dim` by chance. Args: `amount`, their number (int) or share (float)."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount = amount
        self.dim = dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """`default_mask` with zeros in `amount` slices more."""
        size = _slices(t, self.dim)
        count = _count(self.amount, size)
        if not count:
            return default_mask
        chance = rand(size)
        return _only(chance > chance.kthvalue(count).values, t, self.dim, default_mask)

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Module, name: str, amount: Any, dim: int = -1
    ) -> BasePruningMethod:
        """Prune slices of a parameter of `module` by chance."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(BasePruningMethod):
    """Prunes the slices along `dim` whose norm is smallest.

    Args: `amount`, their number (int) or share (float); `n`, the order of the norm, as `p` of
    `torch.norm`.
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount = amount
        self.n = n
        self.dim = dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """`default_mask` with zeros in the `amount` slices of the smallest norms."""
        size = _slices(t, self.dim)
        count = _count(self.amount, size)
        others = [place for place in range(t.ndim) if place != self.dim % t.ndim]
        largest = norm(t, p=self.n, dim=others).topk(size - count).indices
        if not count:
            return default_mask
        return _only(largest, t, self.dim, default_mask)

    @classmethod
    def apply(  # type: ignore[override]
        cls,
        module: Module,
        name: str,
        amount: Any,
        n: Any,
        dim: int,
        importance_scores: Any = None,
    ) -> BasePruningMethod:
        """Prune the slices of a parameter of `module` whose norm is smallest."""
        return super().apply(
            module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores
        )


class CustomFromMask(BasePruningMethod):
    """Prunes what a mask says. Args: `mask`, of the parameter's shape."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Both masks together."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape "
                f"{self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module: Module, name: str, mask: Any) -> BasePruningMethod:  # type: ignore[override]
        """Prune a parameter of `module` as a mask says."""
        return super().apply(module, name, mask=mask)


def identity(module: Module, name: str) -> Module:
    """Give a parameter a mask of ones, that nothing is pruned of; return the module."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: Any) -> Module:
    """Prune elements of a parameter by chance; return the module.

    Args: `amount`, how many: a whole number, or a share between 0.0 and 1.0.

    >>> import seegrad as torch
    >>> layer = random_unstructured(torch.nn.Linear(4, 2), "weight", amount=3)
    >>> layer.weight_mask.sum()
    tensor(5.)
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(
    module: Module, name: str, amount: Any, importance_scores: Any = None
) -> Module:
    """Prune the elements of a parameter with the smallest absolute values; return the module.

    Args: `amount`, how many: a whole number, or a share between 0.0 and 1.0; `importance_scores`,
    of the parameter's shape, chosen by instead of its values.

    >>> import seegrad as torch
    >>> layer = l1_unstructured(torch.nn.Linear(4, 2), "weight", amount=0.5)
    >>> [name for name, _ in layer.named_parameters()], int((layer.weight == 0).sum())
    (['bias', 'weight_orig'], 4)
    """
    L1Unstructured.apply(module, name, amount, importance_scores)
    return module


def random_structured(module: Module, name: str, amount: Any, dim: int) -> Module:
    """Prune slices of a parameter along `dim` by chance; return the module."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Module, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None
) -> Module:
    """Prune the slices of a parameter along `dim` whose norm of order `n` is smallest.

    Returns the module. Args as those of `LnStructured` and `l1_unstructured`.
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores)
    return module


def custom_from_mask(module: Module, name: str, mask: Any) -> Module:
    """Prune a parameter where `mask`, of its shape, is 0; return the module."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune several parameters as if they were one.

    Args: `parameters`, pairs of a module and a name; `pruning_method`, a class of type
    `"unstructured"`, which takes the other arguments; `importance_scores`, a tensor for each pair
    whose values are not to be chosen by. Raises TypeError for other methods.

    >>> import seegrad as torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    >>> global_unstructured([(layer, "weight") for layer in model], L1Unstructured, amount=0.5)
    >>> sum(int(layer.weight_mask.sum()) for layer in model)
    9
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    if importance_scores is None:
        importance_scores = {}
    elif not isinstance(importance_scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = list(parameters)
    tensors = [getattr(module, name) for module, name in pairs]
    scores = [importance_scores.get((m, n), t) for (m, n), t in zip(pairs, tensors, strict=True)]
    masks = [
        getattr(m, f"{n}_mask", ones_like(t)) for (m, n), t in zip(pairs, tensors, strict=True)
    ]
    vector, mask = parameters_to_vector(scores), parameters_to_vector(masks)
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. '
            f"Found method {pruning_method} of type {method.PRUNING_TYPE}"
        )
    method._tensor_name = "temp"
    found, place = PruningContainer(method).compute_mask(vector, mask), 0
    for (module, name), tensor in zip(pairs, tensors, strict=True):
        size = tensor.numel()
        custom_from_mask(module, name, found[place : place + size].view_as(tensor))
        place += size


def remove(module: Module, name: str) -> Module:
    """Make a pruning final: the parameter has its name again, and zeros; return the module.

    Raises ValueError where it is not pruned.
    """
    found = _hook_of(module, name)
    if found is None:
        raise ValueError(
            f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
        )
    key, method = found
    method.remove(module)
    del module._forward_pre_hooks[key]
    return module


def is_pruned(module: Module) -> bool:
    """Whether a parameter of a module, or of one inside, is pruned.

    >>> import seegrad as torch
    >>> layer = torch.nn.Linear(2, 2)
    >>> is_pruned(layer), is_pruned(torch.nn.Sequential(identity(layer, "weight")))
    (False, True)
    """
    hooks = (hook for one in module.modules() for hook in one._forward_pre_hooks.values())
    return any(isinstance(hook, BasePruningMethod) for hook in hooks)


def _hook_of(module: Module, name: str) -> tuple[int, BasePruningMethod] | None:
    """The key and the hook of what prunes a tensor."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            return key, hook
    return None


def _scores(scores: Any, tensor: Any, what: str) -> Any:
    """What the choice is made by: the tensor, or what was given for it."""
    if scores is None:
        return tensor
    if scores.shape != tensor.shape:
        raise AssertionError(
            f"importance_scores should have the same shape as {what}, got {scores.shape} vs "
            f"{tensor.shape}"
        )
    return scores


def _check_amount(amount: Any) -> None:
    """A whole number that is not negative, or a share."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if float(amount) < 0 or (not isinstance(amount, numbers.Integral) and float(amount) > 1):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative "
            "integer"
        )


def _count(amount: Any, size: int) -> int:
    """How many of `size` are pruned."""
    if not isinstance(amount, numbers.Integral):
        return round(float(amount) * size)
    if int(amount) > size:
        raise ValueError(
            f"amount={amount} should be smaller than the number of parameters to prune={size}"
        )
    return int(amount)


def _slices(t: Any, dim: int) -> int:
    """The number of slices of a tensor along `dim`, of two dimensions at least."""
    if t.ndim <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. "
            f"Found tensor of shape {t.shape} with {t.ndim} dims"
        )
    if dim >= t.ndim:
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")
    size: int = t.shape[dim]
    return size


def _only(channels: Any, t: Any, dim: int, default_mask: Any) -> Any:
    """`default_mask` with zeros in all slices along `dim` but some."""
    mask = zeros_like(t)
    mask[(*[slice(None)] * (dim % t.ndim), channels)] = 1
    return mask.mul_(default_mask.to(mask.dtype))
