"""Masked tensors: elements, and which of them are there.

Note [Masked]: no derivative is written here. The elements are an ordinary tensor, whose history is
that of the masked tensor. Before every step a gate stands in the graph (`gated`): it lets no
gradient through to what is masked out, so that nothing that was computed there, NaN or infinite,
comes into a gradient. A leaf that is no masked tensor and gets its gradient from one has a masked
gradient (`told`), as far as it can be seen that each of its elements is one of the masked tensor.
"""

import functools
from typing import Any, NoReturn

from seegrad.graph.node import AccumulateGrad
from seegrad.graph.running import queue_callback
from seegrad.graph.tensor import mark, wrap
from seegrad.masked import _names
from seegrad.ops import masked as reductions
from seegrad.ops.choose import where
from seegrad.ops.comparison import equal
from seegrad.ops.once import warn
from seegrad.rules.spec import REGISTRY
from seegrad.tensor.parts import PartHistory, same_attributes
from seegrad.tensor.tensor import Tensor

__all__ = ["MaskedTensor", "as_masked_tensor", "is_masked_tensor", "masked_tensor"]

PROTOTYPE = (
    "The PyTorch API of MaskedTensors is in prototype stage and will change in the near future. "
    "Please open a Github issue for features requests and see our documentation on the "
    "torch.masked module for further information about the project."
)
NOT_RECOMMENDED = (
    "It is not recommended to create a MaskedTensor with a tensor that requires_grad. To avoid "
    "this, you can use data.detach().clone()"
)
NO_MATCH = "Input masks must match. If you need support for this, please open an issue on Github."
WAY_OUT = (
    "{} is not there for masked tensors. Use it on x.to_tensor(value), which has this value where "
    "x is masked out."
)
NO_ELEMENT = "__torch_dispatch__, aten._local_scalar_dense: expected a mask tensor"


class MaskedTensor(PartHistory, Tensor):
    """A tensor with a mask; what the mask does not name is not there.

    >>> import seegrad as torch, warnings
    >>> warnings.simplefilter("ignore")  # PyTorch calls it a prototype
    >>> x = torch.masked.masked_tensor(torch.tensor([1.0, 2.0]), torch.tensor([True, False]))
    >>> x + 1
    MaskedTensor(
      [  2.0000,       --]
    )
    >>> x.sum()
    MaskedTensor(  1.0000, True)
    """

    __module__ = "torch.masked.maskedtensor.core"

    _mask: Any

    def __new__(cls, data: Any, mask: Any, requires_grad: bool = False) -> Any:
        """A leaf of these elements."""
        check(data, mask)
        warn(PROTOTYPE)
        if data.requires_grad:
            warn(NOT_RECOMMENDED)
        return made(data.detach().clone().requires_grad_(requires_grad), mask.clone())

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """The answer to `func`; TypeError where there is none."""
        name, kwargs = func.__name__, kwargs or {}
        plain = name.strip("_")
        if func in same_attributes() or name in _names.AS_ANY:
            return super().__torch_function__(func, types, args, kwargs)
        if name in OWN:
            return OWN[name](func, *args, **kwargs)
        if plain in _names.ELEMENTWISE:
            in_place = name.endswith("_") and not name.endswith("__")
            return elementwise(func, args, kwargs, in_place)
        if plain in _names.PLACING:
            return placed(func, args, kwargs)
        if plain in _names.REDUCTIONS:
            return reduced(func, *args, **kwargs)
        raise TypeError(WAY_OUT.format(name))

    def get_data(self) -> Any:
        """The elements, with those that are masked out."""
        return gated(self)

    def get_mask(self) -> Any:
        """The mask: True where an element is there."""
        return self._mask

    def to_tensor(self, value: Any) -> Any:
        """A tensor that has `value` where this one is masked out."""
        return where(self._mask, self._elements, value)

    T = property(lambda self: self.t())

    def backward(self, gradient: Any = None, *args: Any, **options: Any) -> None:
        """As of any other tensor; the gradient may be masked."""
        self._elements.backward(plain_of(gradient), *args, **options)

    def numpy(self, *, force: bool = False) -> NoReturn:
        """Refused, as in PyTorch."""
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")

    def tolist(self) -> NoReturn:
        """Refused, as in PyTorch."""
        raise RuntimeError(".tolist() is not supported for tensor subclasses, got MaskedTensor")

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        elements, mask = self._elements.tolist(), self._mask.tolist()
        as_floats = self._elements.is_floating_point()
        if not self._array.ndim:
            return f"MaskedTensor({shown(elements, as_floats) if mask else '--'}, {mask})"
        return f"MaskedTensor(\n{indented(listed(elements, mask, as_floats))}\n)"

    def _with(self, elements: Any) -> Any:
        return made(elements, self._mask)

    def _picked(self, value: Any) -> Any:
        return plain_of(value)


