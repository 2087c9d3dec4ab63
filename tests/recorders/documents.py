"""PyTorch's answers to every snippet of the tutorials in tests/documents/."""

import importlib

from tests.observe import Snippet, snippets

NAME = "documents"
MODULES = ["doc000", "doc001", "doc002", "doc003", "doc004"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.documents.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
