"""PyTorch's answers to the snippets of tests/corners/."""

import importlib

from tests.observe import Snippet, snippets

NAME = "corners"
MODULES = ["lists", "shown", "switches"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.corners.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
