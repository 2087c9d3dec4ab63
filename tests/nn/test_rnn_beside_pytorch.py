"""Models of ordinary size in single precision, beside PyTorch: the same seed and training."""

from typing import Any

import numpy as np
import pytest

import seegrad

MODELS = {
    "lstm": ("LSTM(24, 32, 2, dropout=0.2, bidirectional=True)", (20, 8, 24)),
    "projected lstm": ("LSTM(24, 32, proj_size=16, batch_first=True)", (8, 20, 24)),
    "gru": ("GRU(24, 32, 2, batch_first=True)", (8, 20, 24)),
    "rnn": ("RNN(24, 32, 2, 'relu', dropout=0.1)", (20, 8, 24)),
    "encoder": ("TransformerEncoderLayer(24, 4, 48, batch_first=True)", (8, 20, 24)),
}


def losses(torch: Any, text: str, size: tuple[int, ...]) -> tuple[list[float], list[Any]]:
    """Losses over ten steps downhill, and what the parameters have become."""
    torch.manual_seed(0)
    module = eval(text, vars(torch.nn).copy())
    x = torch.randn(*size)
    optimizer = torch.optim.SGD(module.parameters(), 0.1)
    seen = []
    for _ in range(10):
        optimizer.zero_grad()
        found = module(x)
        output = found[0] if isinstance(found, tuple) else found
        loss = ((output - x.mean(-1, keepdim=True)) ** 2).mean()
        loss.backward()
        optimizer.step()
        seen.append(loss.item())
    return seen, [one.detach().numpy() for one in module.parameters()]


@pytest.mark.oracle
@pytest.mark.parametrize(("text", "size"), MODELS.values(), ids=MODELS)
@pytest.mark.filterwarnings("ignore:LSTM with projections")
def test_the_same_losses(text: str, size: tuple[int, ...]) -> None:
    torch = pytest.importorskip("torch")
    mine, theirs = losses(seegrad, text, size), losses(torch, text, size)
    np.testing.assert_allclose(mine[0], theirs[0], rtol=1e-5)
    for one, other in zip(mine[1], theirs[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
