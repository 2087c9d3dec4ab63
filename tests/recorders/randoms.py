"""PyTorch's answers to the snippets of tests/randoms/: random numbers and distributions."""

from tests.observe import Snippet, snippets
from tests.randoms import families, streams

NAME = "randoms"


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    return dict(snippets(streams)) | families.cases()
