"""What a dense tensor answers when it is asked for sparse ones; these are imported then."""

from typing import Any, NoReturn

from seegrad.graph.tensor import TensorBase
from seegrad.tensor.conversion import need_coo

__all__ = ["SparseFace"]


def only_of_sparse(name: str, kind: str = "sparse coordinate tensor") -> Any:
    """A method that sparse tensors have and this one does not."""

    def refused(self: Any) -> NoReturn:
        raise RuntimeError(f"{name} expected {kind} layout but got Strided")

    return refused


class SparseFace(TensorBase):
    """To and from sparse tensors."""

    def to_sparse(self, sparse_dim: int | None = None, *, layout: Any = None) -> Any:
        """The elements that are not zero, as a sparse tensor; gradients flow through.

        `sparse_dim`: how many dimensions have places, all unless given.

        >>> import seegrad as torch
        >>> torch.tensor([0.0, 5.0, 0.0]).to_sparse()
        tensor(indices=tensor([[1]]),
               values=tensor([5.]),
               size=(3,), nnz=1, layout=torch.sparse_coo)
        """
        from seegrad.tensor.coo_making import to_sparse

        need_coo(layout)
        return to_sparse(self, sparse_dim)

    def to_sparse_coo(self) -> Any:
        """The same as `to_sparse`."""
        return self.to_sparse()

    def sparse_mask(self, mask: Any) -> Any:
        """The elements at the places of a sparse tensor, as a sparse tensor."""
        from seegrad.tensor.coo_making import sparse_mask

        return sparse_mask(self.sparse_mask, self, mask)

    def to_dense(self, dtype: Any = None, *, masked_grad: bool | None = None) -> Any:
        """The tensor itself, in another dtype where one is given."""
        return self if dtype is None else self.to(dtype)  # type: ignore[attr-defined]

    def sparse_dim(self) -> int:
        """0: no dimension has places."""
        return 0

    def dense_dim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    coalesce, is_coalesced = only_of_sparse("coalesce"), only_of_sparse("is_coalesced")
    indices, _indices = only_of_sparse("indices"), only_of_sparse("_indices")
    values, _values = only_of_sparse("values", "sparse tensor"), only_of_sparse("_values")
    _nnz = only_of_sparse("_nnz")
