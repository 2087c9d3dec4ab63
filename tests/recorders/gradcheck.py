"""What PyTorch's gradcheck and gradgradcheck say of right and wrong functions."""

from tests.autograd import gradcheck_cases
from tests.observe import Snippet, snippets

NAME = "gradcheck"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return dict(snippets(gradcheck_cases))
