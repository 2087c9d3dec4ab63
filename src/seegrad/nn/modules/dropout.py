"""`Dropout`, and its forms for channels and for selu."""

from seegrad.nn import functional as F
from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


class _DropoutNd(Module):
    """A probability, and whether the input is written into."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        """The options."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """In training, zeroes each element with probability `p` and scales the rest by 1 / (1 - p).

    Raises ValueError for a `p` outside of 0 to 1.

    >>> import seegrad as torch
    >>> torch.nn.Dropout(0.5).eval()(torch.ones(2))
    tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """In training, zeroes whole channels of signals (n, c, l) with probability `p`.

    >>> import seegrad as torch
    >>> torch.nn.Dropout1d(0.5).eval()(torch.ones(1, 2))
    tensor([[1., 1.]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """In training, zeroes whole channels of images (n, c, h, w) with probability `p`.

    >>> import seegrad as torch
    >>> torch.nn.Dropout2d(0.5).eval()(torch.ones(1, 1, 1, 2))
    tensor([[[[1., 1.]]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """In training, zeroes whole channels of volumes (n, c, d, h, w) with probability `p`.

    >>> import seegrad as torch
    >>> torch.nn.Dropout3d(0.5).eval()(torch.ones(1, 1, 1, 1, 1)).sum()
    tensor(1.)
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """In training, sets elements to selu's least value; mean and variance stay.

    >>> import seegrad as torch
    >>> torch.nn.AlphaDropout(0.5).eval()(torch.ones(2))
    tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """In training, sets channels to selu's least value; mean and variance stay.

    >>> import seegrad as torch
    >>> torch.nn.FeatureAlphaDropout(0.5).eval()(torch.ones(1, 2))
    tensor([[1., 1.]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.feature_alpha_dropout(input, self.p, self.training)
