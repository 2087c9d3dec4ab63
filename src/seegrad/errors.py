"""PyTorch's sentences that several modules raise, and notes that say more than PyTorch does."""

from typing import TypeVar

Raised = TypeVar("Raised", bound=BaseException)

__all__ = [
    "BACKWARD_TWICE",
    "COPY_ON_OVERLAP",
    "LEAF_IN_PLACE",
    "OUT_OF_PLACE_ONLY",
    "noted",
]

BACKWARD_TWICE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you "
    "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward "
    "through the graph a second time or if you need to access saved tensors after calling "
    "backward."
)
LEAF_IN_PLACE = "a leaf Variable that requires grad is being used in an in-place operation."
COPY_ON_OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
OUT_OF_PLACE_ONLY = (
    "{}(): functions with out=... arguments don't support automatic differentiation, but one of "
    "the arguments requires grad."
)


def noted(error: Raised, note: str) -> Raised:
    """The same error with a note: PyTorch's sentence stays what `str(error)` says."""
    error.add_note(note)
    return error