def masked_tensor(data: Any, mask: Any, requires_grad: bool = False) -> MaskedTensor:
    """A masked tensor of a copy of `data`, a leaf.

    `mask`: bool, of the shape of `data`, True where an element is there. Raises TypeError or
    ValueError where they do not fit.

    >>> import seegrad as torch, warnings
    >>> warnings.simplefilter("ignore")
    >>> torch.masked.masked_tensor(torch.tensor([1, 2, 3]), torch.tensor([True, False, True]))
    MaskedTensor(
      [1,       --, 3]
    )
    """
    made: MaskedTensor = MaskedTensor(data, mask, requires_grad)
    return made


def as_masked_tensor(data: Any, mask: Any) -> Any:
    """A masked tensor through which gradients flow to `data`.

    >>> import seegrad as torch, warnings
    >>> warnings.simplefilter("ignore")
    >>> x, by = torch.tensor([1.0, 1.0], requires_grad=True), torch.tensor([0.0, 1.0])
    >>> torch.masked.as_masked_tensor(x / by, by != 0).sum().backward()
    >>> x.grad
    MaskedTensor(
      [      --,   1.0000]
    )
    """
    check(data, mask)
    warn(PROTOTYPE)
    return made(told(data, mask).clone(), mask.clone())


def is_masked_tensor(obj: Any, /) -> bool:
    """Whether something is a masked tensor.

    >>> import seegrad as torch
    >>> torch.masked.is_masked_tensor(torch.ones(2))
    False
    """
    return isinstance(obj, MaskedTensor)


def check(data: Any, mask: Any) -> None:
    """Refuses what makes no masked tensor."""
    for name, value in (("data", data), ("mask", mask)):
        if not isinstance(value, Tensor) or isinstance(value, MaskedTensor):
            raise TypeError(f"{name} must be a Tensor")
    if mask.dtype is not _names.BOOL:
        raise TypeError("mask must have dtype bool.")
    if str(data.dtype) not in _names.SUPPORTED:
        raise TypeError(f"{data.dtype} is not supported in MaskedTensor.")
    if data.dim() != mask.dim():
        raise ValueError("data.dim() must equal mask.dim()")
    if data.size() != mask.size():
        raise ValueError("data.size() must equal mask.size()")


def made(elements: Any, mask: Any) -> Any:
    """The masked tensor of these elements, which keep their history."""
    tensor = wrap(elements._array)
    tensor.__class__ = MaskedTensor
    mark(tensor)
    tensor._elements, tensor._mask = elements, mask
    return tensor


def plain_of(value: Any) -> Any:
    """The elements of a masked tensor; any other value as it is."""
    return value._elements if isinstance(value, MaskedTensor) else value


def gated(tensor: MaskedTensor) -> Any:
    """The elements; no gradient gets through to those that are masked out."""
    elements = tensor._elements
    if not elements.requires_grad:
        return elements
    return where(tensor._mask, elements, elements.detach())


# What functions give


def elementwise(func: Any, args: Any, kwargs: Any, in_place: bool = False) -> Any:
    """A function of each element. Raises ValueError where two masks differ."""
    mask = next(one._mask for one in args if isinstance(one, MaskedTensor))
    for one in args:
        if isinstance(one, MaskedTensor) and not equal(one._mask, mask):
            raise ValueError(NO_MATCH)
    if in_place:
        func(args[0]._elements, *map(plain_of, args[1:]), **kwargs)
        return args[0]
    result = func(*(met(one, mask) for one in args), **kwargs)
    return made(result, mask if mask.shape == result.shape else mask.expand(result.shape))


def met(value: Any, mask: Any) -> Any:
    """An operand as the function takes it: elements behind their gate, dense ones told."""
    if isinstance(value, MaskedTensor):
        return gated(value)
    if not isinstance(value, Tensor) or not value.requires_grad:
        return value
    return told(value, mask if value.shape == mask.shape else None)


def placed(func: Any, args: Any, kwargs: Any) -> Any:
    """A function that puts elements elsewhere, of the elements and of the mask."""
    values, masks = (
        func(*swapped(args, pick), **kwargs) for pick in (gated, MaskedTensor.get_mask)
    )
    if isinstance(values, (tuple, list)):
        return type(values)(made(*each) for each in zip(values, masks, strict=True))
    return made(values, masks)


def swapped(args: Any, pick: Any) -> list[Any]:
    """Arguments with one part of each masked tensor in its place."""
    return [
        pick(one) if isinstance(one, MaskedTensor)
        else type(one)(swapped(one, pick)) if type(one) in (tuple, list) else one
        for one in args
    ]  # fmt: skip


def reduced(func: Any, input: Any, dim: Any = None, keepdim: bool = False, **options: Any) -> Any:
    """A reduction of what is there; nothing is there where all was masked out."""
    name, mask = func.__name__, input._mask
    value = getattr(reductions, name)(gated(input), dim, keepdim=keepdim, mask=mask, **options)
    return made(value, mask.any() if dim is None else mask.any(dim, keepdim))


