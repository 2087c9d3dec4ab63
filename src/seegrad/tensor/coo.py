"""Sparse tensors by coordinates: the places of their elements, and a dense tensor of these.

Note [Sparse]: no derivative is written here. The elements are an ordinary tensor, whose history
is that of the sparse tensor, and everything that is done with it is said by dense operators
(`index_add`, `index_select`, `cat` ...). A function that meets a sparse tensor asks its class
(Note [Asked]); what the class has no answer to raises, and is not computed as if it were dense.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays.printing import is_unusual, sparse_text
from seegrad.graph.tensor import mark, tensor_class, wrap
from seegrad.tensor.conversion import checked_dim, need_coo, sparse_coo, suffixes
from seegrad.tensor.parts import PartHistory, same_attributes

__all__ = ["ANSWERS", "Coo", "answers", "gathered", "keys_of", "like", "made", "own", "scattered"]

UNCOALESCED = "Cannot get {} on an uncoalesced tensor, please call .coalesce() first"
NO_MIXING = (
    "permute(sparse_coo): transpositions between sparse and dense dimensions are not allowed.Only "
    "transpositions within sparse and dense dimensions are supported."
)
TRANSPOSED = (
    "sparse transpose: transposed dimensions must be sparse Got sparse_dim: {}, d0: {}, d1: {}"
)
NO_COPY = "copy_ takes a sparse tensor of the size {}. Use x.to_sparse()."
LEAF_WRITTEN = "a leaf Variable that requires grad is being used in an in-place operation."
NO_NUMPY = "can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first."
WAY_OUT = (
    "{} is not there for sparse tensors. Use it on x.to_dense(), or on x.coalesce().values(), "
    "the elements that are there."
)

# What a function gives where it meets a sparse tensor, by its name.
ANSWERS: dict[str, Callable[..., Any]] = {}

# What can be said of the tensor as of any other.
SAME = ["dim", "ndimension", "numel", "nelement", "size", "element_size", "is_floating_point"]
SAME += ["is_complex", "is_signed", "is_same_size", "get_device", "__len__", "is_tensor"]
SAME += ["stride", "is_contiguous", "storage_offset"]


def answers(*names: str) -> Callable[[Any], Any]:
    """Says that a function is the answer for these names."""

    def enter(function: Any) -> Any:
        for name in names:
            ANSWERS[name] = function
        return function

    return enter


class Coo(PartHistory):
    """What a sparse tensor has of its own; `made` joins it with the class Tensor."""

    _places: Any  # (sparse_dim, nnz), whole numbers
    _elements: Any  # (nnz, *dense sizes), with the history of the tensor
    _coalesced: bool

    is_sparse = True
    layout = sparse_coo

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """The answer to `func`; NotImplementedError where there is none."""
        name, kwargs = func.__name__, kwargs or {}
        if name in ANSWERS:
            return ANSWERS[name](func, *args, **kwargs)
        if name in vars(Coo):
            return vars(Coo)[name](*args, **kwargs)
        if name in SAME or func in same_attributes():
            return super().__torch_function__(func, types, args, kwargs)  # type: ignore[misc]
        of = getattr(func, "__self__", None)  # of an attribute: what reads or writes it
        shown = getattr(getattr(of, "fget", None), "__name__", name)
        raise NotImplementedError(WAY_OUT.format(shown))

    # What it is made of

    def sparse_dim(self) -> int:
        """How many dimensions have places."""
        return int(self._places._array.shape[0])

    def dense_dim(self) -> int:
        """How many dimensions the elements themselves have."""
        return self._array.ndim - self.sparse_dim()

    def _nnz(self) -> int:
        """How many elements are there."""
        return int(self._places._array.shape[1])

    def _indices(self) -> Any:
        return self._places

    def _values(self) -> Any:
        return self._elements.detach()

    def is_coalesced(self) -> bool:
        """Whether every place is there once, in order."""
        return self._coalesced

    def indices(self) -> Any:
        """The places, (sparse_dim, nnz). Raises RuntimeError unless coalesced."""
        if not self._coalesced:
            raise RuntimeError(UNCOALESCED.format("indices"))
        return self._places

    def values(self) -> Any:
        """The elements, with their history. Raises RuntimeError unless coalesced."""
        if not self._coalesced:
            raise RuntimeError(UNCOALESCED.format("values"))
        return own(self._elements)

    def coalesce(self) -> Any:
        """The same tensor with every place once, in order; elements of one place are added."""
        if self._coalesced:
            return self
        keys, ranks = np.unique(keys_of(self), return_inverse=True)
        places = np.stack(np.unravel_index(keys, self._array.shape[: self.sparse_dim()]))
        elements = scattered(self._elements, ranks, len(keys))
        return made(wrap(places), elements, self._array.shape, coalesced=True)

    # Other forms

    def to_dense(self, dtype: Any = None, *, masked_grad: bool | None = None) -> Any:
        """An ordinary tensor, with zeros where nothing is; elements of one place are added."""
        if dtype is not None:
            raise RuntimeError("dtype argument is not supported by sparse_to_dense")
        if masked_grad is False and self.requires_grad:
            raise NotImplementedError("to_dense(masked_grad=False) of what requires a gradient")
        sizes = self._array.shape[: self.sparse_dim()]
        flat = scattered(self._elements, keys_of(self), int(np.prod(sizes)))
        return flat.reshape(self._array.shape)

    def to_sparse(self, sparse_dim: int | None = None, *, layout: Any = None) -> Any:
        """The tensor itself."""
        need_coo(layout)
        if sparse_dim not in (None, self.sparse_dim()):
            raise RuntimeError(
                "to_sparse: conversion from Sparse to Sparse with sparse_dim argument "
                "!=self.sparse_dim() is not supported"
            )
        return self

    to_sparse_coo = to_sparse

    def permute(self, *dims: Any) -> Any:
        """The dimensions in another order, those with places among themselves."""
        ndim, count = self._array.ndim, self.sparse_dim()
        dims = tuple(dims[0]) if dims and isinstance(dims[0], (tuple, list)) else dims
        order = [checked_dim(dim, ndim) for dim in dims]
        if sorted(order) != list(range(ndim)) or order[count:] != list(range(count, ndim)):
            raise RuntimeError(NO_MIXING)
        sizes = [self._array.shape[dim] for dim in order]
        return made(wrap(self._places._array[order[:count]]), own(self._elements), sizes)

    def transpose(self, dim0: int, dim1: int) -> Any:
        """Two dimensions exchanged."""
        order = list(range(self._array.ndim))
        dim0, dim1 = (checked_dim(dim, len(order)) for dim in (dim0, dim1))
        if dim0 == dim1:
            return like(self, own(self._elements))
        count = self.sparse_dim()
        if max(dim0, dim1) >= count:
            raise RuntimeError(TRANSPOSED.format(count, dim0, dim1))
        order[dim0], order[dim1] = dim1, dim0
        return self.permute(order)

    def t(self) -> Any:
        """The transpose of a matrix."""
        count, dense = self.sparse_dim(), self.dense_dim()
        if count > 2 or dense:
            raise RuntimeError(
                "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
                f"{count} sparse and {dense} dense dimensions"
            )
        return self.transpose(0, count - 1)

    T = property(lambda self: self.permute(list(range(self._array.ndim))[::-1]))
    mT = property(lambda self: self.transpose(-2, -1))

    def select(self, dim: int, index: int) -> Any:
        """One slice of a dimension, without that dimension."""
        dim, count = checked_dim(dim, self._array.ndim), self.sparse_dim()
        size = self._array.shape[dim]
        if not -size <= index < size:
            raise IndexError(
                f"index {index} is out of bounds for dimension {dim} with size {size}"
            )
        sizes = (*self._array.shape[:dim], *self._array.shape[dim + 1 :])
        if dim >= count:
            elements = self._elements.select(dim - count + 1, index)
            return made(self._places, elements, sizes, self._coalesced)
        there = np.flatnonzero(self._places._array[dim] == index % size)
        elements = self._elements.index_select(0, wrap(there))
        if count == 1:
            return elements.sum(0)
        places = np.delete(self._places._array[:, there], dim, 0)
        return made(wrap(places), elements, sizes, self._coalesced)

    def __getitem__(self, key: Any) -> Any:
        found = self
        for index in key if isinstance(key, tuple) else (key,):
            if not isinstance(index, int):
                raise NotImplementedError(WAY_OUT.format("An index that is no whole number"))
            found = found.select(0, index) if isinstance(found, Coo) else found[index]
        return found

    def __iter__(self) -> Any:
        return iter([self[index] for index in range(self._array.shape[0])])

    def clone(self, *, memory_format: Any = None) -> Any:
        """A copy."""
        return like(self, self._elements.clone())

    def detach(self) -> Any:
        """The same elements without history."""
        return like(self, self._elements.detach())

    data = property(lambda self: self.detach())

    def copy_(self, other: Any, non_blocking: bool = False) -> Any:
        """Takes over the places and the elements of a sparse tensor of this size."""
        if not isinstance(other, Coo) or other._array.shape != self._array.shape:
            raise RuntimeError(NO_COPY.format(list(self._array.shape)))
        if self.requires_grad:
            raise RuntimeError(LEAF_WRITTEN)
        self._places, self._coalesced = other._places.clone(), other._coalesced
        self._elements = other._elements.detach().to(self._elements.dtype, copy=True)
        return self

    def cpu(self, *args: Any, **options: Any) -> Any:
        """The tensor itself."""
        return self

    def type(self, dtype: Any = None) -> Any:
        """The name of the type, or the tensor in another one."""
        if dtype is None:
            return self._elements.type().replace("torch.", "torch.sparse.")
        return like(self, self._elements.type(dtype))

    def __array__(self, *args: Any, **options: Any) -> Any:
        raise TypeError(NO_NUMPY)

    numpy = __array__

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        told = [f"size={self._array.shape}", f"nnz={self._nnz()}"]
        if is_unusual(self._elements.dtype, False):
            told.append(f"dtype={self._elements.dtype}")
        told += ["layout=torch.sparse_coo", *suffixes(self._elements)]
        return sparse_text(self._places._array, self._elements._array, self._elements.dtype, told)

    def _with(self, elements: Any) -> Any:
        return like(self, elements)

    def _picked(self, value: Any) -> Any:
        return gathered(value, self)


@functools.cache
def sparse_class() -> Any:
    """The class of sparse tensors, which calls itself Tensor."""
    return type("Tensor", (Coo, tensor_class()), {"__module__": "torch"})


def made(places: Any, elements: Any, size: Any, coalesced: bool = False) -> Any:
    """The sparse tensor of these elements at these places."""
    # One number in every place: shape and dtype are there, and no memory is taken. Nobody reads
    # it; whoever does all the same finds NaN.
    dtype = elements._array.dtype
    filling = np.full((), np.nan if dtype.kind in "fc" else 0, dtype)
    tensor = wrap(np.broadcast_to(filling, tuple(size)))
    tensor.__class__ = sparse_class()
    mark(tensor)
    tensor._places, tensor._elements = places, elements
    tensor._coalesced = coalesced or places._array.shape[1] < 2
    return tensor


def like(tensor: Any, elements: Any) -> Any:
    """Other elements at the places of a sparse tensor."""
    return made(tensor._places, elements, tensor._array.shape, tensor._coalesced)


def own(elements: Any) -> Any:
    """The elements as another tensor: what is asked of it later is asked of it alone."""
    return elements.view_as(elements) if elements.requires_grad else elements.detach()


def keys_of(tensor: Any) -> Any:
    """One whole number for each place: as the elements of a dense tensor are counted."""
    places = tensor._places._array
    sizes = tensor._array.shape[: len(places)]
    if not sizes:
        return np.zeros(places.shape[1], np.int64)
    return np.ravel_multi_index(tuple(places), sizes)


def scattered(elements: Any, rows: Any, count: int) -> Any:
    """`count` rows, into which the elements are added."""
    zeros = elements.new_zeros((count, *elements._array.shape[1:]))
    return zeros.index_add(0, wrap(rows), elements)


def gathered(dense: Any, tensor: Any) -> Any:
    """The elements of a tensor at the places of a sparse one."""
    if isinstance(dense, Coo):
        dense = dense.to_dense()
    count = tensor.sparse_dim()
    flat = dense.reshape((-1, *dense.shape[count:])) if count else dense.unsqueeze(0)
    return flat.index_select(0, wrap(keys_of(tensor)))
