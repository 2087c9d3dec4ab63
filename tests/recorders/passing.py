"""What PyTorch answers to what programs ask in passing."""

from typing import Any

from tests.observe import Snippet, observe, snippets
from tests.passing import asked_cases

NAME = "passing"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return dict(snippets(asked_cases))


def record(torch: Any) -> dict[str, Any]:
    """What each case shows on ``torch``."""
    return {name: observe(snippet, torch) for name, snippet in cases().items()}
