"""PyTorch's answers to the snippets of tests/randoms/: random numbers."""

import importlib

from tests.observe import Snippet, snippets

NAME = "randoms"
MODULES = ["streams"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.randoms.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
