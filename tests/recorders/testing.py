"""What PyTorch's assert_close says of pairs, and what its make_tensor makes."""

from tests.observe import Snippet, snippets
from tests.testing import close_cases, made_cases

NAME = "testing"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return dict(snippets(close_cases)) | dict(snippets(made_cases))
