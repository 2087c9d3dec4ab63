"""Modules that put margins around signals, images and volumes."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn.modules.conv import each
from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


class _Pad(Module):
    """Margins of any kind: a number, or a pair for each dimension from the last one on."""

    dims = 0
    mode = "constant"

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = each(padding, 2 * self.dims)

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) or (c, *sizes) with margins."""
        self._check_input_dim(input)
        return F.pad(input, self.padding, self.mode)

    def _check_input_dim(self, input: Tensor) -> None:
        """Nothing is refused that `pad` takes."""

    def extra_repr(self) -> str:
        """The margins."""
        return f"{self.padding}"


class _ConstantPadNd(_Pad):
    """Margins of a number."""

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) or (c, *sizes) with margins."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        """The margins and the number."""
        return f"padding={self.padding}, value={self.value}"


class _ZeroPadNd(_ConstantPadNd):
    """Margins of zeros."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The margins."""
        return f"{self.padding}"


class _ReflectionPadNd(_Pad):
    """Margins that mirror what is inside."""

    mode = "reflect"


class _ReplicationPadNd(_Pad):
    """Margins that repeat the outermost elements."""

    mode = "replicate"


class _CircularPadNd(_Pad):
    """Margins that go on at the other end."""

    mode = "circular"

    def _check_input_dim(self, input: Tensor) -> None:
        low, high = self.dims + 1, self.dims + 2
        if input.ndim not in (low, high):
            raise ValueError(f"expected {low}D or {high}D input (got {input.ndim}D input)")


class ConstantPad1d(_ConstantPadNd):
    """A signal with margins of a number.

    >>> import seegrad as torch
    >>> torch.nn.ConstantPad1d(1, 7.0)(torch.ones(1, 2)).shape
    torch.Size([1, 4])
    """

    dims = 1


class ConstantPad2d(_ConstantPadNd):
    """An image with margins of a number.

    >>> import seegrad as torch
    >>> torch.nn.ConstantPad2d(1, 7.0)(torch.ones(1, 2, 2)).shape
    torch.Size([1, 4, 4])
    """

    dims = 2


class ConstantPad3d(_ConstantPadNd):
    """A volume with margins of a number.

    >>> import seegrad as torch
    >>> torch.nn.ConstantPad3d(1, 7.0)(torch.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    dims = 3


class ZeroPad1d(_ZeroPadNd):
    """A signal with margins of zeros.

    >>> import seegrad as torch
    >>> torch.nn.ZeroPad1d(1)(torch.ones(1, 2)).shape
    torch.Size([1, 4])
    """

    dims = 1


class ZeroPad2d(_ZeroPadNd):
    """An image with margins of zeros.

    >>> import seegrad as torch
    >>> torch.nn.ZeroPad2d(1)(torch.ones(1, 2, 2)).shape
    torch.Size([1, 4, 4])
    """

    dims = 2


class ZeroPad3d(_ZeroPadNd):
    """A volume with margins of zeros.

    >>> import seegrad as torch
    >>> torch.nn.ZeroPad3d(1)(torch.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    dims = 3


class ReflectionPad1d(_ReflectionPadNd):
    """A signal with margins of what is inside, mirrored.

    >>> import seegrad as torch
    >>> torch.nn.ReflectionPad1d(1)(torch.ones(1, 2)).shape
    torch.Size([1, 4])
    """

    dims = 1


class ReflectionPad2d(_ReflectionPadNd):
    """An image with margins of what is inside, mirrored.

    >>> import seegrad as torch
    >>> torch.nn.ReflectionPad2d(1)(torch.ones(1, 2, 2)).shape
    torch.Size([1, 4, 4])
    """

    dims = 2


class ReflectionPad3d(_ReflectionPadNd):
    """A volume with margins of what is inside, mirrored.

    >>> import seegrad as torch
    >>> torch.nn.ReflectionPad3d(1)(torch.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    dims = 3


class ReplicationPad1d(_ReplicationPadNd):
    """A signal with margins of the outermost elements, repeated.

    >>> import seegrad as torch
    >>> torch.nn.ReplicationPad1d(1)(torch.ones(1, 2)).shape
    torch.Size([1, 4])
    """

    dims = 1


class ReplicationPad2d(_ReplicationPadNd):
    """An image with margins of the outermost elements, repeated.

    >>> import seegrad as torch
    >>> torch.nn.ReplicationPad2d(1)(torch.ones(1, 2, 2)).shape
    torch.Size([1, 4, 4])
    """

    dims = 2


class ReplicationPad3d(_ReplicationPadNd):
    """A volume with margins of the outermost elements, repeated.

    >>> import seegrad as torch
    >>> torch.nn.ReplicationPad3d(1)(torch.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    dims = 3


class CircularPad1d(_CircularPadNd):
    """A signal with margins of what stands at the other end.

    >>> import seegrad as torch
    >>> torch.nn.CircularPad1d(1)(torch.ones(1, 2)).shape
    torch.Size([1, 4])
    """

    dims = 1


class CircularPad2d(_CircularPadNd):
    """An image with margins of what stands at the other end.

    >>> import seegrad as torch
    >>> torch.nn.CircularPad2d(1)(torch.ones(1, 2, 2)).shape
    torch.Size([1, 4, 4])
    """

    dims = 2


class CircularPad3d(_CircularPadNd):
    """A volume with margins of what stands at the other end.

    >>> import seegrad as torch
    >>> torch.nn.CircularPad3d(1)(torch.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    dims = 3
