"""PyTorch's sentences that several modules raise, and notes that say more than PyTorch does."""

from typing import Any, TypeVar

Raised = TypeVar("Raised", bound=BaseException)

__all__ = [
    "BACKWARD_TWICE",
    "COPY_ON_OVERLAP",
    "INFERENCE_REQUIRES",
    "INFERENCE_SAVED",
    "INFERENCE_VERSION",
    "INFERENCE_WRITTEN",
    "LEAF_IN_PLACE",
    "OUT_OF_PLACE_ONLY",
    "SHARED_MEMORY",
    "LinAlgError",
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
SHARED_MEMORY = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location. Please clone() the tensor before performing the operation."
)
INFERENCE_REQUIRES = (
    "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
)
INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)
INFERENCE_VERSION = "Inference tensors do not track version counter."
INFERENCE_WRITTEN = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone "
    "to get a normal tensor before doing inplace update."
    "See https://github.com/pytorch/rfcs/pull/17 for more details."
)
OUT_OF_PLACE_ONLY = (
    "{}(): functions with out=... arguments don't support automatic differentiation, but one of "
    "the arguments requires grad."
)


class LinAlgError(RuntimeError):
    """A matrix that a decomposition or a solver cannot work with: singular, not definite ..."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "torch._C"


def noted(error: Raised, note: str, **facts: Any) -> Raised:
    """The same error with a note: PyTorch's sentence stays what `str(error)` says.

    `facts`: what tools ask of the error, as a dictionary in its `facts`; `kind` among them.
    """
    error.add_note(note)
    if facts:
        error.facts = facts  # type: ignore[attr-defined]
    return error
