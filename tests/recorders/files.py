"""PyTorch's answers to the snippets of tests/serialization/: errors and settings of files."""

from tests.observe import Snippet, snippets
from tests.serialization import refusals

NAME = "files"


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    return dict(snippets(refusals))
