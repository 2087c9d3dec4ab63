"""PyTorch's answers to the snippets of tests/hooks/."""

import importlib

from tests.observe import Snippet, snippets

NAME = "hooks"
MODULES = [
    "on_tensors", "on_nodes", "after_writing", "on_several", "on_saved", "saved_values",
    "mutation", "on_modules",
]  # fmt: skip


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.hooks.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
