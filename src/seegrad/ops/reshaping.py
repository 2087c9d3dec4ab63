"""Methods that give a tensor itself another shape: `unsqueeze_` and its kind.

The array is replaced by a view of the same memory, and the history by a node on top of it.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import Any

from seegrad.arrays.strides import element_strides
from seegrad.arrays.strides import storage_offset as offset_of
from seegrad.graph.levels import LEVELS
from seegrad.graph.state import is_recording
from seegrad.graph.tangents import give, tangents_of
from seegrad.graph.tensor import requires, set_requires
from seegrad.graph.versions import bump, is_inference
from seegrad.graph.views import from_base, own_history
from seegrad.operators.inplace import check_write
from seegrad.operators.recording import recorded as op
from seegrad.ops.dims import wrap_dim, wrap_dims
from seegrad.ops.views import int_tuple
from seegrad.rules.spec import REGISTRY


def reshaped(input: Any, twin: Any, plain: str, *args: Any) -> Any:
    """`input` itself after the view operator `plain`, which `twin` records."""
    if is_recording() and requires(input) and not is_inference(input):
        check_write(input)
    shape = input._array.shape
    out = twin(input, *args)
    if LEVELS.open:
        reshape_tangents(input, plain, args)
    view = input._view
    input._array = out._array
    bump(input)
    node = out._node
    if view is not None:
        view.replay = (*view.replay, (REGISTRY[plain], args, shape))
        if plain == "as_strided":
            from_base(view)
        if node is not None:
            own_history(input, view, node)
            view.version = input._counter.value  # else its history has to be made anew
        return input
    input._turned = True
    if node is not None:
        input._node, input._nr = node, 0
        set_requires(input, True)
    return input


def reshape_tangents(input: Any, plain: str, args: tuple[Any, ...]) -> None:
    """Gives the tangents the shape that the input is about to get (Note [Levels])."""
    for number, tangent in tuple(tangents_of(input).items()):
        give(input, number, getattr(op, plain)(tangent, *args))
    held = input._tangents
    if held is not None and held.base is not None:
        held.chain = (held.chain, (REGISTRY[plain], args, input._array.shape))


def t_(input: Any) -> Any:
    """`input.t_()`."""
    return reshaped(input, op.t_in_place, "t")


def transpose_(input: Any, dim0: int, dim1: int) -> Any:
    """`input.transpose_(dim0, dim1)`."""
    return reshaped(input, op.transpose_in_place, "transpose", dim0, dim1)


def as_strided_(input: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """`input.as_strided_(size, stride)`."""
    array = input._array
    own = offset_of(array)
    offset = own if storage_offset is None else storage_offset
    where = int_tuple(size), int_tuple(stride), offset, element_strides(array), own
    return reshaped(input, op.as_strided_in_place, "as_strided", *where)


def unsqueeze_(input: Any, dim: int) -> Any:
    """`input.unsqueeze_(dim)`."""
    return reshaped(input, op.unsqueeze_in_place, "unsqueeze", dim)


def squeeze_(input: Any, dim: Any = None) -> Any:
    """`input.squeeze_()`, or only the dimensions named."""
    if dim is None:
        return reshaped(input, op.squeeze_in_place, "squeeze")
    if isinstance(dim, tuple | list):
        for one in sorted(wrap_dims(dim, input._array.ndim), reverse=True):
            squeeze_(input, one)
        return input
    wrap_dim(dim, input._array.ndim)
    return reshaped(input, op.squeeze_made, "squeeze_dim", dim)
