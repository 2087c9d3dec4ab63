"""What PyTorch's assert_close says of pairs that are close and pairs that are not."""

from typing import Any

from tests.observe import Snippet, observe, snippets
from tests.testing import close_cases

NAME = "testing"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return dict(snippets(close_cases))


def record(torch: Any) -> dict[str, Any]:
    """What each case shows on ``torch``."""
    return {name: observe(snippet, torch) for name, snippet in cases().items()}
