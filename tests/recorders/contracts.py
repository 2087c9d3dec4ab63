"""PyTorch's answers to the snippets of tests/contracts/: what a user of autograd may rely on."""

import importlib

from tests.observe import Snippet, snippets

NAME = "contracts"
MODULES = [
    "nodes", "backward", "inplace", "accumulation", "functions", "modes", "hooks", "engine",
    "function_outputs", "function_views", "function_contexts", "function_gradients",
    "function_calls", "passes",
]  # fmt: skip


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    modules = [importlib.import_module(f"tests.contracts.{name}") for name in MODULES]
    return dict(pair for module in modules for pair in snippets(module))
