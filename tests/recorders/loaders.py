"""PyTorch's answers to the snippets of tests/data/: datasets, samplers and loaders."""

import importlib

from tests.observe import Snippet, snippets

NAME = "loaders"
MODULES = ["loading", "sampling", "working"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.data.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
