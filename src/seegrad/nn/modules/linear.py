"""`Identity`, `Linear`, `Bilinear`."""

import math
from typing import Any

from seegrad.nn import functional as F
from seegrad.nn import init
from seegrad.nn.modules.lazy import LazyModuleMixin
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter, UninitializedParameter
from seegrad.tensor.creation import empty
from seegrad.tensor.tensor import Tensor


class Identity(Module):
    """Returns its input. Swallows all arguments, so that it can stand for any module.

    >>> import seegrad as torch
    >>> torch.nn.Identity(54, unused=True)(torch.ones(1))
    tensor([1.])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """`input` itself."""
        return input


class Linear(Module):
    """`input @ weight.T + bias`.

    Args: `in_features`, `out_features`, whether there is a `bias`, `dtype`.
    Shapes: input (..., in_features), output (..., out_features), weight (out_features,
    in_features), bias (out_features,). Both start uniform in +-1 / sqrt(in_features).

    >>> import seegrad as torch
    >>> torch.nn.Linear(3, 2)(torch.ones(5, 3)).shape
    torch.Size([5, 2])
    """

    weight: Tensor
    bias: Tensor | None

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(empty((out_features, in_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """(..., in_features) to (..., out_features)."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """A `Linear` under the name that PyTorch prints for the last layer of attention."""


class LazyLinear(LazyModuleMixin, Linear):
    """A `Linear` whose `in_features` are those of its first input; it becomes a `Linear` then.

    Args: `out_features`, whether there is a `bias`, `dtype`.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyLinear(3)
    >>> layer(torch.ones(5, 2)).shape, layer.weight.shape
    (torch.Size([5, 3]), torch.Size([3, 2]))
    """

    cls_to_become = Linear
    weight: UninitializedParameter
    bias: UninitializedParameter | None

    def __init__(
        self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(0, 0, False)
        self.out_features = out_features
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, once they have shapes."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """The shapes that follow from `input` (..., in_features)."""
        features = input.shape[-1]
        if self.has_uninitialized_params():
            self.in_features = features
            self.weight.materialize((self.out_features, features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        if self.in_features == 0:  # the shapes came from a state that was loaded
            if features != self.weight.shape[-1]:
                raise AssertionError(
                    f"The in_features inferred from input: {features} is not equal to in_features "
                    f"from self.weight: {self.weight.shape[-1]}"
                )
            self.in_features = features


class Bilinear(Module):
    """`x1 @ weight[k] @ x2 + bias[k]` for each output k.

    Shapes: inputs (..., in1_features) and (..., in2_features), output (..., out_features), weight
    (out_features, in1_features, in2_features).

    >>> import seegrad as torch
    >>> torch.nn.Bilinear(2, 3, 4)(torch.ones(5, 2), torch.ones(5, 3)).shape
    torch.Size([5, 4])
    """

    weight: Tensor
    bias: Tensor | None

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={in1_features})")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        shape = (out_features, in1_features, in2_features)
        self.weight = Parameter(empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, uniform in +-1 / sqrt(in1_features)."""
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """(..., in1_features) and (..., in2_features) to (..., out_features)."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )
