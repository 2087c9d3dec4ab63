"""What losses have in common: the reduction, and a weight for each class."""

import warnings

from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


def _reduction(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """The reduction, said in today's word or in the two flags of old programs."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        legacy = "none"
    else:
        legacy = "mean" if size_average in (None, True) else "sum"
    warnings.warn(
        "size_average and reduce args will be deprecated, please use "
        f"reduction='{legacy}' instead.",
        stacklevel=3,
    )
    return legacy


class _Loss(Module):
    """A loss without options of its own."""

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__()
        self.reduction = _reduction(size_average, reduce, reduction)


class _WeightedLoss(_Loss):
    """A loss with a `weight` for each class (or element), a buffer."""

    weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
