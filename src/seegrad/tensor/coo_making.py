"""Sparse tensors out of places and elements, and out of dense tensors (Note [Sparse])."""

from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.tensor import (
    coo_math,  # noqa: F401  what functions answer has to be known
    creation,
)
from seegrad.tensor.coo import Coo, answers, gathered, keys_of, like, made, own

__all__ = ["sparse_coo_tensor", "sparse_mask", "to_sparse"]


def sparse_coo_tensor(
    indices: Any = None,
    values: Any = None,
    size: Any = None,
    *,
    dtype: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> Any:
    """A sparse tensor with these elements at these places, and zeros elsewhere.

    `indices`: (sparse dimensions, elements), `values`: (elements, dense sizes). `size` is as small
    as the places allow unless given; `sparse_coo_tensor(size)` is a tensor of zeros. Elements of
    one place are added. Gradients flow to `values`.

    Raises RuntimeError where these do not fit, or a place is outside of the size.

    >>> import seegrad as torch
    >>> x = torch.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))
    >>> x
    tensor(indices=tensor([[0, 1],
                           [2, 0]]),
           values=tensor([3., 4.]),
           size=(2, 3), nnz=2, layout=torch.sparse_coo)
    >>> x.to_dense()
    tensor([[0., 0., 3.],
            [4., 0., 0.]])
    """
    if values is None:
        size = creation.size_of("sparse_coo_tensor", () if indices is None else (indices,), size)
        indices = np.zeros((len(size), 0), np.int64)
        values = creation.zeros(0, dtype=dtype)
    places = creation.as_tensor(indices).detach().long()
    elements: Any = creation.as_tensor(values, dtype=dtype, device=device)
    elements = elements.reshape(1) if elements.ndim == 0 else elements
    size = whole_size(places._array, elements._array.shape, size)
    elements = creation.finished(elements._array, True) if requires_grad else own(elements)
    tensor = made(places, elements, size, bool(is_coalesced))
    if is_coalesced and (np.diff(keys_of(tensor)) <= 0).any():
        raise RuntimeError(
            "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor"
        )
    return tensor


def whole_size(places: Any, elements: Any, size: Any) -> Any:
    """The size, checked against the places and the shape of the elements."""
    if places.ndim != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(places.shape)}")
    count, number = places.shape
    if number != elements[0]:
        raise RuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{number}, nnz from values: {elements[0]}"
        )
    least = places.max(1, initial=-1) + 1
    size = tuple((*least.tolist(), *elements[1:]) if size is None else size)
    if len(size) != count + len(elements) - 1:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, "
            f"sparse_dim = {count}, dense_dim = {len(elements) - 1}"
        )
    for dim, row in enumerate(places):
        if number and row.min() < 0:
            raise RuntimeError(f"found negative index {row.min()} for dim {dim}")
        if least[dim] > size[dim]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is {size[dim]} but found "
                f"index {least[dim] - 1}"
            )
    if size[count:] != elements[1:]:
        raise RuntimeError(
            f"values has incorrect size, expected {[number, *size[count:]]}, got {list(elements)}"
        )
    return size


def to_sparse(input: Any, sparse_dim: int | None = None) -> Any:
    """The elements that are not zero, as a sparse tensor."""
    ndim = input._array.ndim
    count = ndim if sparse_dim is None else sparse_dim
    if not 0 <= count <= ndim:
        raise RuntimeError(
            f"dense_to_sparse: sparse_dim argument must be in [0,{ndim}] range, but {count} is "
            "given"
        )
    there = input._array != 0
    places = (
        np.stack(np.nonzero(there.any(tuple(range(count, ndim)))))
        if count
        else (np.zeros((0, 1), np.int64))
    )
    empty = made(wrap(places), input.detach(), input._array.shape, coalesced=True)
    return like(empty, gathered(input, empty))


@answers("sparse_mask")
def sparse_mask(func: Any, input: Any, mask: Any) -> Any:
    """The elements of a dense tensor at the places of a sparse one."""
    if not isinstance(mask, Coo):
        raise NotImplementedError("sparse_mask: the mask has to be a sparse tensor")
    if input._array.shape != mask._array.shape:
        sizes = [list(one._array.shape) for one in (input, mask)]
        raise RuntimeError(
            "sparse_mask(): operands have incompatible sizes; self has size {} but mask has size "
            "{}".format(*sizes)
        )
    return like(mask, gathered(input, mask))
