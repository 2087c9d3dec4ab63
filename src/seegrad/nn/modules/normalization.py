"""`LayerNorm`, `GroupNorm`, `RMSNorm`, `LocalResponseNorm`, `CrossMapLRN2d`."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn import init
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.tensor.creation import arange, empty
from seegrad.tensor.tensor import Tensor


def _shape(normalized_shape: Any) -> tuple[int, ...]:
    one = isinstance(normalized_shape, int)
    return (normalized_shape,) if one else tuple(normalized_shape)


class _Affine(Module):
    """A weight that starts as ones, a bias that starts as zeros, or neither."""

    weight: Tensor | None
    bias: Tensor | None

    def _register(self, shape: Any, weight: bool, bias: bool, device: Any, dtype: Any) -> None:
        for name, wanted in (("weight", weight), ("bias", bias)):
            made = Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if getattr(self, "bias", None) is not None:
            init.zeros_(self.bias)  # type: ignore[arg-type]


class LayerNorm(_Affine):
    """The last dimensions less their mean, over their deviation, times weight, plus bias.

    Args: `normalized_shape`, the last dimensions of the input; `eps`; `elementwise_affine` (weight
    and bias of that shape), `bias`. Shapes: input and output (*, *normalized_shape).

    >>> import seegrad as torch
    >>> torch.nn.LayerNorm(2, eps=0.0)(torch.tensor([[1.0, 3.0]]))
    tensor([[-1.,  1.]], grad_fn=<NativeLayerNormBackward0>)
    """

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = affine = elementwise_affine
        self._register(self.normalized_shape, affine, affine and bias, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The shape and the options."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class GroupNorm(_Affine):
    """Groups of channels less their mean, over their deviation, times weight, plus bias.

    Args: `num_groups`, `num_channels`, `eps`, `affine` (weight and bias for each channel).
    Shapes: input and output (n, c, *). Raises ValueError where channels are not divisible.

    >>> import seegrad as torch
    >>> torch.nn.GroupNorm(2, 4, eps=0.0)(torch.tensor([[1.0, 3.0, 0.0, 8.0]])).tolist()
    [[-1.0, 1.0, -1.0, 1.0]]
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._register(num_channels, affine, affine and bias, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The sizes and the options."""
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(_Affine):
    """The last dimensions over the root of the mean of their squares, times weight.

    Args: `normalized_shape`, the last dimensions of the input; `eps`, by default the smallest step
    of the type at 1; `elementwise_affine` (a weight of that shape).

    >>> import seegrad as torch
    >>> torch.nn.RMSNorm(2)(torch.tensor([3.0, 4.0])).detach()
    tensor([0.8485, 1.1314])
    """

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        made = empty(self.normalized_shape, device=device, dtype=dtype)
        self.register_parameter("weight", Parameter(made) if elementwise_affine else None)
        self.reset_parameters()

    def forward(self, x: Tensor) -> Tensor:
        """Same shape as `x`."""
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """The shape and the options."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}"
        )


class LocalResponseNorm(Module):
    """The elements over a power of the mean square of neighbouring channels.

    Args: `size`, how many channels are neighbours; `alpha`, `beta`, `k`. Shapes: input and output
    (n, c, *).

    >>> import seegrad as torch
    >>> torch.nn.LocalResponseNorm(2)(torch.ones(1, 2, 3)).shape
    torch.Size([1, 2, 3])
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """The options."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class CrossMapLRN2d(Module):
    """Pixels over a power of the sum of squares of `size` channels around them.

    As PyTorch's, and unlike `LocalResponseNorm`, it counts the first channel in every sum. Shapes:
    input and output (n, c, h, w). Raises ValueError for other shapes.

    >>> import seegrad as torch
    >>> torch.nn.CrossMapLRN2d(1, alpha=1.0, beta=1.0)(torch.ones(1, 1, 1, 1))
    tensor([[[[0.5000]]]])
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        if input.ndim != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.ndim}D instead.")
        channel = arange(input.shape[1])
        near = (channel - channel.unsqueeze(1)).abs() <= (self.size - 1) // 2
        summed = (near | (channel == 0)).to(input.dtype)
        squares = (summed @ input.square().flatten(2)).reshape(input.shape)
        scale = (squares * (self.alpha / self.size) + self.k) ** -self.beta
        scaled: Tensor = input * scale
        return scaled

    def extra_repr(self) -> str:
        """The options."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
