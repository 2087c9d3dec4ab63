"""What sparse and masked tensors share: their elements are another tensor."""

import functools
from typing import Any

from seegrad.graph.tensor import TensorBase, tensor_class

__all__ = ["PartHistory", "same_attributes"]

ATTRIBUTES = ["shape", "dtype", "ndim", "device", "is_cuda", "is_cpu", "is_sparse_csr", "layout"]
ATTRIBUTES += ["is_quantized", "is_meta", "is_mkldnn", "is_nested", "name", "itemsize", "_version"]
ATTRIBUTES += ["is_sparse", "nbytes"]


@functools.cache
def same_attributes() -> frozenset[Any]:
    """What reads the attributes that such a tensor has as any other."""
    return frozenset(getattr(tensor_class(), name).__get__ for name in ATTRIBUTES)


class PartHistory(TensorBase):
    """The history of a tensor that is that of its elements."""

    _elements: Any

    def _with(self, elements: Any) -> Any:
        """Other elements in the same places."""
        raise NotImplementedError

    @property
    def requires_grad(self) -> bool:
        """Whether gradients with respect to the elements are wanted."""
        return bool(self._elements.requires_grad)

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        self._elements.requires_grad = flag

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Sets `requires_grad` and returns the tensor itself."""
        self._elements.requires_grad_(requires_grad)
        return self

    is_leaf = property(lambda self: self._elements.is_leaf)
    grad_fn = property(lambda self: self._elements.grad_fn)

    @property
    def grad(self) -> Any:
        """The gradient, in the same places."""
        found = self._elements.grad
        return None if found is None else self._with(found)

    @grad.setter
    def grad(self, value: Any) -> None:
        self._elements.grad = value if value is None else self._picked(value)

    def _picked(self, value: Any) -> Any:
        """The elements of a tensor that stand where this one's do."""
        raise NotImplementedError

    def retain_grad(self) -> None:
        """Keeps the gradient of a non-leaf in `.grad`."""
        self._elements.retain_grad()

    def __deepcopy__(self, memo: Any) -> Any:
        copy = self._with(self._elements.detach().clone().requires_grad_(self.requires_grad))
        return memo.setdefault(id(self), copy)

    def __format__(self, specification: str) -> str:
        return format(repr(self), specification)
