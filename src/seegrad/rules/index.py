"""Derivatives of picking, writing and ordering.

Where a write does not add up, only the one that survived has slope 1: for a place written twice
the last one wins (NumPy's order, which is deterministic), and the others get no gradient.
"""

from typing import Any

from seegrad.rules.shape import reshaped
from seegrad.rules.spec import general, linear

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Size = tuple[int, ...]

# By lists of index tensors, None for a whole dimension

linear(
    "index(self, indices)",
    wide=False,
    self=lambda xp, grad, indices, self_shape: xp.index_backward(grad, self_shape, indices),
)
linear(
    "index_backward(values, self_shape, indices)",
    node="IndexPutImplBackward0",
    values=lambda xp, grad, indices: xp.index(grad, indices),
)


def index_put_self(xp: Xp, grad: Value, accumulate: bool, indices: Any) -> Value:
    """What was there before keeps its gradient where nothing was written, or all of it."""
    if accumulate:
        return grad
    return xp.index_put(grad, indices, xp.new_zeros(grad, ()), False)


def index_put_values(xp: Xp, grad: Value, accumulate: bool, indices: Any) -> Value:
    """What was written gets the gradient of its place, if it is still there."""
    return xp.index(grad, indices) if accumulate else xp.index_surviving(grad, indices)


linear(
    "index_put(self, indices, values, accumulate=False)",
    wide=False,
    inplace=True,
    self=index_put_self,
    values=index_put_values,
)
linear(
    "index_surviving(self, indices)",
    node="IndexBackward0",
    wide=False,
    self=lambda xp, grad, self_shape, indices: xp.index_put(
        xp.new_zeros(grad, self_shape), indices, grad, False
    ),
)

# By one index tensor of the result's shape

linear(
    "gather(self, dim, index)",
    operands="self index",
    wide=False,
    attributes={"sparse_grad": False},
    self=lambda xp, grad, self, dim, index: xp.scatter_add(
        xp.new_zeros(grad, self.shape), dim, index, grad
    ),
)
linear(
    "gather_surviving(self, dim, index)",
    operands="self index",
    node="GatherBackward0",
    wide=False,
    self=lambda xp, grad, self_shape, dim, index: xp.scatter(
        xp.new_zeros(grad, self_shape), dim, index, grad
    ),
)
linear(
    "scatter(self, dim, index, src)",
    operands="self index src",
    wide=False,
    inplace=True,
    self=lambda xp, grad, dim, index: xp.scatter_value(grad, dim, index, 0),
    src=lambda xp, grad, dim, index: xp.gather_surviving(grad, dim, index),
)
linear(
    "scatter_value(self, dim, index, value)",
    operands="self index",
    node="ScatterBackward1",
    wide=False,
    inplace=True,
    self=lambda xp, grad, dim, index: xp.scatter_value(grad, dim, index, 0),
)
linear(
    "scatter_add(self, dim, index, src)",
    operands="self index src",
    inplace=True,
    self=lambda xp, grad: grad,
    src=lambda xp, grad, dim, index: xp.gather(grad, dim, index),
)


def scatter_slopes(
    xp: Xp,
    grad: Value,
    self: Value,
    dim: int,
    index: Value,
    src: Value,
    reduce: str,
    include_self: bool,
    result: Value,
) -> tuple[Value, Value]:
    """The gradients of `self` and `src` under every reduction of `scatter_reduce`."""
    zeros, ones = xp.zeros_like(self), xp.ones_like(self)
    touched = xp.scatter_value(zeros, dim, index, 1)
    if reduce == "sum":
        to_self, to_src = grad, xp.gather(grad, dim, index)
    elif reduce == "mean":
        counts = xp.scatter_add(ones if include_self else zeros, dim, index, xp.ones_like(src))
        shared = grad / xp.masked_fill(counts, xp.eq(counts, 0), 1)
        to_self, to_src = shared, xp.gather(shared, dim, index)
    elif reduce == "prod":
        return prod_slopes(xp, grad, self, dim, index, src, include_self, result)
    else:
        ties = xp.to_copy(xp.eq(self, result), self.dtype)
        own = xp.to_copy(xp.eq(src, xp.gather(result, dim, index)), src.dtype)
        counts = xp.scatter_add(ties if include_self else ties * (1 - touched), dim, index, own)
        shared = grad / xp.masked_fill(counts, xp.eq(counts, 0), 1)
        to_self, to_src = shared * ties, xp.gather(shared, dim, index) * own
    if not include_self:
        to_self = xp.masked_fill(to_self, xp.ne(touched, 0), 0)
    return to_self, to_src


