"""PyTorch's answers to the snippets of tests/modes/: grad mode, inference mode, views by mode."""

import importlib

from tests.observe import Snippet, snippets

NAME = "modes"
MODULES = ["grad_modes", "inference", "inference_writes", "views", "function_views"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.modes.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
