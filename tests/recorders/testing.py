"""What PyTorch's assert_close says of pairs that are close and pairs that are not."""

from tests.observe import Snippet, snippets
from tests.testing import close_cases

NAME = "testing"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return dict(snippets(close_cases))
