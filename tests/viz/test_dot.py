"""make_dot draws what torchviz draws, of our graphs and of PyTorch's."""

import sys
from typing import Any

import pytest

import seegrad
from tests.documents import pictures as drawing
from tests.observe import observe
from tests.record import recorded
from tests.recorders import pictures as recorder

pytest.importorskip("graphviz")
viz = pytest.importorskip("seegrad.viz")

CASES = recorder.cases()
ANSWERS = recorded(recorder.NAME)
# Whose nodes keep something else than PyTorch's (docs/differences.md): the plain picture is equal.
OTHERWISE = (
    "convolutional_network", "normalised", "statistics", "linear_algebra", "resampled",
    "second_derivative", "attention", "embedded", "reused_layers",
)  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    found, wanted = observe(CASES[name], seegrad), ANSWERS[name]
    if name.removeprefix("drawn_graphs.") in OTHERWISE:
        found, wanted = found["value"][0], wanted["value"][0]
    assert found == wanted


@pytest.mark.oracle
@pytest.mark.parametrize("name", CASES)
def test_torchviz_still_says_so(name: str) -> None:
    pytest.importorskip("torchviz")
    torch = pytest.importorskip("torch")
    assert observe(CASES[name], torch) == ANSWERS[name]


@pytest.mark.oracle
@pytest.mark.parametrize("name", CASES)
def test_graphs_of_pytorch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")

    def ours(library: Any, *arguments: Any, **options: Any) -> Any:
        return viz.make_dot(*arguments, **options)

    monkeypatch.setattr("tests.viz.drawn_cases.make_dot", ours)
    assert observe(CASES[name], torch) == ANSWERS[name]


def test_picture_is_a_digraph() -> None:
    import graphviz

    picture = viz.make_dot(seegrad.ones(1, requires_grad=True) * 2)
    assert isinstance(picture, graphviz.Digraph)
    assert drawing.structure(picture.source)["header"]


def test_deep_graphs_need_no_recursion() -> None:
    x = seegrad.ones(1, requires_grad=True)
    for _ in range(100_000):
        x = x * 1
    picture = viz.make_dot(x)
    assert picture.source.count("[label=MulBackward0]") == 100_000


def test_functions_may_save_none() -> None:
    class Twice(seegrad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x, None)
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2

    # torchviz raises AttributeError here.
    source = viz.make_dot(Twice.apply(seegrad.ones(3, requires_grad=True))).source
    assert source.count("fillcolor=orange") == 1


def test_freed_graphs_can_still_be_drawn() -> None:
    x = seegrad.ones(2, requires_grad=True)
    y = x * x
    y.sum().backward()
    source = viz.make_dot(y, show_attrs=True, show_saved=True).source
    assert "other: [freed]" in source
    assert "orange" not in source


def test_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'seegrad\[viz\]'"):
        viz.make_dot(seegrad.ones(1))
