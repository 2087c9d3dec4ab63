"""Derivatives of views and of operators that change shapes.

A view's rule maps the gradient of the view to the shape of its base; the operators that do so
(`slice_backward` ...) have the view itself as their rule.
"""

from typing import Any

from seegrad.rules.spec import general, linear, variadic, view

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Size = tuple[int, ...]


def reshaped(xp: Xp, x: Value, shape: Size) -> Value:
    """`x` in another shape: a view where its memory allows that, else a copy."""
    try:
        return xp.view(x, shape)
    except RuntimeError:
        return xp.unsafe_view(xp.clone(x, "contiguous"), shape)


# Views

view("alias(self)", self=lambda xp, grad: grad)
view("fw_primal(self)", node="CppFunction", self=lambda xp, grad: grad)
view("view(self, size)", self=lambda xp, grad, self_shape: reshaped(xp, grad, self_shape))
view(
    "reshape_alias(self, size)",
    self=lambda xp, grad, self_shape: reshaped(xp, grad, self_shape),
)
view(
    "transpose(self, dim0, dim1)", self=lambda xp, grad, dim0, dim1: xp.transpose(grad, dim0, dim1)
)
view("t(self)", self=lambda xp, grad: xp.t(grad))


def permute_back(xp: Xp, grad: Value, dims: Size) -> Value:
    """The inverse of a permutation of dimensions."""
    ndim = len(dims)
    return xp.permute(grad, tuple(sorted(range(ndim), key=lambda axis: dims[axis] % ndim)))


view("permute(self, dims)", self=permute_back)
# The loop sums what broadcasting repeated.
view("expand(self, size)", self=lambda xp, grad, self_shape: grad)
view("unsqueeze(self, dim)", self=lambda xp, grad, dim: xp.squeeze_dim(grad, dim))


def squeeze_back(xp: Xp, grad: Value, self_shape: Size) -> Value:
    """The dimensions of size 1 put back."""
    for axis, size in enumerate(self_shape):
        if size == 1:
            grad = xp.unsqueeze(grad, axis)
    return grad


def squeeze_dim_back(xp: Xp, grad: Value, dim: int, self_shape: Size) -> Value:
    """One dimension put back, if its size was 1."""
    return xp.unsqueeze(grad, dim) if self_shape and self_shape[dim] == 1 else grad


def squeeze_dims_back(xp: Xp, grad: Value, dim: Size, self_shape: Size) -> Value:
    """Several dimensions put back, those whose size was 1."""
    ndim = len(self_shape)
    for axis in sorted(one % ndim for one in dim) if ndim else ():
        grad = squeeze_dim_back(xp, grad, axis, self_shape)
    return grad


view("squeeze(self)", self=squeeze_back)
view("squeeze_dim(self, dim)", node="SqueezeBackward1", self=squeeze_dim_back)
view("squeeze_dims(self, dim)", node="SqueezeBackward2", self=squeeze_dims_back)
# The same, where PyTorch takes it out of a product it has just made.
linear("squeeze_made(self, dim)", node="SqueezeBackward4", wide=False, self=squeeze_dim_back)
view(
    "select(self, dim, index)",
    self=lambda xp, grad, dim, index, self_shape: xp.select_backward(grad, self_shape, dim, index),
)
linear(
    "select_backward(grad_output, self_shape, dim, index)",
    node="SelectBackwardBackward0",
    wide=False,
    grad_output=lambda xp, grad, dim, index: xp.select(grad, dim, index),
)
view(
    "slice(self, dim=0, start=None, end=None, step=1)",
    self=lambda xp, grad, dim, end, self_shape, start, step: xp.slice_backward(
        grad, self_shape, dim, start, end, step
    ),
)
linear(
    "slice_backward(grad_output, self_shape, dim, start, end, step)",
    node="SliceBackwardBackward0",
    wide=False,
    grad_output=lambda xp, grad, dim, start, end, step: xp.slice(grad, dim, start, end, step),
)
view(
    "diagonal(self, offset=0, dim1=0, dim2=1)",
    self=lambda xp, grad, self_shape, offset, dim1, dim2: xp.diagonal_backward(
        grad, self_shape, offset, dim1, dim2
    ),
)
linear(
    "diagonal_backward(grad_output, self_shape, offset, dim1, dim2)",
    node="DiagonalBackwardBackward0",
    wide=False,
    grad_output=lambda xp, grad, offset, dim1, dim2: xp.diagonal(grad, offset, dim1, dim2),
)
view(
    "unfold(self, dimension, size, step)",
    self=lambda xp, grad, self_shape, dimension, size, step: xp.unfold_backward(
        grad, self_shape, dimension, size, step
    ),
)
linear(
    "unfold_backward(grad_output, self_shape, dimension, size, step)",
    node="UnfoldBackwardBackward0",
    grad_output=lambda xp, grad, dimension, size, step: xp.unfold(grad, dimension, size, step),
)


