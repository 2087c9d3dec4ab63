"""The graph that pictures are made of, read from seegrad's tensors and from PyTorch's."""

from typing import Any

import pytest

import seegrad
from seegrad import explain, viz
from seegrad.viz.fold import fold
from seegrad.viz.model import Graph
from seegrad.viz.reading import operator_name, read

LIBRARIES = ["seegrad", "torch"]


@pytest.fixture(params=LIBRARIES)
def torch(request: pytest.FixtureRequest) -> Any:
    """Either library: the same functions draw both."""
    return seegrad if request.param == "seegrad" else pytest.importorskip("torch")


def _names(graph: Graph) -> list[str]:
    return sorted(f"{v.name} {v.size} {v.kind}" for v in graph.vertices.values())


def _lines(graph: Graph) -> list[tuple[str, str, str]]:
    name = {v.number: v.name for v in graph.vertices.values()}
    return sorted((name[e.start], name[e.end], e.kind) for e in graph.edges)


def test_product(torch: Any) -> None:
    x, w = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
    loss = (x * w).sum()
    graph = read(loss, {"x": x, "w": w, "loss": loss})
    assert _names(graph) == [
        "loss () output", "mul (2, 3) operator", "sum () operator", "w (3) leaf", "x (2, 3) leaf",
    ]  # fmt: skip
    assert _lines(graph) == [
        ("mul", "sum", "data"), ("sum", "loss", "data"), ("w", "mul", "data"),
        ("x", "mul", "data"),
    ]  # fmt: skip


def test_variables_of_the_caller_give_names(torch: Any) -> None:
    angle = torch.ones(2, requires_grad=True)
    model = torch.nn.Linear(2, 1)
    drawn = viz.graph(model(angle.sin())).model
    assert {"angle", "model.weight", "model.bias"} <= {v.name for v in drawn.vertices.values()}


