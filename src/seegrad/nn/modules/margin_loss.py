"""Losses of distances, margins and distributions as modules."""

from collections.abc import Callable
from typing import Any

from seegrad.nn import functional as F
from seegrad.nn.modules.distance import PairwiseDistance
from seegrad.nn.modules.loss_bases import _Loss, _WeightedLoss
from seegrad.tensor.tensor import Tensor


class _MarginLoss(_Loss):
    """A loss with a margin."""

    def __init__(
        self,
        margin: float = 0.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin


class HingeEmbeddingLoss(_MarginLoss):
    """The distance `input` where the target is 1, `max(0, margin - input)` where it is -1."""

    def __init__(
        self,
        margin: float = 1.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(margin, size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """A scalar, or the shape of the inputs for reduction "none"."""
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_MarginLoss):
    """`max(0, -target * (input1 - input2) + margin)`: a target of 1 wants input1 to be larger."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """A scalar, or the shape of the inputs for reduction "none"."""
        return F.margin_ranking_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class CosineEmbeddingLoss(_MarginLoss):
    """`1 - cos` where the target is 1, `max(0, cos - margin)` where it is -1.

    >>> import seegrad as torch
    >>> x, y = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    >>> torch.nn.CosineEmbeddingLoss()(x, y, torch.tensor([1]))
    tensor(1.)
    """

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """Vectors (N, D) or (D) and targets (N) or ()."""
        return F.cosine_embedding_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class SoftMarginLoss(_Loss):
    """`log(1 + exp(-target * input))`, targets 1 and -1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """A scalar, or the shape of the inputs for reduction "none"."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """`max(0, margin - score of the target + score)^p`, summed over the other classes.

    Raises ValueError for another `p` than 1 and 2, and for a `weight` that is not 1-d.
    """

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.ndim != 1:
            raise ValueError(
                "MultiMarginLoss: expected weight to be None or 1D tensor, "
                f"got {weight.ndim}D instead"
            )
        self.p = p
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Scores (N, C) or (C) and classes (N) or ()."""
        return F.multi_margin_loss(
            input, target,
            p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction,
        )  # fmt: skip


class MultiLabelMarginLoss(_Loss):
    """The mean of `max(0, 1 - (input[j] - input[i]))`: each class j named by the target against
    each class i that is not.

    >>> import seegrad as torch
    >>> torch.nn.MultiLabelMarginLoss()(torch.zeros(1, 3), torch.tensor([[0, -1, 1]]))
    tensor(0.6667)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Scores (N, C) or (C,), classes in the same shape: those before the first -1 count."""
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """Binary cross entropy of each class before the sigmoid, averaged over the classes."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Scores and targets (N, C)."""
        return F.multilabel_soft_margin_loss(
            input, target, weight=self.weight, reduction=self.reduction
        )


def _check_margin(name: str, margin: float) -> None:
    if margin <= 0:
        raise ValueError(f"{name}: expected margin to be greater than 0, got {margin} instead")


class TripletMarginLoss(_Loss):
    """`max(0, d(anchor, positive) - d(anchor, negative) + margin)`, d the p-norm distance.

    `swap` takes the smaller of the distances of anchor and positive to the negative. Raises
    ValueError for a margin that is not positive.
    """

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        _check_margin("TripletMarginLoss", margin)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """Vectors (N, D) or (D)."""
        return F.triplet_margin_loss(
            anchor, positive, negative,
            margin=self.margin, p=self.p, eps=self.eps, swap=self.swap, reduction=self.reduction,
        )  # fmt: skip


class TripletMarginWithDistanceLoss(_Loss):
    """The triplet loss with any `distance_function`."""

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction=reduction)
        _check_margin("TripletMarginWithDistanceLoss", margin)
        self.distance_function: Any = distance_function or PairwiseDistance()
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """What the distance takes."""
        return F.triplet_margin_with_distance_loss(
            anchor, positive, negative,
            distance_function=self.distance_function, margin=self.margin, swap=self.swap,
            reduction=self.reduction,
        )  # fmt: skip


class PoissonNLLLoss(_Loss):
    """`exp(input) - target * input`, or `input - target * log(input)` unless `log_input`.

    `full` adds Stirling's approximation of log(target!).
    """

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: bool | None = None,
        eps: float = 1e-8,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """A scalar, or the shape of the inputs for reduction "none"."""
        return F.poisson_nll_loss(
            log_input, target,
            log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction,
        )  # fmt: skip


class GaussianNLLLoss(_Loss):
    """`(log(var) + (input - target)^2 / var) / 2`, `var` at least `eps`.

    `full` adds the constant log(2 pi) / 2.
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        """A scalar, or the shape of the inputs for reduction "none"."""
        return F.gaussian_nll_loss(
            input, target, var, full=self.full, eps=self.eps, reduction=self.reduction
        )
