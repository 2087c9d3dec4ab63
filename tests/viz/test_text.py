"""The graph as text."""

from typing import Any

import pytest

import seegrad
from seegrad import explain, viz


@pytest.mark.parametrize("library", ["seegrad", "torch"])
def test_tree(library: str) -> None:
    torch: Any = pytest.importorskip(library)
    x, bias = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
    hidden = (x + bias).tanh()
    loss = (hidden * hidden.double()).sum()
    assert viz.text(loss).splitlines() == [
        "loss () float64 output",
        "sum () float64",
        "mul (2, 3) float64",
        "├─ [1] tanh (2, 3)",
        "│  add (2, 3)",
        "│  ├─ x (2, 3) leaf",
        "│  └─ bias (3) leaf",
        "└─ to_copy (2, 3) float64",
        "   [1] tanh, as above",
    ]


def test_lines_are_known_under_watch() -> None:
    x = seegrad.ones(2, requires_grad=True)
    with explain.watch():
        y = x.exp()
    first = viz.text(y, {"x": x}).splitlines()[0]
    assert first.startswith("exp (2)  test_text.py:")
    assert first.endswith("y = x.exp()")


def test_a_folded_picture_says_what_stands_for_several() -> None:
    x = seegrad.ones(2, requires_grad=True)
    y = x
    for _ in range(5):
        y = y.exp()
    assert str(viz.graph(y, {"x": x})) == "exp (2) × 4\nexp (2)\nx (2) leaf"


def test_freed_values_are_said() -> None:
    x = seegrad.ones(2, requires_grad=True)
    y = x.exp().sum()
    y.backward()
    assert "exp (2) (saved values freed)" in viz.text(y)


def test_deep_graphs_need_no_recursion() -> None:
    x = seegrad.ones(1, requires_grad=True)
    for _ in range(30_000):
        x = x * 1
    text = viz.text(x, {})
    assert text.count("mul (1)") == 30_000
    assert "\n " not in text
