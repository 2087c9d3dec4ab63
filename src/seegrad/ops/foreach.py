"""`torch._foreach_*`: one operator on each tensor of a list, as optimisers are written with them.

PyTorch runs them in one kernel; here they are a loop, and each tensor has the history that the
operator alone gives it. A function without `_` at its end returns a tuple of new tensors; with it
the list itself, whose tensors it has written to.

>>> import seegrad as torch
>>> torch._foreach_add([torch.ones(2), torch.zeros(1)], [1, 2])
(tensor([2., 2.]), tensor([2.]))
"""

from collections.abc import Callable, Sequence
from typing import Any

from seegrad.graph.tensor import TensorBase

__all__ = ["foreach"]

Tensors = Sequence[Any]

UNARY = frozenset(
    ("abs", "acos", "asin", "atan", "ceil", "clone", "cos", "cosh", "erf", "erfc", "exp", "expm1")
    + ("floor", "frac", "lgamma", "log", "log10", "log1p", "log2", "neg", "reciprocal", "round")
    + ("rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc", "zero")
)
BINARY = frozenset(
    ("add", "clamp_max", "clamp_min", "copy", "div", "maximum", "minimum", "mul", "pow", "sub")
)
TERNARY = frozenset(["addcdiv", "addcmul"])
REDUCING = frozenset(["max", "norm"])
ONLY_WRITTEN, ONLY_NEW = frozenset(["copy", "zero"]), frozenset(["clone", "max", "norm"])


def foreach(name: str) -> Callable[..., Any] | None:
    """The function `_foreach_<name>`, None where there is none."""
    plain = name.removesuffix("_")
    if plain in (ONLY_NEW if plain != name else ONLY_WRITTEN):
        return None
    makers = {UNARY: unary, BINARY: binary, TERNARY: ternary, REDUCING: unary}
    for names, maker in makers.items():
        if plain in names:
            return maker(name)
    return lerp(name) if plain == "lerp" else None


def unary(name: str) -> Callable[..., Any]:
    """`name` of each tensor, with arguments that are the same for all."""

    def called(self: Tensors, *args: Any, **options: Any) -> Any:
        checked(name, self)
        return finished(name, self, [getattr(t, name)(*args, **options) for t in self])

    return called


def binary(name: str) -> Callable[..., Any]:
    """`name` of each tensor and its partner, or of each tensor and one number."""

    def called(self: Any, other: Any, **options: Any) -> Any:
        if name == "pow" and not isinstance(self, list | tuple):  # a number to the power of each
            return tuple([self**exponent for exponent in other])
        checked(name, self)
        pairs = zip(self, partners(other, len(self)), strict=True)
        return finished(name, self, [call(name, one, two, options) for one, two in pairs])

    return called


def ternary(name: str) -> Callable[..., Any]:
    """`addcmul` and `addcdiv`: with one factor for all tensors, or one for each."""

    def called(self: Any, tensor1: Any, tensor2: Any, value: Any = 1, **named: Any) -> Any:
        value = named.get("scalars", value)
        checked(name, self)
        if isinstance(value, TensorBase):
            value = value.tolist()  # type: ignore[attr-defined]
        count = len(self)
        factors = partners(value, count)
        rows = zip(self, partners(tensor1, count), partners(tensor2, count), factors, strict=True)
        return finished(name, self, [getattr(t, name)(a, b, value=v) for t, a, b, v in rows])

    return called


def lerp(name: str) -> Callable[..., Any]:
    """`lerp`: with one weight for all tensors, or one for each."""

    def called(self: Tensors, tensors1: Tensors, weight: Any) -> Any:
        checked(name, self)
        ends, weights = partners(tensors1, len(self)), partners(weight, len(self))
        rows = zip(self, ends, weights, strict=True)
        return finished(name, self, [getattr(t, name)(end, w) for t, end, w in rows])

    return called


def call(name: str, one: Any, two: Any, options: dict[str, Any]) -> Any:
    """A method of `one`; the greater and the smaller of two have no method that writes."""
    plain = name.removesuffix("_")
    if plain in ("maximum", "minimum"):
        other = two if isinstance(two, TensorBase) else one.new_full((), two)
        source = one if plain == name else one.clone()
        made = getattr(source, plain)(other)
        return made if plain == name else one.copy_(made)
    return getattr(one, name)(two, **options)


def partners(values: Any, count: int) -> Sequence[Any]:
    """One value for each of `count` tensors: a number, or a tensor, is for all of them."""
    if not isinstance(values, list | tuple):
        return [values] * count
    if len(values) != count:
        if values and not isinstance(values[0], TensorBase):
            raise RuntimeError("Tensor list must have same number of elements as scalar list.")
        raise RuntimeError(
            f"Tensor lists must have the same number of tensors, got {count} and {len(values)}"
        )
    return values


def checked(name: str, tensors: Any) -> None:
    """The first argument is a list of tensors, and not empty."""
    if not isinstance(tensors, list | tuple):
        raise TypeError(
            f"_foreach_{name}(): argument 'self' (position 1) must be tuple of Tensors, "
            f"not {type(tensors).__name__}"
        )
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    for place, tensor in enumerate(tensors):
        if not isinstance(tensor, TensorBase):
            raise TypeError(
                f"expected Tensor as element {place} in argument 0, "
                f"but got {type(tensor).__name__}"
            )


def finished(name: str, tensors: Tensors, made: list[Any]) -> Any:
    """What a function returns: the tensors that it wrote to, or the new ones."""
    return list(tensors) if name.endswith("_") else tuple(made)