def test_saved_tensors_are_listed_and_drawn_on_demand(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp() * x
    assert {v.kind for v in read(y).vertices.values()} == {"operator", "leaf"}
    drawn = read(y, show_saved=True)
    # What exp keeps as its result is what mul keeps of its first factor.
    assert [v.name for v in drawn.vertices.values() if v.kind == "saved"] == ["self"]
    assert sorted(line[1] for line in _lines(drawn) if line[2] == "saved") == ["exp", "mul"]
    (product,) = [v for v in drawn.vertices.values() if v.name == "mul"]
    assert product.saved == [("other", (2,), "float32"), ("self", (2,), "float32")]


def test_freed_and_overwritten_values_are_said(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp().sum()
    y.backward()
    assert [v.lost for v in read(y).vertices.values()] == ["", "freed", ""]
    z = x.exp()
    z += 1
    assert [v.lost for v in read(z).vertices.values()] == ["", "overwritten", ""]


def test_modules_have_boxes(torch: Any) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    with viz.modules(net):
        out = net(torch.ones(4, 2))
    graph = read((out**2).sum(), {"net." + name: p for name, p in net.named_parameters()})
    groups = {v.name: v.group for v in graph.vertices.values()}
    assert groups["net.0.bias"] == groups["net.0.weight"] == ("net", "0")
    assert groups["tanh"] == ("net", "1")
    assert groups["pow"] == ()
    kept = read(out, show_saved=True).vertices.values()
    # The input, the result that tanh and the last layer keep, the transposed weight.
    inside = {v.group for v in kept if v.kind == "saved"}
    assert inside == {("Sequential", "0"), ("Sequential",), ("Sequential", "2")}
    later = net(torch.ones(4, 2))
    assert read(later, net).groups() == [("0",), ("2",)]  # by the names of parameters only


def test_modules_name_their_parameters(torch: Any) -> None:
    def made() -> Any:
        layer = torch.nn.Linear(2, 3)
        with viz.modules(layer):
            return layer(torch.ones(4, 2))

    names = {v.name for v in viz.graph(made()).model.vertices.values() if v.kind == "parameter"}
    assert names == {"Linear.weight", "Linear.bias"}


def test_frames_around_that_of_the_caller_give_names(torch: Any) -> None:
    def drawn(loss: Any) -> Graph:
        return viz.graph(loss).model

    angle = torch.ones(2, requires_grad=True)
    assert {v.name for v in drawn(angle.sin()).vertices.values()} == {"loss", "sin", "angle"}


def test_memory_by_line_is_what_explain_counts() -> None:
    model = seegrad.nn.Sequential(seegrad.nn.Linear(4, 3), seegrad.nn.Tanh())
    with explain.watch():
        hidden = model(seegrad.ones(2, 4))
        loss = (hidden.exp() * hidden).sum()
    wanted = explain.memory(loss)
    lines = viz.graph(loss).model.lines
    assert [(f"{line.place}: {line.source}", line.bytes) for line in lines] == [
        (share.what, share.bytes) for share in wanted.by_line
    ]
    assert lines[0].operators == ["addmm", "tanh"]


def test_memory_by_line_of_either_library(torch: Any) -> None:
    x = torch.ones(8, requires_grad=True)
    y = x
    for _ in range(5):
        y = y.exp()
    (line,) = viz.graph((y * y).sum(), {}).model.lines  # folded, and one storage saved twice
    assert (line.place, line.bytes, line.operators) == ("", 5 * 8 * 4, ["exp"])


def test_a_module_called_again_keeps_its_first_box(torch: Any) -> None:
    layer = torch.nn.Linear(2, 2)
    with viz.modules(layer):
        out = layer(layer(torch.ones(1, 2)).tanh())
    graph = read(out)
    assert {v.group for v in graph.vertices.values() if v.name == "addmm"} == {("Linear",)}
    assert {v.group for v in graph.vertices.values() if v.name == "tanh"} == {()}
    pytest.importorskip("fast_sugiyama")
    assert viz.graph(out).svg().count('class="f"') == 0  # a box would be left and entered again


def test_repeated_structure_is_folded(torch: Any) -> None:
    layers = [torch.nn.Linear(2, 2) for _ in range(12)]
    x = torch.ones(1, 2)
    for layer in layers:
        x = layer(x).relu()
    graph = read(x.sum())
    folded = fold(graph)
    assert set(folded.repeats.values()) == {11}  # the first has no vertex before it
    assert folded.folded == 10 * 5
    assert len(folded.vertices) == 5 + 5 + 1
    assert [v.name for v in folded.in_order()].count("relu") == 2


def test_what_differs_is_not_folded(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    for step in range(8):
        x = x.exp() if step % 2 else x.sin().view(-1)
    y = torch.ones(3, requires_grad=True)
    for size in (4, 5, 6, 7):
        y = y.repeat(2)[:size]
    assert fold(read(x)).repeats != {}
    assert fold(read(y)).repeats == {}


def test_a_chain_of_100_000_is_read_and_folded() -> None:
    x = seegrad.ones(1, requires_grad=True)
    for _ in range(100_000):
        x = x * 1
    graph = read(x)
    assert len(graph.vertices) == 100_001
    assert list(fold(graph).repeats.values()) == [99_999]


def test_in_order_puts_inputs_first(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    graph = read(y * y.sin() + x)
    places = {v.number: place for place, v in enumerate(graph.in_order())}
    assert len(places) == len(graph.vertices)
    assert all(places[edge.start] < places[edge.end] for edge in graph.edges)


@pytest.mark.parametrize(
    "node, name",
    [
        ("MulBackward0", "mul"),
        ("SumBackward1", "sum"),
        ("LogSoftmaxBackward0", "log_softmax"),
        ("MaxPool2DWithIndicesBackward0", "max_pool2d"),
        ("TanhBackwardBackward0", "tanh_backward"),
        ("CopySlices", "CopySlices"),
        ("SquareBackward", "Square"),
    ],
)
def test_operators_are_named_as_programs_do(node: str, name: str) -> None:
    assert operator_name(node) == name


def test_cuts_are_known_by_a_saved_operand() -> None:
    x = seegrad.ones(2, requires_grad=True)
    assert ("detach", "mul", "cut") in _lines(read(x * x.detach()))


def test_under_watch_cuts_lead_back_to_what_was_cut() -> None:
    x, w = seegrad.ones(2, requires_grad=True), seegrad.ones(2, requires_grad=True)
    with explain.watch():
        y = x.exp()
        with seegrad.no_grad():
            scale = w * 2
        z = y * (y > 1) + scale + y.detach()
    lines = _lines(read(z, {"x": x, "w": w}))
    assert {line for line in lines if line[2] == "cut"} == {
        ("exp", "gt", "cut"), ("gt", "mul", "cut"),
        ("w", "no_grad", "cut"), ("no_grad", "add", "cut"),
        ("exp", "detach", "cut"), ("detach", "add", "cut"),
    }  # fmt: skip


def test_nodes_of_second_derivatives_are_set_apart() -> None:
    x = seegrad.ones(2, requires_grad=True)
    with explain.watch():
        y = x.sin().sum()
        (grad,) = seegrad.autograd.grad(y, x, create_graph=True)
        loss = grad.sum()
    second = {v.node: v.second for v in read(loss).vertices.values()}
    assert second["MulBackward0"]
    assert second["CosBackward0"]
    assert not second["SumBackward0"]


def test_tanh_of_pytorch_says_so_itself() -> None:
    torch = pytest.importorskip("torch")
    x = torch.ones(2, requires_grad=True)
    (grad,) = torch.autograd.grad(x.tanh().sum(), x, create_graph=True)
    assert [v.second for v in read(grad).vertices.values()].count(True) == 1


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda torch: torch.ones(2), ValueError, "no history to draw"),
        (lambda torch: torch.nn.Linear(2, 1), TypeError, "has no graph before it ran"),
        (lambda torch: 3, TypeError, "not of 3"),
        (lambda torch: (torch.ones(2), "text"), ValueError, "no history to draw"),
    ],
)
def test_mistakes(torch: Any, make: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        viz.graph(make(torch))


def test_names_are_a_module_or_a_dictionary(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(TypeError, match="a dictionary of tensors by name, not list"):
        viz.graph(x.exp(), [x])


def test_the_cause_of_a_missing_history_is_named() -> None:
    x = seegrad.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match="it went through gt, which has no derivative"):
        viz.text(x > 1)


def test_outputs_in_containers_are_found(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    graph = read({"a": x.sin(), "b": [x.cos(), (torch.ones(1),)]})
    assert _names(graph) == [" (2) leaf", "cos (2) operator", "sin (2) operator"]
