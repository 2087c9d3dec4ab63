"""Pictures as files: what each format says, and what is said where there can be none."""

import json
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import seegrad
from seegrad import viz
from seegrad.viz.layout import GAP, Layout, Rect, dissolve_cycles, place, spread
from seegrad.viz.model import Edge, Graph
from seegrad.viz.reading import nodes_above

SVG = "{http://www.w3.org/2000/svg}"
NAME = '<script>alert("&")</script>\x00]]>'


def _loss(torch: Any = seegrad) -> Any:
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    with viz.modules(model):
        out = model(torch.ones(4, 2))
    return (out * torch.ones(1, requires_grad=True)).sum()


def _tree(picture: viz.Picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg())


@pytest.fixture
def _layout_library() -> None:
    pytest.importorskip("fast_sugiyama")


@pytest.mark.usefixtures("_layout_library")
@pytest.mark.parametrize("library", ["seegrad", "torch"])
def test_svg_has_a_box_for_each_vertex(library: str) -> None:
    torch = pytest.importorskip(library)
    picture = viz.graph(_loss(torch))
    root = _tree(picture)
    titles = [title.text or "" for title in root.iter(SVG + "title")]
    assert len(titles) == len(picture.model.vertices)
    assert sum("addmm" in title for title in titles) == 2
    assert len(root.findall(f"{SVG}path")) == len(picture.model.edges)
    assert root.attrib["width"].isdecimal()
    assert picture._repr_svg_() == picture.svg()


@pytest.mark.usefixtures("_layout_library")
def test_names_are_only_text() -> None:
    x = seegrad.ones(2, requires_grad=True)
    picture = viz.graph(x.exp(), {NAME: x})
    texts = "".join(_tree(picture).itertext())
    assert '<script>alert("&")</script>\N{REPLACEMENT CHARACTER}]]>' in texts
    assert "<script" not in picture.svg()


@pytest.mark.usefixtures("_layout_library")
def test_backward_view_names_nodes_and_turns_lines_round() -> None:
    x = seegrad.ones(2, requires_grad=True)
    forward = viz.graph(x.exp().sum(), {}).svg()
    backward = viz.graph(x.exp().sum(), {}, view="backward").svg()
    assert "ExpBackward0</tspan>" in backward
    assert "ExpBackward0</tspan>" not in forward
    assert forward.count("marker-end") == backward.count("marker-start") == 2
    with pytest.raises(ValueError, match="view is"):
        viz.graph(x.exp(), view="sideways").svg()


