"""PyTorch's answers to the snippets of tests/transforms/: the transformations of `torch.func`."""

import importlib

from tests.observe import Snippet, snippets

NAME = "transforms"
MODULES = ["reverse", "mapping"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.transforms.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
