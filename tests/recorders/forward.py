"""PyTorch's answers to the snippets of tests/forward/: dual tensors, writes, custom Functions."""

import importlib

from tests.observe import Snippet, snippets

NAME = "forward"
MODULES = ["duals", "writes", "functions", "orders", "transforms", "checks"]


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.forward.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
