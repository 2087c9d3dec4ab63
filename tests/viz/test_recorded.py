"""What a picture knows of a program that ran: gradients, and who wrote in place."""

import json
from typing import Any

import numpy as np
import pytest

import seegrad
from seegrad import explain, viz
from seegrad.viz.formats import json_text
from seegrad.viz.model import Vertex
from seegrad.viz.passes import drawing
from seegrad.viz.reading import read


@pytest.fixture(params=["seegrad", "torch"])
def torch(request: pytest.FixtureRequest) -> Any:
    """Either library: the same functions draw both."""
    return seegrad if request.param == "seegrad" else pytest.importorskip("torch")


def _by_name(var: Any, params: Any = None) -> dict[str, Vertex]:
    return {v.name: v for v in viz.graph(var, params or {}).model.vertices.values()}


def _gradient(vertex: Vertex) -> dict[str, Any]:
    assert vertex.gradient is not None
    return vertex.gradient


def test_gradients_are_noted_at_nodes_and_leaves(torch: Any) -> None:
    values = np.array([-2.0, 0.5, 0.0, 3.0, 1.0])
    x = torch.tensor(values.tolist(), requires_grad=True)
    loss = (x * torch.tensor([1.0, -2.0, 5.0, 0.0, 0.5])).square().sum()
    with viz.gradients(loss):
        loss.backward(retain_graph=True)
    found = _by_name(loss, {"x": x})
    scale = np.array([1.0, -2.0, 5.0, 0.0, 0.5])
    for name, arrived in (("mul", 2 * values * scale), ("x", 2 * values * scale**2)):
        gradient = _gradient(found[name])
        assert gradient["norm"] == pytest.approx(np.linalg.norm(arrived))
        assert gradient["mean"] == pytest.approx(abs(arrived).mean())
        assert gradient["max"] == pytest.approx(abs(arrived).max())
        assert gradient["zeros"] == 0.4
        assert gradient["bins"] == np.histogram(arrived, 24)[0].tolist()
        assert (gradient["low"], gradient["high"]) == (arrived.min(), arrived.max())
    assert _gradient(found["sum"])["norm"] == 1
    x.grad = None
    loss.backward()  # unnoted: no hook is left behind
    assert _by_name(loss)["mul"].gradient == found["mul"].gradient


def test_the_last_noted_pass_counts(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    with viz.gradients([y]):
        y.backward(torch.ones(2), retain_graph=True)
        y.backward(torch.full((2,), 3.0))
    assert _gradient(_by_name(y, {"x": x})["x"])["max"] == 3


def test_special_gradients(torch: Any) -> None:
    x = torch.zeros(2, requires_grad=True)
    z = torch.ones(2, dtype=torch.complex64, requires_grad=True)
    half = torch.ones(3, dtype=torch.bfloat16, requires_grad=True)
    empty = torch.ones(0, requires_grad=True)
    parts = (x * torch.tensor([float("inf"), 1.0])).sum() + (z * 3j).abs().sum()
    loss = parts + (half * 2).sum() + empty.sum()
    with viz.gradients(loss):
        loss.backward(retain_graph=True)
    found = _by_name(loss, {"x": x, "z": z, "half": half, "empty": empty})
    assert _gradient(found["x"])["max"] == "inf"
    assert _gradient(found["x"])["infinite"] == 1
    assert sum(_gradient(found["x"])["bins"]) == 1
    assert _gradient(found["z"])["norm"] == pytest.approx(3 * 2**0.5)
    assert _gradient(found["half"])["mean"] == 2
    assert _gradient(found["empty"])["bins"] == []
    assert "Infinity" not in json_text(viz.graph(loss).model)


def test_a_graph_drawn_from_the_shell_has_its_gradients() -> None:
    x = seegrad.ones(2, requires_grad=True)
    with drawing("2") as drawn:
        for factor in (1.0, 5.0, 7.0):
            (x * factor).sum().backward()
    assert drawn.model is not None
    (leaf,) = [v for v in drawn.model.vertices.values() if v.name == "x"]
    assert _gradient(leaf)["max"] == 5
    assert x.grad is not None
    assert x.grad.tolist() == [13, 13]


def test_who_wrote_in_place_is_named_after_a_watch() -> None:
    weight, x = seegrad.ones(3, requires_grad=True), seegrad.ones(3, requires_grad=True)
    with explain.watch():
        y = x.exp()
        y -= 1
        kept = y.sin()
        y[0] = 2
        with seegrad.no_grad():
            weight.mul_(2)
        product = kept * weight
        kept.detach().zero_()
        z = product.tanh()
        with seegrad.no_grad():
            z.add_(1)
        loss = (z + y).sum()
    found = _by_name(loss, {"x": x, "weight": weight})
    lines = {name: [line.partition("  ")[2] for line in v.writes] for name, v in found.items()}
    assert found["weight"].writes[0].startswith("test_recorded.py:")
    assert lines["weight"] == ["weight.mul_(2)"]
    assert lines["exp"] == ["y -= 1", "y[0] = 2"]  # what it saved, its own result
    assert lines["sub"] == ["y[0] = 2", "y -= 1"]
    assert lines["sin"] == ["y[0] = 2"]
    assert lines["mul"] == ["kept.detach().zero_()"]
    assert lines["tanh"] == ["z.add_(1)"]
    assert lines["add"] == lines["sum"] == lines["x"] == []
    assert lines["CopySlices"] == ["y[0] = 2"]
    assert found["sin"].lost == found["mul"].lost == "overwritten"


def test_without_a_watch_nothing_is_said_of_writes(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    y = x * 1
    y[0] = 2
    found = _by_name(y.sum(), {"x": x})
    assert "CopySlices" in found
    assert [v.writes for v in found.values()] == [[]] * len(found)


def test_what_a_custom_backward_recorded_has_a_box() -> None:
    class Cube(seegrad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad * 3 * x.square()

    x = seegrad.ones(2, requires_grad=True)
    with explain.watch():
        y = Cube.apply(x)
        scale = seegrad.ones(2, requires_grad=True)
        (grad,) = seegrad.autograd.grad(y, x, scale, create_graph=True)
        loss = (grad * y).sum()
    inside = [v.name for v in read(loss).vertices.values() if v.group == ("Cube.backward",)]
    assert sorted(inside) == ["mul", "mul", "pow"]
    pytest.importorskip("fast_sugiyama")
    page = json.loads(viz.graph(loss).html().split('id="graph">')[1].split("<")[0])
    assert [group["label"] for group in page["groups"]] == ["Cube.backward"]
    assert [n["label"] for n in page["nodes"] if n["kind"] == "custom"] == ["CubeBackward"]


def test_a_write_through_a_view_has_its_line_and_no_other_node_has() -> None:
    x = seegrad.ones(3, requires_grad=True)
    with explain.watch():
        base = x * 2
        part = base[1:]
        part.mul_(3)
    found = _by_name(base.sum(), {"x": x})
    assert found["CopySlices"].source == "part.mul_(3)"
    assert found["mul"].source == "base = x * 2"
