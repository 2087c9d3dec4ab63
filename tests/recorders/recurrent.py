"""PyTorch's answers to the snippets of recurrent and transformer layers in tests/nn/."""

from tests.nn import rnn_layers, rnn_packing
from tests.observe import Snippet, snippets

NAME = "recurrent"


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    return dict(pair for module in (rnn_layers, rnn_packing) for pair in snippets(module))
