"""`CosineSimilarity` and `PairwiseDistance`."""

from seegrad.nn import functional as F
from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


class CosineSimilarity(Module):
    """The cosine of the angle between two vectors along `dim`.

    >>> import seegrad as torch
    >>> torch.nn.CosineSimilarity(dim=0)(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 2.0]))
    tensor(0.)
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The broadcast shape of both inputs without `dim`."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The `p`-norm of the difference of two vectors along the last dimension, `eps` added to it.

    >>> import seegrad as torch
    >>> torch.nn.PairwiseDistance(eps=0)(torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]))
    tensor([5.])
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The broadcast shape of both inputs without the last dimension."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
