"""What PyTorch's gradcheck and gradgradcheck say of right and wrong functions."""

from typing import Any

from tests.autograd import gradcheck_cases
from tests.observe import Snippet, observe, snippets

NAME = "gradcheck"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return dict(snippets(gradcheck_cases))


def record(torch: Any) -> dict[str, Any]:
    """What each case shows on ``torch``."""
    return {name: observe(snippet, torch) for name, snippet in cases().items()}