def _random_graph(seed: int, count: int) -> Graph:
    """Operators on up to three earlier ones, with boxes of modules at random."""
    import random

    draw = random.Random(seed)
    graph = Graph()
    for number in range(count):
        graph.new("operator", f"f{number}")
        depth = draw.randrange(3)
        graph.vertices[number].group = tuple(str(number // 7 % 4) for _ in range(depth))
        for start in {draw.randrange(max(0, number - 9), number) for _ in range(3) if number}:
            graph.edges.append(Edge(start, number))
    return dissolve_cycles(graph)


def _overlapping(layout: Layout) -> list[tuple[int, int]]:
    boxes = list(layout.boxes.items())
    return [
        (one, other)
        for place_, (one, a) in enumerate(boxes)
        for other, b in boxes[place_ + 1 :]
        if a.x < b.x + b.width and b.x < a.x + a.width
        and a.y < b.y + b.height and b.y < a.y + a.height
    ]  # fmt: skip


@pytest.mark.usefixtures("_layout_library")
@pytest.mark.parametrize("seed", range(12))
def test_boxes_do_not_overlap_and_stay_in_their_frames(seed: int) -> None:
    graph = _random_graph(seed, 60)
    layout = place(graph, {number: (30.0 + number, 22.0) for number in graph.vertices})
    assert len(layout.boxes) == 60
    assert _overlapping(layout) == []
    for number, box in layout.boxes.items():
        group = graph.vertices[number].group
        for depth in range(1, len(group) + 1):
            frame = layout.frames[group[:depth]]
            assert frame.x <= box.x
            assert box.x + box.width <= frame.x + frame.width
            assert frame.y <= box.y
            assert box.y + box.height <= frame.y + frame.height
        assert box.x >= 0
        assert box.x + box.width <= layout.width + 1e-6


@pytest.mark.usefixtures("_layout_library")
@pytest.mark.parametrize("seed", range(12))
def test_lines_run_downwards_from_box_to_box(seed: int) -> None:
    graph = _random_graph(seed, 60)
    layout = place(graph, {number: (30.0 + number, 22.0) for number in graph.vertices})
    assert [wire.edge for wire in layout.wires] == graph.edges
    for edge, points in _whole(layout):
        start, end = layout.boxes[edge.start], layout.boxes[edge.end]
        assert points[0] == (start.middle, start.y + start.height)
        assert points[-1] == (end.middle, end.y)
        assert all(above[1] <= below[1] + 1e-6 for above, below in pairwise(points))
        for number, box in layout.boxes.items():
            if number not in (edge.start, edge.end):
                assert not any(_is_in(box, *point) for point in _curve(points))


def _whole(layout: Layout) -> list[tuple[Edge, list[tuple[float, float]]]]:
    return [(wire.edge, layout.whole(number)) for number, wire in enumerate(layout.wires)]


def _is_in(box: Rect, x: float, y: float) -> bool:
    return 0.5 < x - box.x < box.width - 0.5 and 0.5 < y - box.y < box.height - 0.5


def _curve(points: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Points of the curve that is drawn through the points of a line."""
    for (x, y), (to_x, to_y) in pairwise(points):
        for part in (0.1, 0.3, 0.5, 0.7, 0.9):
            turn = 3 * part**2 * (1 - part) + part**3
            down = 1.5 * part * (1 - part) + part**3
            yield x + (to_x - x) * turn, y + (to_y - y) * down


@pytest.mark.usefixtures("_layout_library")
def test_lines_that_leave_one_box_share_their_way() -> None:
    graph = Graph()
    for number in range(10):
        graph.new("operator", f"f{number}")
        graph.edges += [Edge(number - 1, number)] * (number > 1) + [Edge(0, number)] * (number > 0)
    layout = place(graph, dict.fromkeys(graph.vertices, (30.0, 22.0)))
    ways = [points for edge, points in _whole(layout) if edge.start == 0]
    for above, below in pairwise(ways):
        assert below[: len(above) - 1] == above[:-1]
    # Each other box stands one row below that which it follows.
    rows = sorted({box.y for box in layout.boxes.values()})
    assert [rows.index(layout.boxes[number].y) for number in range(10)] == list(range(10))


@pytest.mark.usefixtures("_layout_library")
def test_lines_out_of_a_frame_stay_apart() -> None:
    graph = Graph()
    for number in range(7):
        graph.new("operator", f"f{number}", group=("inner",) * (number < 2))
        graph.edges += [Edge(number - 1, number)] * (number > 2)
    # Both vertices of the frame lead to the end, past the others.
    graph.edges += [Edge(0, 2), Edge(0, 6), Edge(1, 6)]
    layout = place(graph, dict.fromkeys(graph.vertices, (30.0, 22.0)))
    first, second = [points for edge, points in _whole(layout) if edge.end == 6 and edge.start < 2]
    assert not {x for x, _ in first[:-1]} & {x for x, _ in second[:-1]}


def test_spread_is_the_nearest_place_with_room() -> None:
    wanted, widths = [5.0, 0.0, 40.0, 41.0, 300.0], [10.0, 20.0, 30.0, 10.0, 10.0]
    found = spread(wanted, widths)
    gaps = [(a + b) / 2 + GAP for a, b in pairwise(widths)]
    assert all(b - a >= gap - 1e-9 for (a, b), gap in zip(pairwise(found), gaps, strict=True))
    # No other place with room is nearer: moving any run of boxes that may move makes it worse.
    scipy = pytest.importorskip("scipy.optimize")
    best = scipy.minimize(
        lambda x: ((x - wanted) ** 2).sum(), found,
        constraints=[{"type": "ineq", "fun": lambda x, i=i: x[i + 1] - x[i] - gaps[i]}
                     for i in range(4)],
    )  # fmt: skip
    assert best.x == pytest.approx(found, abs=1e-3)


@pytest.mark.usefixtures("_layout_library")
def test_every_ending_is_written(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("resvg_py")
    loss = _loss()
    for ending in ("html", "svg", "png", "dot", "mmd", "json"):
        viz.save(tmp_path / f"graph.{ending}", loss)
    assert (tmp_path / "graph.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert ElementTree.parse(tmp_path / "graph.svg").getroot().tag == SVG + "svg"


@pytest.mark.usefixtures("_layout_library")
def test_large_png_is_drawn_smaller(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("resvg_py")
    x = seegrad.ones(2, requires_grad=True)
    loss = seegrad.stack([(x * number).sin() for number in range(200)]).sum()
    picture = viz.graph(loss, {}, folded=False)
    assert float(_tree(picture).attrib["width"]) > 8_000
    picture.save(tmp_path / "wide.png")
    width = int.from_bytes((tmp_path / "wide.png").read_bytes()[16:20], "big")
    assert 15_900 < width <= 16_000


def test_json_is_the_whole_graph(tmp_path: pathlib.Path) -> None:
    viz.save(tmp_path / "graph.json", _loss())
    graph = json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))
    ids = {node["id"] for node in graph["nodes"]}
    assert {edge["from"] for edge in graph["edges"]} | {e["to"] for e in graph["edges"]} <= ids
    assert {"path": ["Sequential", "0"], "times": 1} in graph["groups"]
    (tanh,) = [node for node in graph["nodes"] if node["node"] == "TanhBackward0"]
    assert (tanh["name"], tanh["shape"], tanh["dtype"]) == ("tanh", [4, 3], "float32")
    assert tanh["saved"] == [{"name": "result", "shape": [4, 3], "dtype": "float32"}]


def test_dot_has_clusters_and_quotes_names(tmp_path: pathlib.Path) -> None:
    viz.save(tmp_path / "graph.dot", _loss())
    text = (tmp_path / "graph.dot").read_text(encoding="utf-8")
    assert text.count("subgraph cluster_") == 4
    assert text.count("{") == text.count("}")
    x = seegrad.ones(2, requires_grad=True)
    viz.save(tmp_path / "named.dot", x.exp(), {'a"b\\': x})
    assert r'label="a\"b\\ (2)"' in (tmp_path / "named.dot").read_text(encoding="utf-8")


def test_mermaid_has_subgraphs_and_escapes_names(tmp_path: pathlib.Path) -> None:
    viz.save(tmp_path / "graph.mmd", _loss())
    lines = (tmp_path / "graph.mmd").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "flowchart TB"
    assert sum(line.startswith("subgraph ") for line in lines) == lines.count("end") == 4
    x = seegrad.ones(2, requires_grad=True)
    viz.save(tmp_path / "named.mmd", x.exp(), {NAME: x})
    named = (tmp_path / "named.mmd").read_text(encoding="utf-8")
    assert "<script" not in named
    assert "#60;script#62;alert#40;#34;#38;#34;#41;" in named


def test_dot_lays_out_where_asked_and_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    x = seegrad.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match='layout is None or "dot"'):
        viz.graph(x.exp(), layout="neato")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="the program `dot` of Graphviz"):
        viz.save(tmp_path / "graph.svg", x.exp(), layout="dot")
    # In its place a program that says what it was asked.
    program = tmp_path / "dot"
    lines = ["import sys", "print('<svg>', sys.argv[1:], sys.stdin.read())"]
    program.write_text("\n".join([f"#!{sys.executable} -S", *lines]))
    program.chmod(0o755)
    picture = viz.graph(x.exp(), {"x": x}, layout="dot")
    picture.save(tmp_path / "graph.svg")
    picture.save(tmp_path / "graph.dot")
    graph = (tmp_path / "graph.dot").read_text(encoding="utf-8")
    written = (tmp_path / "graph.svg").read_text(encoding="utf-8")
    assert written == f"<svg> ['-Tsvg'] {graph}\n"
    program.write_text(f"#!{sys.executable} -S\nimport sys\nsys.exit('syntax error')\n")
    with pytest.raises(RuntimeError, match="dot drew nothing: syntax error"):
        picture.svg()


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_what_dot_says() -> None:
    picture = viz.graph(_loss(), layout="dot")
    titles = [one.text or "" for one in _tree(picture).iter(SVG + "title")]
    assert {f"n{number}" for number in picture.model.vertices} <= set(titles)


def test_unknown_ending(tmp_path: pathlib.Path) -> None:
    x = seegrad.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match=r"'\.gif': choose one of \.html, \.svg, \.png"):
        viz.save(tmp_path / "graph.gif", x.exp())
    with pytest.raises(ValueError, match="graph', which has no ending: choose one of"):
        viz.save(tmp_path / "graph", x.exp())


def test_path_that_cannot_be_written(tmp_path: pathlib.Path) -> None:
    x = seegrad.ones(2, requires_grad=True)
    path = tmp_path / "none" / "graph.json"
    with pytest.raises(FileNotFoundError, match="the picture cannot be written") as caught:
        viz.save(path, x.exp())
    assert caught.value.filename == str(path)


@pytest.mark.parametrize(
    "module, ending, package",
    [("fast_sugiyama", "svg", "fast-sugiyama"), ("resvg_py", "png", "resvg-py")],
)
def test_missing_package_names_the_extra(
    module: str, ending: str, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=rf"{package}.*pip install 'seegrad\[viz\]'"):
        viz.save(tmp_path / f"graph.{ending}", seegrad.ones(1, requires_grad=True).exp())


@pytest.mark.usefixtures("_layout_library")
def test_too_many_boxes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seegrad.viz.layout.MOST", 5)
    x = seegrad.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match=r"6 boxes are too many for a picture"):
        viz.graph(x.sin().cos().exp().tanh().sum(), folded=False).svg()


@pytest.mark.usefixtures("_layout_library")
def test_deep_graphs_are_laid_out_whole() -> None:
    x = seegrad.ones(2, requires_grad=True)
    for _ in range(8_000):
        x = x * 1
    text = viz.graph(x, {}, folded=False).svg()
    assert len(re.findall(r"<g><title>", text)) == 8_001


@pytest.mark.usefixtures("_layout_library")
def test_show_opens_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    picture = viz.show(seegrad.ones(2, requires_grad=True).exp())
    (address,) = opened
    path = pathlib.Path(address.removeprefix("file://"))
    try:
        assert path.read_text(encoding="utf-8") == picture.html()
    finally:
        path.unlink()


@pytest.mark.usefixtures("_layout_library")
def test_page_shows_the_graph_from_the_loss_downwards() -> None:
    picture = viz.graph(_loss())
    text = picture.html().split('id="graph">')[1].split("</script>")[0]
    shown = json.loads(text)
    nodes = {node["id"]: node for node in shown["nodes"]}
    assert len(nodes) == len(picture.model.vertices)
    assert all(nodes[e["from"]]["y"] < nodes[e["to"]]["y"] for e in shown["edges"])
    assert all(nodes[e["from"]]["order"] < nodes[e["to"]]["order"] for e in shown["edges"])
    assert {g["id"]: g["parent"] for g in shown["groups"]}["Sequential/0"] == "Sequential"
    (tanh,) = [node for node in nodes.values() if node["label"] == "TanhBackward0"]
    assert tanh["saved"] == [{"name": "result", "shape": "(4, 3)", "bytes": 48}]
    x = seegrad.ones(2, requires_grad=True)
    named = viz.graph(x.exp(), {"</script><script>alert(": x})
    assert "</script><script>alert" not in named.html()
    assert named._repr_html_().startswith('<iframe srcdoc="&lt;!')


@pytest.mark.usefixtures("_layout_library")
@pytest.mark.parametrize("library", ["seegrad", "torch"])
def test_the_page_plays_the_pass_as_it_runs(library: str) -> None:
    torch = pytest.importorskip(library)
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    first = x.exp()
    second = w.sin().cos()
    loss = (first * second + first.tanh() * x).sum()
    ran: list[str] = []
    leaves = {id(x): "x", id(w): "w"}
    for node in nodes_above(loss):
        name = leaves.get(id(getattr(node, "variable", None)), node.name())
        node.register_prehook(lambda _, name=name: ran.append(name))
    text = viz.graph(loss, {"x": x, "w": w, "loss": loss}).html()
    shown = json.loads(text.split('id="graph">')[1].split("</script>")[0])["nodes"]
    turns = {
        one["order"]: one["name"] if one["kind"] == "leaf" else one["label"]
        for one in shown
        if one["order"] is not None  # as of the output
    }
    loss.backward()
    assert [turns[turn] for turn in range(len(turns))] == ran
