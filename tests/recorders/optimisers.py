"""PyTorch's answers to the snippets of tests/optim/: optimisers and schedules."""

import importlib

from tests.observe import Snippet, snippets

NAME = "optimisers"
MODULES = ["stepping", "managing", "scheduling", "curving", "cycling", "averaging", "deriving"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.optim.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
