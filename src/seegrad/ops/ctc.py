"""The loss of sequences that are not aligned with their labels."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.losses import chosen_reduction

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


@public
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Return the negative log-likelihood of labels, in order, at places that are not known.

    `log_probs`: (t, n, classes) or (t, classes), from a log_softmax. `targets`: (n, s) or all one
    after the other, without blanks. `input_lengths`, `target_lengths`: (n,). `blank`: the class
    that says nothing. "mean" divides by the length of each target first. `zero_infinity`: targets
    that do not fit into their input have loss and gradient 0. Returns a scalar, or (n,) for
    reduction "none". Raises RuntimeError or NotImplementedError where arguments do not fit.

    >>> import seegrad as torch
    >>> halves = torch.full((2, 1, 2), 0.5).log()
    >>> torch.nn.functional.ctc_loss(halves, torch.tensor([[1]]), [2], [1])
    tensor(0.2877)
    """
    reduction = chosen_reduction(reduction)
    if not log_probs._array.size:
        raise RuntimeError("log_probs tensor must not be empty")
    inputs, lengths = (
        _numbers(name, given)
        for name, given in (("input_lengths", input_lengths), ("target_lengths", target_lengths))
    )
    batched = log_probs._array.ndim == 3
    batch = log_probs if batched else op.unsqueeze(log_probs, 1)
    losses, _ = op.ctc_loss(batch, targets, inputs, lengths, blank, zero_infinity)
    if zero_infinity:
        nothing = wrap(np.zeros((), losses._array.dtype))
        losses = op.where(wrap(np.isinf(losses._array)), nothing, losses)
    if reduction == "mean":
        divisor = np.maximum(np.array(lengths), 1).astype(losses._array.dtype)
        return op.mean(op.div(losses, wrap(divisor)))
    if reduction == "sum":
        return op.sum(losses)
    return losses if batched else op.squeeze_dim(losses, 0)


def _numbers(name: str, lengths: Any) -> tuple[int, ...]:
    """Lengths as whole numbers."""
    if not isinstance(lengths, TensorBase):
        return tuple(map(index, lengths))
    if lengths._array.dtype.kind not in "iu":
        raise RuntimeError(f"{name} must be integral")
    return tuple(lengths._array.reshape(-1).tolist())