def every(func: Any, input: Any) -> Any:
    """Whether all that is there is true."""
    return made((input._elements.bool() | ~input._mask).all(), input._mask.any())


def softmax(func: Any, input: Any, dim: int, *args: Any, **options: Any) -> Any:
    """Exponentials of what is there, divided by their sum along a dimension."""
    return made(reductions.softmax(gated(input), dim, mask=input._mask), input._mask)


def chosen(func: Any, condition: Any, input: Any, other: Any) -> Any:
    """Elements of one or the other, and whether these are there."""
    values = where(condition, *(met(one, condition) for one in (input, other)))
    masks = (one._mask if isinstance(one, MaskedTensor) else True for one in (input, other))
    return made(values, where(condition, *masks).bool())


def number(func: Any, input: Any) -> Any:
    """The one element. Raises ValueError where it is masked out."""
    if input._array.size == 1 and not input._mask.item():
        raise ValueError(NO_ELEMENT)
    return func(input._elements)


def filled(func: Any, input: Any, *args: Any, **options: Any) -> Any:
    """As many of one number."""
    return made(func(input._elements, *args, **options), input._mask)


def gradients(func: Any, outputs: Any, inputs: Any, *args: Any, **options: Any) -> Any:
    """`torch.autograd.grad`: the gradient of a masked tensor has its mask."""
    wanted = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    results = [outputs] if isinstance(outputs, Tensor) else outputs
    found = func(list(map(plain_of, results)), list(map(plain_of, wanted)), *args, **options)
    return tuple(
        one._with(each) if isinstance(one, MaskedTensor) and each is not None else each
        for one, each in zip(wanted, found, strict=True)
    )


OWN: dict[str, Any] = {
    "all": every,
    "softmax": softmax,
    "where": chosen,
    "grad": gradients,
    "ones_like": filled,
    **dict.fromkeys(["item", "__bool__", "__float__", "__int__"], number),
}


# Gradients of tensors that are not masked


def told(dense: Any, mask: Any) -> Any:
    """The tensor; where a gradient comes back from here, that of its leaves becomes masked."""
    if not dense.requires_grad:
        return dense
    through = dense.view_as(dense)
    leaves = [dense] if dense.is_leaf else leaves_of(dense.grad_fn, tuple(dense.shape))

    def arrived(grad: Any) -> None:
        for leaf in leaves:
            hook = leaf.register_post_accumulate_grad_hook(lambda one: put_mask(one, mask))
            queue_callback(hook.remove)

    through.register_hook(arrived)
    return through


def put_mask(leaf: Any, mask: Any) -> None:
    """Makes the gradient of a leaf a masked one, with zeros where it is masked out."""
    grad = leaf.grad
    there = grad.new_ones(grad.shape, dtype=_names.BOOL) if mask is None else mask
    if isinstance(grad, MaskedTensor):
        there, grad = there | grad._mask, grad._elements
    leaf.grad = made(where(there, grad, 0), there)


@functools.cache
def element_nodes() -> frozenset[str]:
    """The nodes of operators that keep every element in its place, where the shape stays."""
    found = {operator.node for operator in REGISTRY.values() if operator.kind == "elementwise"}
    return frozenset(found | {"AliasBackward0", "CloneBackward0", "ToCopyBackward0"})


def leaves_of(node: Any, shape: tuple[int, ...]) -> list[Any]:
    """The leaves that nodes lead to which keep every element in its place."""
    found: list[Any] = []
    waiting: list[Any] = [node]
    seen: set[Any] = set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if isinstance(node, AccumulateGrad):
            variable: Any = node.variable
            found += [variable] if tuple(variable.shape) == shape else []
        elif type(node).__name__ in element_nodes() and all(
            tuple(one.shape) == shape for one in node._input_metadata
        ):
            waiting += [each for each, _ in node.next_functions]
    return found


# The printed form


def shown(value: Any, as_float: bool) -> str:
    """One number."""
    return f"{value:8.4f}" if as_float else str(value)


def indented(text: str) -> str:
    """The text two columns to the right."""
    return "\n".join(f"  {line}" for line in text.split("\n"))


def listed(values: Any, mask: Any, as_float: bool) -> str:
    """The elements in brackets, with two strokes where nothing is."""
    if values and isinstance(values[0], list):
        pairs = zip(values, mask, strict=True)
        return "[\n" + ",\n".join(indented(listed(*pair, as_float)) for pair in pairs) + "\n]"
    texts = [shown(value, as_float) for value in values]
    width = max((len(t) if here else 8 for t, here in zip(texts, mask, strict=True)), default=0)
    cells = [t if here else "--".rjust(width) for t, here in zip(texts, mask, strict=True)]
    return f"[{', '.join(cells)}]"
