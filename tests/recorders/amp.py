"""PyTorch's answers to the snippets of tests/amp/: autocast and scaled losses."""

import importlib

from tests.observe import Snippet, snippets

NAME = "amp"
MODULES = ["casting", "scaling"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.amp.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
