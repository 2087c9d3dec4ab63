"""Derivatives of masks, of flat places, of ordering, of writing one value, of embedding tables."""

from typing import Any

from seegrad.rules.spec import constant, general, linear, not_implemented, without

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Size = tuple[int, ...]

# Masks

linear(
    "masked_fill(self, mask, value)",
    operands="self mask",
    wide=False,
    inplace=True,
    self=lambda xp, grad, mask: xp.masked_fill(grad, mask, 0),
)
linear(
    "masked_fill_tensor(self, mask, value)",
    operands="self mask value",
    node="MaskedFillBackward1",
    wide=False,
    inplace=True,
    self=lambda xp, grad, mask: xp.masked_fill(grad, mask, 0),
    value=lambda xp, grad, mask: xp.sum(xp.masked_select(grad, mask)),
)
linear(
    "masked_select(self, mask)",
    operands="self mask",
    wide=False,
    self=lambda xp, grad, self, mask: xp.masked_select_backward(grad, self.shape, mask),
)
linear(
    "masked_select_backward(source, self_shape, mask)",
    operands="source mask",
    node="MaskedScatterBackward0",
    wide=False,
    source=lambda xp, grad, mask: xp.masked_select(grad, mask),
)
linear(
    "masked_scatter(self, mask, source)",
    operands="self mask source",
    wide=False,
    inplace=True,
    self=lambda xp, grad, mask: xp.masked_fill(grad, mask, 0),
    source=lambda xp, grad, mask, source_shape: xp.masked_scatter_backward(
        grad, mask, source_shape
    ),
)
linear(
    "masked_scatter_backward(grad_output, mask, source_shape)",
    operands="grad_output mask",
    node="MaskedScatterBackwardBackward0",
    wide=False,
    grad_output=lambda xp, grad, mask, grad_output_shape: xp.masked_scatter(
        xp.new_zeros(grad, grad_output_shape), mask, grad
    ),
)

# Places of the flattened tensor

linear(
    "take(self, index)",
    operands="self index",
    wide=False,
    self=lambda xp, grad, self, index: xp.put(xp.new_zeros(grad, self.shape), index, grad, True),
)
linear(
    "take_surviving(self, index)",
    operands="self index",
    node="TakeBackward0",
    wide=False,
    self=lambda xp, grad, self_shape, index: xp.put(
        xp.new_zeros(grad, self_shape), index, grad, False
    ),
)


def put_self(xp: Xp, grad: Value, accumulate: bool, index: Value) -> Value:
    """What was there before keeps its gradient where nothing was written, or all of it."""
    if accumulate:
        return grad
    return xp.put(grad, index, xp.new_zeros(grad, index.shape), False)


def put_source(xp: Xp, grad: Value, accumulate: bool, index: Value, source_shape: Size) -> Value:
    """What was written gets the gradient of its place, if it is still there."""
    picked = xp.take(grad, index) if accumulate else xp.take_surviving(grad, index)
    return xp.view(picked, source_shape) if picked.shape != source_shape else picked


linear(
    "put(self, index, source, accumulate=False)",
    operands="self index source",
    wide=False,
    inplace=True,
    self=put_self,
    source=put_source,
)

# Ordering: the gradient goes back to where each value came from.


def back_to_places(xp: Xp, grad: Value, self_shape: Size, dim: int, indices: Value) -> Value:
    """Zeros with the gradient of each value where it was."""
    return xp.scatter(xp.new_zeros(grad, self_shape), dim, indices, grad)


linear(
    "sort(self, dim=-1, descending=False)",
    outputs="values indices",
    wide=False,
    self=back_to_places,
)
linear(
    "sort_stable(self, dim=-1, descending=False)",
    node="SortBackward1",
    outputs="values indices",
    wide=False,
    self=back_to_places,
)
linear(
    "topk(self, k, dim=-1, largest=True, sorted=True)",
    outputs="values indices",
    wide=False,
    self=back_to_places,
)


def kthvalue_back(
    xp: Xp, grad: Value, self_shape: Size, dim: int, indices: Value, keepdim: bool
) -> Value:
    """The same, with the dimension put back first."""
    if not keepdim and self_shape:
        grad, indices = xp.unsqueeze(grad, dim), xp.unsqueeze(indices, dim)
    return back_to_places(xp, grad, self_shape, dim, indices)


linear(
    "kthvalue(self, k, dim=-1, keepdim=False)",
    outputs="values indices",
    wide=False,
    self=kthvalue_back,
)
constant("nonzero(self)", wide=False)
general(
    "bincount(self, weights=None, minlength=0)",
    node="NotImplemented",
    operands="self weights",
    wide=False,
    weights=not_implemented("bincount"),
)
constant("searchsorted(sorted_sequence, self, right=False)", operands="sorted_sequence self")
constant("isin(self, test_elements, invert=False)", operands="self test_elements")
general(
    "unique(self)",
    node="Unique2Backward0",
    wide=False,
    outputs="output inverse_indices occurrences",
    self=without("_unique2"),
)
for _name in ("unique_dim", "unique_consecutive"):
    general(
        f"{_name}(self, dim)",
        wide=False,
        outputs="output inverse_indices occurrences",
        self=without(_name),
    )
constant("one_hot(self, num_classes=-1)", wide=False)

# One value everywhere; each form has its own node in PyTorch.

linear("zero(self)", wide=False, inplace=True, self=lambda xp, grad: xp.zeros_like(grad))
for _name, _number in (("fill_copy_scalar", 0), ("fill_scalar", 2)):
    linear(
        f"{_name}(self, value)",
        operands="self",
        node=f"FillBackward{_number}",
        wide=False,
        inplace=True,
        self=lambda xp, grad: xp.zeros_like(grad),
    )
for _name, _number in (("fill_copy", 1), ("fill", 3)):
    linear(
        f"{_name}(self, value)",
        operands="self value",
        node=f"FillBackward{_number}",
        wide=False,
        inplace=True,
        self=lambda xp, grad: xp.zeros_like(grad),
        value=lambda xp, grad: xp.sum(grad),
    )
linear(
    "copy(self, src, non_blocking=False)",
    node="CopyBackwards",
    wide=False,
    inplace=True,
    self=lambda xp, grad: xp.zeros_like(grad),
    src=lambda xp, grad: grad,
)

# Tables of vectors


def embedding_back(
    xp: Xp,
    grad: Value,
    weight_shape: Size,
    indices: Value,
    padding_idx: int,
    scale_grad_by_freq: bool,
) -> Value:
    """Each row of the table gets what the places that name it got."""
    return xp.embedding_dense_backward(
        grad, indices, weight_shape[0], padding_idx, scale_grad_by_freq
    )


def embedding_dense_back(
    xp: Xp,
    grad: Value,
    indices: Value,
    num_weights: int,
    padding_idx: int,
    scale_grad_by_freq: bool,
) -> Value:
    """The rows of the gradient that the places name, the padding row as zeros."""
    if scale_grad_by_freq:
        raise RuntimeError(
            "double backward is not supported for embedding with scale_grad_by_freq"
        )
    rows = xp.embedding(grad, indices, -1, False, False)
    if padding_idx < 0:
        return rows
    return xp.masked_fill(rows, xp.unsqueeze(xp.eq(indices, padding_idx), -1), 0)


linear(
    "embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False)",
    operands="weight indices",
    wide=False,
    weight=embedding_back,
)
linear(
    "embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq)",
    operands="grad_output indices",
    node="EmbeddingDenseBackwardBackward0",
    grad_output=embedding_dense_back,
)
