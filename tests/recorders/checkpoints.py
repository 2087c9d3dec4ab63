"""PyTorch's answers to tests/contracts/checkpoints.py: recomputation and its refusals."""

from tests.contracts import checkpoints
from tests.observe import Snippet, snippets

NAME = "checkpoints"


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    return dict(snippets(checkpoints))
