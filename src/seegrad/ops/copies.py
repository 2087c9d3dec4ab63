"""Public functions that copy what a view would show: `permute_copy` is `permute` and a copy.

Each takes the arguments of its view and `out=`; the result is contiguous and shares no memory.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from seegrad.arrays.dtypes import dtype as Dtype
from seegrad.arrays.strides import element_strides
from seegrad.arrays.strides import storage_offset as offset_of
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.out import into
from seegrad.ops.views import Sizes, int_tuple, view_dtype
from seegrad.rules.spec import REGISTRY, Operator

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "alias_copy",
    "as_strided_copy",
    "detach_copy",
    "diagonal_copy",
    "expand_copy",
    "narrow_copy",
    "permute_copy",
    "select_copy",
    "slice_copy",
    "split_copy",
    "split_with_sizes_copy",
    "squeeze_copy",
    "t_copy",
    "transpose_copy",
    "unbind_copy",
    "unfold_copy",
    "unsqueeze_copy",
    "view_as_complex_copy",
    "view_as_real_copy",
    "view_copy",
]

EXAMPLE = """Return a copy of what `{view}` views, contiguous and with memory of its own.

    The arguments are those of the view, and `out`: where to write it.

    >>> import seegrad as torch
    >>> torch.{call}.shape
    torch.Size({shape})
    """
PIECES = EXAMPLE.replace("a copy", "copies").replace(".shape\n", "[0].shape\n")


def _copying(view: str, arguments: str, shape: list[int]) -> Any:
    """The function that copies what a view shows; an example are its arguments and its shape."""
    name = f"{view}_copy"
    operator, many = getattr(op, name), REGISTRY[name].many

    def function(input: Tensor, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        given = [_plain(one) for one in args]
        named = {key: _plain(one) for key, one in kwargs.items()}
        if out is None:
            return operator(input, *given, **named)
        into(out, name, lambda *values: operator(*values, **named), input, *given)
        return None if many else out

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (PIECES if many else EXAMPLE).format(
        view=view, call=f"{name}({arguments})", shape=shape
    )
    function.__signature__ = _signature(REGISTRY[name])  # type: ignore[attr-defined]
    return public(function)


def _plain(value: Any) -> Any:
    """Sizes as a tuple of plain ints, a number out of a tensor, anything else as it is."""
    if isinstance(value, TensorBase):
        return value._array.item()
    return int_tuple(value) if isinstance(value, list | tuple) else value


def _signature(operator: Operator) -> inspect.Signature:
    """The parameters of an operator as its public function has them."""
    either, keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    places = [
        inspect.Parameter(
            name, either, default=operator.defaults.get(name, inspect.Parameter.empty)
        )
        for name in operator.parameters[1:]
    ]
    first = inspect.Parameter("input", either, annotation="Tensor")
    return inspect.Signature([first, *places, inspect.Parameter("out", keyword, default=None)])


alias_copy = _copying("alias", "torch.zeros(2, 3)", [2, 3])
diagonal_copy = _copying("diagonal", "torch.zeros(2, 3)", [2])
expand_copy = _copying("expand", "torch.zeros(2), (3, 2)", [3, 2])
narrow_copy = _copying("narrow", "torch.zeros(5), 0, 1, 3", [3])
permute_copy = _copying("permute", "torch.zeros(2, 3), (1, 0)", [3, 2])
select_copy = _copying("select", "torch.zeros(2, 3), 0, 1", [3])
slice_copy = _copying("slice", "torch.zeros(5), 0, 1, None, 2", [2])
split_copy = _copying("split", "torch.zeros(3), 2", [2])
split_with_sizes_copy = _copying("split_with_sizes", "torch.zeros(3), (1, 2)", [1])
t_copy = _copying("t", "torch.zeros(2, 3)", [3, 2])
transpose_copy = _copying("transpose", "torch.zeros(2, 3), 0, 1", [3, 2])
unbind_copy = _copying("unbind", "torch.zeros(2, 3), 1", [2])
unfold_copy = _copying("unfold", "torch.zeros(4), 0, 2, 1", [3, 2])
unsqueeze_copy = _copying("unsqueeze", "torch.zeros(2), 0", [1, 2])
view_as_complex_copy = _copying("view_as_complex", "torch.zeros(3, 2)", [3])
view_as_real_copy = _copying("view_as_real", "torch.zeros(3, dtype=torch.cfloat)", [3, 2])


@public
def as_strided_copy(
    input: Tensor,
    size: Sizes,
    stride: Sizes,
    storage_offset: int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return a copy of any view of the memory of `input`; strides and offset count elements.

    `size` and `stride`: as many numbers each. Raises RuntimeError where the view would leave the
    memory.

    >>> import seegrad as torch
    >>> torch.as_strided_copy(torch.arange(4), (2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
    array = input._array
    own = offset_of(array)
    offset = own if storage_offset is None else storage_offset
    arguments = int_tuple(size), int_tuple(stride), offset, element_strides(array), own
    if out is not None:
        return into(out, "as_strided_copy", op.as_strided_copy, input, *arguments)
    return op.as_strided_copy(input, *arguments)


def detach_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return a copy without history.

    >>> import seegrad as torch
    >>> torch.detach_copy(torch.ones(2, requires_grad=True))
    tensor([1., 1.])
    """
    return alias_copy(wrap(input._array), out=out)


@public
def squeeze_copy(
    input: Tensor, dim: int | Sizes | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Return a copy without dimensions of size 1: all of them, or those named.

    >>> import seegrad as torch
    >>> torch.squeeze_copy(torch.zeros(1, 2, 1), 0).shape
    torch.Size([2, 1])
    """
    if out is not None:
        return into(out, "squeeze_copy", squeeze_copy, input, dim)
    if dim is None:
        return op.squeeze_copy(input)
    if isinstance(dim, int):
        return op.squeeze_dim_copy(input, dim)
    return op.squeeze_dims_copy(input, int_tuple(dim))


@public
def view_copy(
    input: Tensor, size: Sizes | Any = None, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    """Return a copy in another shape, or of the same bytes as another type.

    `size`: as many elements, one size may be -1; or a dtype. Raises RuntimeError elsewise.

    >>> import seegrad as torch
    >>> torch.view_copy(torch.arange(4), (2, -1))
    tensor([[0, 1],
            [2, 3]])
    """
    if out is not None:
        return into(out, "view_copy", lambda given: view_copy(given, size, dtype=dtype), input)
    kind = size if isinstance(size, Dtype) else dtype
    if kind is not None:
        return op.clone(view_dtype(input, kind), "contiguous")
    return op.view_copy(input, int_tuple(size))
