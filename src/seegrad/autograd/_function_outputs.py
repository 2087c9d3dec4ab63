"""What becomes of the tensors that `forward` of a custom Function returns.

An output gets the context as its node, unless it has no gradient. Inputs that are returned as they
are become views, inputs that `forward` wrote to stay themselves, with a new history.
"""

from typing import Any

import numpy as np

from seegrad.autograd._function_texts import NOT_RETURNED, SEVERAL_OF_A_VIEW
from seegrad.errors import LEAF_IN_PLACE
from seegrad.graph.state import recording
from seegrad.graph.tensor import TensorBase, requires, set_requires, tensor_class, wrap
from seegrad.graph.versions import alias_counter, bump
from seegrad.graph.views import Kind, attach, has_node, own_history, rebase
from seegrad.operators.inplace import check_write
from seegrad.rules.spec import REGISTRY

__all__ = [
    "check_marks",
    "expect",
    "forget",
    "give_history",
    "is_constant",
    "is_in",
    "undifferentiated",
]


def check_marks(ctx: Any, outs: tuple[Any, ...]) -> None:
    """What was marked must be tensors, and what is dirty must be returned."""
    for tensor in ctx.dirty_tensors or ():
        if not isinstance(tensor, TensorBase):
            kind = type(tensor).__name__
            raise noted_kind("mark_dirty can only accept variables, but argument ", kind)
        bump(tensor)
        if not any(tensor is out for out in outs):
            error = RuntimeError(NOT_RETURNED)
            error._function = ctx._forward_cls, None  # type: ignore[attr-defined]
            raise error
    for tensor in ctx.non_differentiable or ():
        if not isinstance(tensor, TensorBase):
            kind = type(tensor).__name__
            raise noted_kind(
                "mark_non_differentiable only accepts variable arguments, but got ", kind
            )


def noted_kind(sentence: str, kind: str) -> RuntimeError:
    """PyTorch's sentence, which ends before it says what was given; the note says it."""
    error = RuntimeError(sentence)
    error.add_note(f"It was given a {kind}.")
    return error


def is_in(tensor: Any, tensors: tuple[Any, ...] | None) -> bool:
    """Whether this very tensor is among them."""
    return tensors is not None and any(tensor is t for t in tensors)


def undifferentiated(ctx: Any, args: tuple[Any, ...], out: Any) -> Any:
    """An output that gets no gradient; an input returned as it is becomes a new object."""
    if not isinstance(out, TensorBase):
        return out
    if not requires(out):
        if is_in(out, args) and not is_in(out, ctx.dirty_tensors):
            out = alias(out)
    elif is_in(out, args):
        made = wrap(out._array)
        made._counter = alias_counter(out)
        return made
    elif out._view is None:
        out._node, out._nr = None, 0
        set_requires(out, False)
    if out._view is not None and not is_in(out, ctx.dirty_tensors):
        out._view.kind, out._view.node = Kind.FUNCTION, None
    return out


def alias(tensor: Any) -> Any:
    """A view of all of a tensor: in-place on the tensor itself would bypass the backward."""
    if tensor.__class__ is not tensor_class():  # it has a say in what becomes of it
        with recording(False):
            return tensor.view_as(tensor)
    made = wrap(tensor._array)
    step = (REGISTRY["alias"], (), tensor._array.shape)
    attach(made, tensor, step, Kind.FUNCTION)
    return made


def forget(ctx: Any) -> None:
    """Lets go of what `forward` said of its tensors: an output here would be a cycle."""
    if ctx._marked:
        ctx.dirty_tensors = ctx.non_differentiable = ctx.saved_for_forward = None


def is_constant(ctx: Any, out: Any) -> bool:
    """Whether an output has no gradient: it was marked, or its dtype has none."""
    return is_in(out, ctx.non_differentiable) or not (
        isinstance(out, TensorBase) and (out.dtype.is_floating_point or out.dtype.is_complex)
    )


def expect(ctx: Any, outs: tuple[Any, ...]) -> None:
    """Tells the node what gradients will arrive."""
    first = outs[0] if outs else None
    if len(outs) == 1 and isinstance(first, TensorBase):
        ctx._shape, ctx._dtype = first._array.shape, first._array.dtype
        return
    ctx._outputs = len(outs)
    ctx._shape = None
    results = [
        (o._array.shape, o._array.dtype) if isinstance(o, TensorBase) else None for o in outs
    ]
    ctx._results = tuple(results)
    ctx._shapes = tuple((r or ((), np.dtype(np.float32)))[0] for r in results)
    ctx._dtypes = tuple((r or ((), np.dtype(np.float32)))[1] for r in results)


def give_history(ctx: Any, args: tuple[Any, ...], out: Any, nr: int, outs: tuple[Any, ...]) -> Any:
    """One output with the context as its node."""
    if not isinstance(out, TensorBase):
        return out
    if is_constant(ctx, out):
        return undifferentiated(ctx, args, out)
    if is_in(out, ctx.dirty_tensors):
        return written(ctx, out, nr, len(outs))
    if is_in(out, args):
        out = alias(out)
    if out._view is not None:
        several = sum(isinstance(o, TensorBase) for o in outs) > 1
        out._view.kind = Kind.MULTI if several else Kind.FUNCTION
        out._view.version = out._counter.value
        own_history(out, out._view, ctx, nr)
        return out
    set_requires(out, True)
    out._node, out._nr = ctx, nr
    return out


def written(ctx: Any, out: Any, nr: int, count: int) -> Any:
    """An input that `forward` changed in place: the same object, with a new history."""
    if requires(out) and not has_node(out):
        raise RuntimeError(LEAF_IN_PLACE.replace("is being used", "has been used"))
    out._grad = None  # as in PyTorch, what `retain_grad` had kept is gone
    if out._view is not None and count > 1:
        raise RuntimeError(SEVERAL_OF_A_VIEW)
    check_write(out)
    rebase(out, ctx)
    if out._view is None:
        out._nr = nr
    return out
