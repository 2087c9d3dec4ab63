"""What PyTorch answers to what programs ask in passing."""

from tests.observe import Snippet, snippets
from tests.passing import asked_cases

NAME = "passing"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return dict(snippets(asked_cases))
