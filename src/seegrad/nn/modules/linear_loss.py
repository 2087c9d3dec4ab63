"""The cross-entropy of scores that are a linear function of the input."""

import math
from dataclasses import dataclass
from typing import Any

from seegrad.arrays.dtypes import bfloat16, float16, float32, float64
from seegrad.nn import functional as F
from seegrad.nn.modules.linear import Linear
from seegrad.nn.modules.loss_bases import _WeightedLoss
from seegrad.tensor.tensor import Tensor


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """How PyTorch computes a linear cross-entropy in parts; here it is computed at once.

    >>> import seegrad as torch
    >>> torch.nn.LinearCrossEntropyOptions(batch_chunk_size=2).acc_policy
    'auto'
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None

    def __post_init__(self) -> None:
        size, method = self.batch_chunk_size, self.chunking_method
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size}")
        kind, _, factor = (method or "auto").partition(":")
        if method not in (None, "auto") and not (kind == "aspect_ratio" and factor.isdigit()):
            raise ValueError(f"invalid chunking_method: {method!r}")
        if self.acc_policy not in ("accurate", "balanced", "compact", "auto"):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        if self.acc_dtype not in (None, float16, bfloat16, float32, float64):
            raise ValueError(
                "acc_dtype must be one of {None, torch.float16, torch.bfloat16, torch.float32, "
                f"torch.float64}}, got {self.acc_dtype}. Pass acc_dtype=None to let the op pick "
                "automatically."
            )


class LinearCrossEntropyLoss(_WeightedLoss):
    """The cross-entropy of a linear layer's scores: `linear` is part of the loss.

    Args: `in_features`, `num_classes`; `out_features`, the places that have a class each; `bias`,
    and what `CrossEntropyLoss` takes.

    >>> import seegrad as torch
    >>> loss = torch.nn.LinearCrossEntropyLoss(4, 3)
    >>> loss(torch.zeros(2, 4), torch.tensor([0, 2]))
    tensor(1.0986, grad_fn=<NllLossBackward0>)
    """

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: Any = None,
        dtype: Any = None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: LinearCrossEntropyOptions | None = None,
    ) -> None:
        super().__init__(weight, None, None, reduction)
        self.num_classes = num_classes
        self.out_features = out_features
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        self.options = options
        many = num_classes * math.prod(out_features)
        self.linear = Linear(in_features, many, bias=bias, device=device, dtype=dtype)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Features (N, in), and classes (N, *out) or probabilities (N, C, *out)."""
        weight, bias = self.linear.weight, self.linear.bias
        if self.out_features:
            shape = (self.num_classes, *self.out_features)
            weight = weight.reshape(*shape, -1)
            bias = None if bias is None else bias.reshape(shape)
        return F.linear_cross_entropy(
            input, weight, target,
            linear_bias=bias, weight=self.weight, reduction=self.reduction,
            ignore_index=self.ignore_index, label_smoothing=self.label_smoothing,
            options=self.options,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """What it was made with."""
        bias = self.linear.bias is not None
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, "
            f"out_features={self.out_features}, bias={bias}, reduction={self.reduction}, "
            f"ignore_index={self.ignore_index}, label_smoothing={self.label_smoothing}, "
            f"options={self.options}"
        )
