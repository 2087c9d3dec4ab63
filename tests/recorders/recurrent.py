"""PyTorch's answers to the snippets of recurrent and transformer layers in tests/nn/."""

from tests.nn import rnn_attention, rnn_layers, rnn_packing, rnn_stateless, rnn_transformers
from tests.observe import Snippet, snippets

NAME = "recurrent"
MODULES = (rnn_layers, rnn_packing, rnn_attention, rnn_transformers, rnn_stateless)


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    return dict(pair for module in MODULES for pair in snippets(module))