def prod_slopes(
    xp: Xp,
    grad: Value,
    self: Value,
    dim: int,
    index: Value,
    src: Value,
    include_self: bool,
    result: Value,
) -> tuple[Value, Value]:
    """Each factor gets the product of the others, which is exact beside one zero too.

    Where the product of the others has a history it has one here: the second derivative is right
    beside a zero of `self`. Beside two zeros of `src` it is 0, as in PyTorch.
    """
    touched = xp.ne(xp.scatter_value(xp.zeros_like(self), dim, index, 1), 0)
    if include_self:
        to_self = grad * xp.scatter_reduce(xp.ones_like(self), dim, index, src, "prod", True)
    else:
        to_self = xp.masked_fill(grad, touched, 0)
        self = xp.masked_fill(self, touched, 1)
    zero = xp.eq(src, 0)
    zeros = xp.masked_fill(xp.zeros_like(src), zero, 1)
    count = xp.scatter_add(xp.zeros_like(self), dim, index, zeros)
    full = xp.scatter_reduce(self, dim, index, xp.masked_fill(src, zero, 1), "prod", True)
    lone = xp.masked_fill(full, xp.ne(count, 1), 0)
    others = xp.where(
        zero,
        xp.gather(lone, dim, index),
        xp.gather(result, dim, index) / xp.masked_fill(src, zero, 1),
    )
    return to_self, xp.gather(grad, dim, index) * others


general(
    "scatter_reduce(self, dim, index, src, reduce, include_self=True)",
    operands="self index src",
    inplace=True,
    self=lambda xp, grad, self, dim, index, src, reduce, include_self, result: scatter_slopes(
        xp, grad, self, dim, index, src, reduce, include_self, result
    )[0],
    src=lambda xp, grad, self, dim, index, src, reduce, include_self, result: scatter_slopes(
        xp, grad, self, dim, index, src, reduce, include_self, result
    )[1],
)
# By slices: the same, `index` repeated along the other dimensions beforehand.
general(
    "index_reduce(self, dim, index, source, reduce, include_self=True)",
    operands="self index source",
    inplace=True,
    self=lambda xp, grad, self, dim, index, source, reduce, include_self, result: scatter_slopes(
        xp, grad, self, dim, index, source, reduce, include_self, result
    )[0],
    source=lambda xp, grad, self, dim, index, source, reduce, include_self, result: scatter_slopes(
        xp, grad, self, dim, index, source, reduce, include_self, result
    )[1],
)

# By a vector of places along one dimension

linear(
    "index_select(self, dim, index)",
    operands="self index",
    wide=False,
    self=lambda xp, grad, self_shape, dim, index: xp.index_add(
        xp.new_zeros(grad, self_shape), dim, index, grad, 1
    ),
)
linear(
    "index_select_surviving(self, dim, index)",
    operands="self index",
    node="IndexSelectBackward0",
    wide=False,
    self=lambda xp, grad, self_shape, dim, index: xp.index_copy(
        xp.new_zeros(grad, self_shape), dim, index, grad
    ),
)


def index_add_source(
    xp: Xp, grad: Value, dim: int, index: Value, source_shape: Size, alpha: Any
) -> Value:
    """The slices of the gradient that were added to, times the factor."""
    picked = xp.index_select(grad, dim, index)
    picked = reshaped(xp, picked, source_shape) if picked.shape != source_shape else picked
    return picked if alpha == 1 else picked * alpha


linear(
    "index_add(self, dim, index, source, alpha=1)",
    operands="self index source",
    inplace=True,
    self=lambda xp, grad: grad,
    source=index_add_source,
)


def index_copy_source(xp: Xp, grad: Value, dim: int, index: Value, source_shape: Size) -> Value:
    """The slices of the gradient that were written and not overwritten."""
    picked = xp.index_select_surviving(grad, dim, index)
    return reshaped(xp, picked, source_shape) if picked.shape != source_shape else picked


linear(
    "index_copy(self, dim, index, source)",
    operands="self index source",
    wide=False,
    inplace=True,
    self=lambda xp, grad, dim, index: xp.index_fill(grad, dim, index, 0),
    source=index_copy_source,
)
linear(
    "index_fill(self, dim, index, value)",
    operands="self index",
    wide=False,
    inplace=True,
    self=lambda xp, grad, dim, index: xp.index_fill(grad, dim, index, 0),
)


def filled_places(xp: Xp, grad: Value, self_shape: Size, dim: int, index: Value) -> Value:
    """The sum of the gradient where a value was written, a place named twice counted once."""
    where = xp.index_fill(xp.new_zeros(grad, self_shape), dim, index, 1)
    return xp.sum(grad * where)


linear(
    "index_fill_tensor(self, dim, index, value)",
    operands="self index value",
    node="IndexFillBackward1",
    wide=False,
    inplace=True,
    self=lambda xp, grad, dim, index: xp.index_fill(grad, dim, index, 0),
    value=filled_places,
)
