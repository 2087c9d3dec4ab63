"""`Dropout`."""

from seegrad.nn import functional as F
from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


class Dropout(Module):
    """In training, zeroes each element with probability `p` and scales the rest by 1 / (1 - p).

    Raises ValueError for a `p` outside of 0 to 1.

    >>> import seegrad as torch
    >>> torch.nn.Dropout(0.5).eval()(torch.ones(2))
    tensor([1., 1.])
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The options."""
        return f"p={self.p}, inplace={self.inplace}"