def as_strided_back(
    xp: Xp,
    grad: Value,
    self_shape: Size,
    size: Size,
    stride: Size,
    storage_offset: int | None,
    base_stride: Size,
    base_offset: int,
) -> Value:
    """Each element of the gradient added where its element lies in the memory of the base."""
    return xp.as_strided_backward(
        grad, self_shape, size, stride, storage_offset, base_stride, base_offset
    )


# Strides and offset of the base are arguments, so that its gradient knows what lay where.
view(
    "as_strided(self, size, stride, storage_offset, base_stride, base_offset)",
    self=as_strided_back,
)
linear(
    "as_strided_backward(grad, self_shape, size, stride, storage_offset, base_stride, "
    "base_offset)",
    node="AsStridedBackwardBackward0",
    grad=lambda xp, grad, self_shape, size, stride, storage_offset, base_stride, base_offset: (
        xp.as_strided_gather(grad, size, stride, storage_offset, base_stride, base_offset)
    ),
)
linear(
    "as_strided_gather(self, size, stride, storage_offset, base_stride, base_offset)",
    node="AsStridedBackward0",
    self=as_strided_back,
)


def join_pieces(
    xp: Xp, grads: tuple[Value, ...], self_shape: Size, dim: int, sizes: Size
) -> Value:
    """The gradients of the pieces one after the other, zeros where a piece was not used."""
    grads = grads if isinstance(grads, tuple) else (grads,)
    some = next(grad for grad in grads if grad is not None)
    axis = dim % len(self_shape)
    parts = [
        xp.new_zeros(some, (*self_shape[:axis], size, *self_shape[axis + 1 :]))
        if grad is None
        else grad
        for grad, size in zip(grads, sizes, strict=True)
    ]
    return xp.cat(parts, dim)


def split_back(
    xp: Xp, grads: tuple[Value, ...], split_size: int, dim: int, self_shape: Size
) -> Value:
    """Pieces of equal size, the last may be smaller."""
    grads = grads if isinstance(grads, tuple) else (grads,)
    total = self_shape[dim]
    sizes = tuple(min(split_size, total - split_size * place) for place in range(len(grads)))
    return join_pieces(xp, grads, self_shape, dim, sizes)


def unbind_back(xp: Xp, grads: tuple[Value, ...], self_shape: Size, dim: int) -> Value:
    """The gradients of the slices side by side, zeros where one was not used."""
    grads = grads if isinstance(grads, tuple) else (grads,)
    some = next(grad for grad in grads if grad is not None)
    shape = list(self_shape)
    del shape[dim]
    zeros = xp.new_zeros(some, tuple(shape))
    return xp.stack([zeros if grad is None else grad for grad in grads], dim)


view("split(self, split_size, dim=0)", outputs="list", self=split_back)
view(
    "split_with_sizes(self, split_sizes, dim=0)",
    outputs="list",
    self=lambda xp, grads, split_sizes, dim, self_shape: join_pieces(
        xp, grads, self_shape, dim, split_sizes
    ),
)
view("unbind(self, dim=0)", outputs="list", self=unbind_back)

# Pieces that share the memory but are no views: what is written to one is not told to the others.

general("unsafe_split(self, split_size, dim=0)", outputs="list", wide=False, self=split_back)
general(
    "unsafe_split_with_sizes(self, split_sizes, dim=0)",
    outputs="list",
    wide=False,
    self=lambda xp, grads, split_sizes, dim, self_shape: join_pieces(
        xp, grads, self_shape, dim, split_sizes
    ),
)

# In place: the same tensor in another shape (`ops.reshaping`), as views but for the nodes' names.

linear("t_in_place(self)", node="TBackward1", wide=False, self=lambda xp, grad: xp.t(grad))
linear(
    "transpose_in_place(self, dim0, dim1)",
    node="TransposeBackward1",
    wide=False,
    self=lambda xp, grad, dim0, dim1: xp.transpose(grad, dim0, dim1),
)
linear(
    "unsqueeze_in_place(self, dim)",
    node="UnsqueezeBackward1",
    wide=False,
    self=lambda xp, grad, dim: xp.squeeze_dim(grad, dim),
)
linear("squeeze_in_place(self)", node="SqueezeBackward3", wide=False, self=squeeze_back)
linear(
    "as_strided_in_place(self, size, stride, storage_offset, base_stride, base_offset)",
    node="AsStridedBackward1",
    wide=False,
    self=as_strided_back,
)

