"""`Embedding` and `EmbeddingBag`."""

from typing import Any

from seegrad.autograd.grad_mode import no_grad
from seegrad.nn import functional as F
from seegrad.nn import init
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.tensor.creation import empty
from seegrad.tensor.tensor import Tensor


class Embedding(Module):
    """A table of vectors, looked up by number.

    Args: `num_embeddings` rows of `embedding_dim`; the row `padding_idx` starts as zeros and gets
    no gradient; rows longer than `max_norm` are shortened when they are used. `sparse=True` is
    accepted, gradients are dense all the same. Shapes: indices (*), output (*, embedding_dim).
    Rows start normal(0, 1).
    Raises AssertionError for a `padding_idx` outside of the table.

    >>> import seegrad as torch
    >>> torch.nn.Embedding(10, 3)(torch.tensor([1, 2])).shape
    torch.Size([2, 3])
    """

    weight: Tensor

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = _in_table(padding_idx, num_embeddings)
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        shape = (num_embeddings, embedding_dim)
        if _weight is None:
            drawn = empty(shape, device=device, dtype=dtype)
            self.weight = Parameter(drawn, requires_grad=not _freeze)
            self.reset_parameters()
        elif tuple(_weight.shape) != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        else:
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    def reset_parameters(self) -> None:
        """Draw all rows anew."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        """Indices (*) to vectors (*, embedding_dim)."""
        return F.embedding(
            input, self.weight, self.padding_idx,
            self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse,
        )  # fmt: skip

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> "Embedding":
        """An Embedding over the rows of `embeddings` (2-d), not trained unless `freeze=False`."""
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        return cls(
            rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse,
            _weight=embeddings, _freeze=freeze,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The sizes and what differs from the defaults."""
        words = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            words += f", padding_idx={self.padding_idx}"
        if self.max_norm is not None:
            words += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            words += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq:
            words += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        if self.sparse:
            words += ", sparse=True"
        return words


class EmbeddingBag(Module):
    """Sums, means or maxima of bags of rows of a table.

    Args: as `Embedding`'s, and `mode` ("sum", "mean" or "max"), `include_last_offset`. Called with
    bags (b, n), or with rows (n,) and `offsets` (b,) where bags begin; output (b, embedding_dim).
    Raises AssertionError for a `padding_idx` outside of the table.

    >>> import seegrad as torch
    >>> torch.nn.EmbeddingBag(10, 3)(torch.tensor([[1, 2], [2, 4]])).shape
    torch.Size([2, 3])
    """

    weight: Tensor

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError("padding_idx must be within num_embeddings")
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if _weight is None:
            shape = (num_embeddings, embedding_dim)
            self.weight = Parameter(empty(shape, device=device, dtype=dtype))
            self.reset_parameters()
        elif tuple(_weight.shape) != (num_embeddings, embedding_dim):
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        else:
            self.weight = Parameter(_weight)
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset

    def reset_parameters(self) -> None:
        """Draw all rows anew."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
    ) -> Tensor:
        """Bags of rows to (b, embedding_dim)."""
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.mode, self.sparse, per_sample_weights,
            self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> "EmbeddingBag":
        """Bags over the rows of `embeddings` (2-d), not trained unless `freeze=False`."""
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        made = cls(
            rows, columns, max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings,
            include_last_offset, padding_idx,
        )  # fmt: skip
        made.weight.requires_grad = not freeze
        return made

    def extra_repr(self) -> str:
        """The sizes and what differs from the defaults."""
        words = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.max_norm is not None:
            words += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            words += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq:
            words += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        words += f", mode={self.mode!r}"
        if self.padding_idx is not None:
            words += f", padding_idx={self.padding_idx}"
        return words


def _in_table(padding_idx: int | None, rows: int) -> int | None:
    """`padding_idx` counted from the front."""
    if padding_idx is None:
        return None
    if not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % rows
