"""Activation functions as modules; PyTorch counts `MultiheadAttention` among them."""

import warnings
from typing import Any

from seegrad.nn import functional as F
from seegrad.nn.modules.attention import MultiheadAttention as MultiheadAttention
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.tensor.creation import full
from seegrad.tensor.tensor import Tensor

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "MultiheadAttention",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
]


def _inplace_words(inplace: bool, before: str = "") -> str:
    return f"{before}inplace=True" if inplace else ""


class _InPlace(Module):
    """An activation whose only option is to write into its input."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        """`inplace=True` where it is."""
        return _inplace_words(self.inplace)


class _Alpha(Module):
    """An activation with a scale `alpha`."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def extra_repr(self) -> str:
        """The options."""
        return f"alpha={self.alpha}{_inplace_words(self.inplace, ', ')}"


class _Dim(Module):
    """A normalisation along one dimension."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        """The dimension."""
        return f"dim={self.dim}"


class ReLU(_InPlace):
    """max(x, 0).

    >>> import seegrad as torch
    >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.relu(input, inplace=self.inplace)


class Hardtanh(Module):
    """x cut off at `min_val` and `max_val`."""

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__()
        if min_value is not None:
            _warn_of_value("min")
            min_val = min_value
        if max_value is not None:
            _warn_of_value("max")
            max_val = max_value
        if not max_val > min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """The options."""
        words = _inplace_words(self.inplace, ", ")
        return f"min_val={self.min_val}, max_val={self.max_val}{words}"


def _warn_of_value(which: str) -> None:
    warnings.warn(
        f"keyword argument `{which}_value` is deprecated and renamed to `{which}_val`",
        FutureWarning,
        stacklevel=3,
    )


class ReLU6(Hardtanh):
    """x cut off at 0 and 6."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        """`inplace=True` where it is."""
        return _inplace_words(self.inplace)


class LeakyReLU(Module):
    """x where it is positive, `negative_slope * x` elsewhere."""

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        """The options."""
        return f"negative_slope={self.negative_slope}{_inplace_words(self.inplace, ', ')}"


class ELU(_Alpha):
    """x where it is positive, `alpha * (exp(x) - 1)` elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Alpha):
    """x where it is positive, `alpha * (exp(x / alpha) - 1)` elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.celu(input, self.alpha, self.inplace)


class SELU(_InPlace):
    """ELU with the two constants that keep mean 0 and variance 1."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.selu(input, self.inplace)


class GELU(Module):
    """x times the normal distribution function of x; `approximate` is "none" or "tanh"."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """The option."""
        return f"approximate={self.approximate!r}"


class SiLU(_InPlace):
    """x * sigmoid(x)."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.silu(input, inplace=self.inplace)


class Mish(_InPlace):
    """x * tanh(softplus(x))."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.mish(input, inplace=self.inplace)


class Hardsigmoid(_InPlace):
    """x / 6 + 1 / 2, cut off at 0 and 1."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        """Nothing: PyTorch does not show `inplace` here."""
        return ""


class Hardswish(_InPlace):
    """x * hardsigmoid(x)."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        """Nothing: PyTorch does not show `inplace` here."""
        return ""


class Softplus(Module):
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x is above `threshold`."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """The options."""
        return f"beta={self.beta}, threshold={self.threshold}"


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return input.sigmoid()


class LogSigmoid(Module):
    """log(sigmoid(x)), without underflow."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.logsigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent.

    >>> import seegrad as torch
    >>> torch.nn.Tanh()(torch.zeros(2))
    tensor([0., 0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return input.tanh()


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.tanhshrink(input)


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.softsign(input)


class _Lambda(Module):
    """A shrinkage with a bound `lambd`."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        """The bound."""
        return str(self.lambd)


class Hardshrink(_Lambda):
    """x where |x| is above `lambd`, 0 elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.hardshrink(input, self.lambd)


class Softshrink(_Lambda):
    """x moved towards 0 by `lambd`, and 0 where |x| is below it."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.softshrink(input, self.lambd)


class Threshold(Module):
    """x where it is above `threshold`, `value` elsewhere."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        """The options."""
        words = _inplace_words(self.inplace, ", ")
        return f"threshold={self.threshold}, value={self.value}{words}"


class PReLU(Module):
    """LeakyReLU with a learned slope: one for all, or one a channel (`num_parameters`)."""

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(full((num_parameters,), init, device=device, dtype=dtype))

    def reset_parameters(self) -> None:
        """Put all slopes back to `init`."""
        self.weight.data.fill_(self.init)

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`, whose dimension 1 has `num_parameters` entries."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of slopes."""
        return f"num_parameters={self.num_parameters}"


class Softmax(_Dim):
    """exp(x) divided by its sum along `dim`.

    >>> import seegrad as torch
    >>> torch.nn.Softmax(dim=0)(torch.zeros(2))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.softmax(input, self.dim)


class LogSoftmax(_Dim):
    """log(softmax(x)) along `dim`, without underflow."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.log_softmax(input, self.dim)


class Softmin(_Dim):
    """softmax(-x) along `dim`."""

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.softmin(input, self.dim)


class GLU(Module):
    """The first half along `dim` times the sigmoid of the second half."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """The shape of `input`, halved along `dim`."""
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        """The dimension."""
        return f"dim={self.dim}"


class RReLU(Module):
    """The elements, those that are not positive times a random slope; in evaluation its mean.

    >>> import seegrad as torch
    >>> torch.nn.RReLU(0.1, 0.3).eval()(torch.tensor([-1.0, 2.0]))
    tensor([-0.2000,  2.0000])
    """

    def __init__(
        self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False
    ) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The bounds."""
        inplace = ", inplace=True" if self.inplace else ""
        return f"lower={self.lower}, upper={self.upper}{inplace}"


class Softmax2d(Module):
    """Softmax over the channels of every pixel.

    >>> import seegrad as torch
    >>> torch.nn.Softmax2d()(torch.zeros(2, 1, 1)).flatten()
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, h, w) or (c, h, w) to the same shape."""
        if input.ndim not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead"
            )
        return F.softmax(input, -3)
