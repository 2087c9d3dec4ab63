"""What torchviz 0.0.3 draws of PyTorch's graphs."""

from tests.observe import Snippet, snippets
from tests.viz import drawn_cases, drawn_graphs

NAME = "pictures"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    return {
        name: case
        for module in (drawn_cases, drawn_graphs)
        for name, case in snippets(module)
        if not name.endswith(".drawn")
    }
