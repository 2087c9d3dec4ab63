"""Fields of their own beside dense tensors: sparse ones, and what follows."""

from typing import Any

from tests.fields import masking, sparse, tracing
from tests.observe import Snippet, snippets

NAME = "fields"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    modules = (masking, sparse, tracing)
    return {name: _checked(case) for module in modules for name, case in snippets(module)}


def _checked(case: Snippet) -> Snippet:
    """The case with the places of sparse tensors checked, of which PyTorch warns unless told."""

    def observed(torch: Any) -> Any:
        with torch.sparse.check_sparse_tensor_invariants():
            return case(torch)

    return observed
