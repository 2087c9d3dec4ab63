"""Curves: what is drawn is what was computed, and files are pictures."""

import pathlib
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad import explain, viz

pytest.importorskip("matplotlib")


def drawn(axes: Any) -> Any:
    return axes.get_lines()[0].get_ydata()


def test_function_and_its_derivatives() -> None:
    figure = viz.plot_function(torch.sin, -3, 3)
    x = np.linspace(-3, 3, 401)
    for axes, wanted in zip(figure.axes, (np.sin(x), np.cos(x), -np.sin(x)), strict=True):
        np.testing.assert_allclose(drawn(axes), wanted, atol=1e-12)


def test_derivatives_that_are_not_there_are_zero() -> None:
    figure = viz.plot_function(lambda x: x * 2)
    assert drawn(figure.axes[1]).tolist() == [2.0] * 401
    assert drawn(figure.axes[2]).tolist() == [0.0] * 401


def test_function_that_changes_the_shape() -> None:
    with pytest.raises(ValueError, match="401 numbers in, got a tensor of shape"):
        viz.plot_function(torch.sum)
    with pytest.raises(TypeError, match="from a tensor to a tensor, got int out"):
        viz.plot_function(lambda x: 3)
    with pytest.raises(ValueError, match="between two finite numbers, not 0 and inf"):
        viz.plot_function(torch.sin, 0, float("inf"))


def test_losses_as_numbers_and_tensors() -> None:
    figure = viz.plot_losses([3.0, torch.tensor(2.0), torch.ones(1, requires_grad=True)])
    assert drawn(figure.axes[0]).tolist() == [3.0, 2.0, 1.0]
    with pytest.raises(ValueError, match="'test' has no losses"):
        viz.plot_losses({"test": []})
    with pytest.raises(TypeError, match="but 'test' is one float"):
        viz.plot_losses({"test": 3.0})  # type: ignore[dict-item]


def test_flow_shows_each_parameter() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    model(torch.ones(2, 3)).sum().backward()
    figure = viz.plot_flow(explain.flow(model))
    widths = [bar.get_width() for bar in figure.axes[0].patches]
    norms = [p.grad.norm().item() for p in model.parameters()]
    largest = [p.grad.abs().max().item() for p in model.parameters()]
    np.testing.assert_allclose(widths, norms + largest, rtol=1e-6)
    with pytest.raises(TypeError, match="needs what explain"):
        viz.plot_flow([])  # type: ignore[arg-type]


@pytest.mark.parametrize("ending, begins", [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_files(tmp_path: pathlib.Path, ending: str, begins: bytes) -> None:
    path = tmp_path / f"curve{ending}"
    viz.plot_losses([2.0, 1.0], path, log=True)
    assert path.read_bytes().startswith(begins)
