"""How tensors are sent to another process: pickled, if they have no history."""

from multiprocessing.reduction import ForkingPickler
from typing import Any

from seegrad.graph.tensor import TensorBase, requires
from seegrad.graph.views import history
from seegrad.tensor.tensor import Tensor

__all__ = ["register"]


def register() -> None:
    """Has tensors looked at before they are sent."""
    ForkingPickler.register(Tensor, _reduced)  # a Parameter never has a history


def _reduced(tensor: TensorBase) -> Any:
    """What is sent of a tensor; RuntimeError for one whose history would be lost."""
    if requires(tensor) and history(tensor) is not None:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd "
            "does not support crossing process boundaries.  If you just want to transfer the "
            "data, call detach() on the tensor before serializing (e.g., putting it on the queue)."
        )
    return tensor.__reduce_ex__(5)
