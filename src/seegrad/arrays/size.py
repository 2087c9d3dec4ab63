"""`torch.Size`: the shape of a tensor, a tuple that prints as PyTorch's."""

import math
from typing import Any

__all__ = ["Size"]


class Size(tuple[int, ...]):
    """The shape of a tensor."""

    __slots__ = ()

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> "Size":
        return Size(tuple.__add__(self, tuple(other)))

    def __mul__(self, other: Any) -> "Size":
        return Size(tuple.__mul__(self, other))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_size, (tuple(self),))


def _size(numbers: tuple[int, ...]) -> Size:
    """A Size out of a pickle, which would look for the class in PyTorch."""
    return Size(numbers)


Size.__module__ = "torch"
