"""What torchviz 0.0.3 draws of PyTorch's graphs."""

from tests.observe import Snippet, snippets
from tests.viz import drawn_cases

NAME = "pictures"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return {name: case for name, case in snippets(drawn_cases) if not name.endswith(".drawn")}
