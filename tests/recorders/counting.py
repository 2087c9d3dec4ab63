"""PyTorch's answers to the snippets of tests/counting/: floating-point operations."""

from tests.counting import flops
from tests.observe import Snippet, snippets

NAME = "counting"


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    return dict(snippets(flops))
