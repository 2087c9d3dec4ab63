"""`Flatten` and `Unflatten`."""

from typing import Any

from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


class Flatten(Module):
    """Joins the dimensions from `start_dim` to `end_dim` into one.

    >>> import seegrad as torch
    >>> torch.nn.Flatten()(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 12])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Any:
        """The same elements in fewer dimensions."""
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """The dimensions."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Splits the dimension `dim` into those of `unflattened_size`.

    Raises TypeError when the size is no tuple or list of ints.

    >>> import seegrad as torch
    >>> torch.nn.Unflatten(1, (3, 4))(torch.zeros(2, 12)).shape
    torch.Size([2, 3, 4])
    """

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        _check_size(unflattened_size)
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Any:
        """The same elements in more dimensions."""
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """The dimension and its parts."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


def _check_size(size: Any) -> None:
    if not isinstance(size, tuple | list):
        kind = type(size).__name__
        raise TypeError(f"unflattened_size must be a tuple of ints, but found type {kind}")
    for place, length in enumerate(size):
        if not isinstance(length, int):
            raise TypeError(
                "unflattened_size must be tuple of ints, but found element of type "
                f"{type(length).__name__} at pos {place}"
            )