# Copies

linear("clone(self, memory_format='preserve')", wide=False, self=lambda xp, grad: grad)
linear(
    "unsafe_view(self, size)",
    wide=False,
    self=lambda xp, grad, self_shape: reshaped(xp, grad, self_shape),
)
# The loop casts the gradient back.
linear("to_copy(self, dtype)", wide=False, result="other", self=lambda xp, grad: grad)


def cat_back(xp: Xp, grad: Value, tensors_shapes: tuple[Size, ...], dim: int) -> tuple[Value, ...]:
    """Each tensor's part of the gradient; an empty vector, which was left out, gets nothing."""
    parts, start = [], 0
    for shape in tensors_shapes:
        if shape == (0,) and grad.ndim != 1:
            parts.append(xp.new_zeros(grad, shape))
            continue
        size = shape[dim]
        parts.append(xp.slice(grad, dim, start, start + size, 1))
        start += size
    return tuple(parts)


variadic("cat(tensors, dim=0)", wide=False, tensors=cat_back)
variadic(
    "stack(tensors, dim=0)",
    wide=False,
    tensors=lambda xp, grad, tensors_shapes, dim: tuple(
        xp.select(grad, dim, place) for place in range(len(tensors_shapes))
    ),
)


def block_diag_back(xp: Xp, grad: Value, tensors_shapes: tuple[Size, ...]) -> tuple[Value, ...]:
    """Each matrix's block of the gradient."""
    blocks, row, column = [], 0, 0
    for rows, columns in tensors_shapes:
        lines = xp.slice(grad, 0, row, row + rows, 1)
        blocks.append(xp.slice(lines, 1, column, column + columns, 1))
        row, column = row + rows, column + columns
    return tuple(blocks)


variadic("block_diag(tensors)", wide=False, tensors=block_diag_back)


def repeat_back(xp: Xp, grad: Value, self_shape: Size, repeats: Size) -> Value:
    """The sum over the repetitions: each dimension split into (count, size), counts summed."""
    if 0 in repeats:
        return xp.new_zeros(grad, self_shape)
    lead = len(repeats) - len(self_shape)
    for _ in range(lead):  # one after the other, as half precision would show
        grad = xp.sum_dim(grad, (0,), False)
    mixed: list[int] = []
    summed: list[int] = []
    for count, size in zip(repeats[lead:], self_shape, strict=True):
        if count != 1:
            summed.append(len(mixed))
            mixed.append(count)
        mixed.append(size)
    if not summed:
        return grad
    return xp.sum_dim(reshaped(xp, grad, tuple(mixed)), tuple(summed), False)


linear("repeat(self, repeats)", wide=False, self=repeat_back)
linear("flip(self, dims)", wide=False, self=lambda xp, grad, dims: xp.flip(grad, dims))
linear(
    "roll(self, shifts, dims)",
    wide=False,
    self=lambda xp, grad, shifts, dims: xp.roll(grad, tuple(-shift for shift in shifts), dims),
)
linear(
    "rot90(self, k, dims)",
    wide=False,
    self=lambda xp, grad, k, dims: xp.rot90(grad, -k, dims),
)
linear(
    "tril(self, diagonal=0)",
    wide=False,
    inplace=True,
    self=lambda xp, grad, diagonal: xp.tril(grad, diagonal),
)
linear(
    "triu(self, diagonal=0)",
    wide=False,
    inplace=True,
    self=lambda xp, grad, diagonal: xp.triu(grad, diagonal),
)
linear(
    "diag_embed(self, offset=0, dim1=-2, dim2=-1)",
    wide=False,
    self=lambda xp, grad, offset, dim1, dim2: xp.diagonal(grad, offset, dim1, dim2),
)
linear(
    "trace(self)",
    self=lambda xp, grad, self_shape: xp.diagonal_backward(
        xp.expand(grad, (min(self_shape),)), self_shape, 0, 0, 1
    ),
)
linear(
    "constant_pad_nd(self, pad, value=0)",
    wide=False,
    self=lambda xp, grad, pad: xp.constant_pad_nd(grad, tuple(-margin for margin in pad), 0),
)
