"""PyTorch's answers to the snippets of tests/nn/: modules, losses, initial numbers."""

import importlib

from tests.observe import Snippet, snippets

NAME = "modules"
MODULES = [
    "attributes", "walking", "saving", "calling", "containers", "showing", "initialising",
    "helping", "computing", "refusing", "layering", "rarer", "parametrising",
    "pruning", "orthogonal",
]  # fmt: skip


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.nn.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
