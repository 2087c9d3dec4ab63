"""PyTorch's answers about parts of autograd: checkpoints and complex numbers."""

from tests.contracts import checkpoints, complexes
from tests.observe import Snippet, snippets

NAME = "autograd"


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    return dict(pair for module in (checkpoints, complexes) for pair in snippets(module))
