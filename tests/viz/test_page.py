"""The page in a real browser: headless Chromium opens it from disk and uses it as people do."""

import json
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

import seegrad
from seegrad import explain, viz
from seegrad.viz.page import page

playwright = pytest.importorskip("playwright.sync_api")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")


def _shown(picture: viz.Picture) -> dict[str, Any]:
    """What the page of a picture shows."""
    found: dict[str, Any] = json.loads(picture.html().split('id="graph">')[1].split("<")[0])
    return found


def graph(count: int) -> dict[str, Any]:
    """A chain of operators from a loss, every fifth of which ends in a parameter."""
    nodes: list[dict[str, Any]] = []
    edges = []
    for number in range(count):
        kind = "root" if not number else "parameter" if number % 5 == 4 else "node"
        nodes.append(
            {
                "id": number, "label": "AccumulateGrad" if kind == "parameter" else "MulBackward0",
                "kind": kind, "name": f"w{number}" if kind == "parameter" else None,
                "shape": [2, 3], "dtype": "float32", "place": f"script.py:{number + 1}",
                "source": "y = x * w", "order": number, "group": number * 10 // count,
                "x": 170 * (number % 40), "y": 90 * (number // 40), "w": 150, "h": 40,
                "saved": [{"name": "self", "shape": "(2, 3)", "bytes": 24}],
                "grad": {"norm": 1.5, "mean": 0.25, "max": 2.0, "zeros": 0.0, "bins": [1, 4, 2]},
            }
        )  # fmt: skip
        if number:
            cut = "detach" if number == 3 else None
            edges.append(
                {"from": max(0, number - 1 - (number % 5 == 0)), "to": number, "cut": cut}
            )
    groups = [{"id": g, "label": f"encoder.{g}", "parent": None} for g in range(10)]
    lines = [{"place": "script.py:3", "source": "h = x @ w", "bytes": 4096, "operators": "mm"}]
    return {"title": "loss", "nodes": nodes, "edges": edges, "groups": groups, "lines": lines}


class Opened:
    """An open page and what its console said."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.errors: list[str] = []
        tab.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        tab.on("request", lambda request: self.requests.append(request.url))
        self.requests: list[str] = []

    def state(self, expression: str) -> Any:
        """A value of the page's script."""
        return self.tab.evaluate(expression)

    def details(self) -> str:
        """The text of the side panel."""
        return str(self.tab.inner_text("#details"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as runner:
        started = runner.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser: Any, tmp_path: pathlib.Path) -> Iterator[Any]:
    tabs = []

    def open_page(shown: dict[str, Any]) -> Opened:
        path = tmp_path / "graph.html"
        path.write_text(page(shown), encoding="utf-8")
        tab = browser.new_page(locale="en-US")
        tabs.append(tab)
        found = Opened(tab)
        tab.goto(path.as_uri())
        return found

    yield open_page
    for tab in tabs:
        tab.close()


def test_opens_without_errors_and_without_network(opened: Any) -> None:
    found = opened(graph(30))
    assert found.errors == []
    assert [url.partition(":")[0] for url in found.requests] == ["file"]
    assert found.tab.title() == "loss"
    assert found.state("shown.length") == 30


def test_search_finds_and_chooses(opened: Any) -> None:
    found = opened(graph(30))
    found.tab.fill("#search", "w14")
    assert found.tab.inner_text("#count") == "1 found"
    found.tab.press("#search", "Enter")
    assert "AccumulateGrad: w14" in found.details()
    found.tab.fill("#search", "script.py:7")
    assert found.tab.inner_text("#count") == "1 found"


def test_leaf_shows_its_paths_to_the_loss(opened: Any) -> None:
    found = opened(graph(30))
    found.state("choose(4)")
    assert sorted(found.state("[...state.path]")) == [0, 1, 2, 3, 4]
    assert "5 nodes lie on paths" in found.details()


def test_node_shows_what_is_known_of_it(opened: Any) -> None:
    found = opened(graph(30))
    found.tab.focus("#picture")
    found.tab.keyboard.press("n")
    found.tab.keyboard.press("n")
    text = found.details()
    for part in ("MulBackward0", "(2, 3)", "float32", "script.py:2", "y = x * w", "24", "0.2500"):
        assert part in text
    assert found.tab.locator("#histogram i").count() == 3


def test_modules_fold_and_unfold(opened: Any) -> None:
    found = opened(graph(30))
    found.tab.click("#fold")
    assert found.state("shown.map(one => one.label)") == [f"encoder.{g} (3)" for g in range(10)]
    assert found.state("lines.length") == 9
    found.state("choose(14, true)")  # opens the module around it
    assert found.state("shown.length") == 12
    found.tab.click("#unfold")
    assert found.state("shown.length") == 30


def test_modules_have_frames_and_fold_by_mouse_and_key(
    opened: Any, tmp_path: pathlib.Path
) -> None:
    net = seegrad.nn.Sequential(seegrad.nn.Linear(2, 3), seegrad.nn.Tanh())
    with viz.modules(net):
        out = net(seegrad.ones(4, 2))
    found = opened(_shown(viz.graph(out.sum(), folded=False)))
    for group in found.state("[...groups.values()]"):
        for node in group["members"]:
            assert abs(node["x"] - group["x"]) + node["w"] / 2 <= group["w"] / 2 + 0.2
            assert abs(node["y"] - group["y"]) + node["h"] / 2 <= group["h"] / 2 + 0.2
    # The title of the layer is at the lower left of its frame.
    layer = found.state("groups.get('net/0')")
    corner = {"x": layer["x"] - layer["w"] / 2 + 9, "y": layer["y"] + layer["h"] / 2 - 9}
    scale, x, y = found.state("[state.scale, state.x, state.y]")
    at = {"x": corner["x"] * scale + x, "y": corner["y"] * scale + y}
    found.tab.click("#picture", position=at)
    assert found.details().startswith("net.0")
    found.tab.dblclick("#picture", position=at)
    assert found.state("[...state.folded]") == ["net/0"]
    found.tab.focus("#picture")
    found.tab.keyboard.press("f")
    assert found.state("state.folded.size") == 0
    found.tab.keyboard.press("f")
    found.tab.click("#details button")
    assert found.state("state.folded.size") == 0
    assert found.errors == []


def test_slider_and_keys(opened: Any) -> None:
    found = opened(graph(30))
    found.state("setStep(7)")
    assert found.tab.inner_text("#step") == "step 7 of 30 MulBackward0"
    assert found.tab.input_value("#slider") == "7"
    before = found.state("state.scale")
    found.tab.focus("#picture")
    found.tab.keyboard.press("+")
    assert found.state("state.scale") > before
    found.tab.keyboard.press("/")
    assert found.state("document.activeElement.id") == "search"


def test_everything_is_reached_by_keys(opened: Any) -> None:
    found = opened(graph(30))
    keys = found.tab.keyboard
    reached = []
    for _ in range(11):
        keys.press("Tab")
        reached.append(found.state("document.activeElement.id"))
        style = found.state("getComputedStyle(document.activeElement)")
        assert (style["outlineStyle"], style["outlineWidth"]) == ("solid", "2px"), reached
    assert reached == [
        "tab-graph", "tab-memory", "search", "fold", "unfold", "fit", "theme", "language",
        "picture", "play", "slider",
    ]  # fmt: skip
    keys.press("ArrowLeft")
    assert found.tab.input_value("#slider") == "29"
    found.tab.focus("#tab-graph")
    keys.press("ArrowRight")
    assert found.tab.is_visible("#memory")
    assert found.state("document.activeElement.id") == "tab-memory"
    keys.press("ArrowLeft")
    assert found.tab.is_visible("#picture")
    found.tab.focus("#fit")
    before = found.state("state.scale")
    keys.press("+")  # a button leaves the other keys alone
    assert found.state("state.scale") > before


def test_modules_by_keys(opened: Any) -> None:
    net = seegrad.nn.Sequential(seegrad.nn.Linear(2, 3), seegrad.nn.Tanh())
    with viz.modules(net):
        out = net(seegrad.ones(4, 2))
    found = opened(_shown(viz.graph(out.sum(), {"": out}, folded=False)))
    keys = found.tab.keyboard
    found.tab.focus("#picture")
    keys.type("nn")  # the sum, and tanh below it
    assert found.details().startswith("TanhBackward0")
    keys.type("g")
    assert found.details().startswith("Sequential.1")
    keys.type("gf")  # the module around that, folded
    assert found.details().startswith("Sequential\n")
    assert found.state("shown.map(one => one.label)") == ["SumBackward0", "Sequential (5)"]
    keys.type("p")
    assert found.details().startswith("SumBackward0")
    leaf = found.state("graph.nodes.find(one => one.name == 'Sequential.0.bias').id")
    found.state(f"choose({leaf})")
    assert found.state("shown.every(isMarked)")  # also the folded box is on the path


# How many boxes overlap, and how many lines run over a box that is not at one of their ends.
DISORDER = """() => {
  const near = (one, x, y, w = 0, h = 0) => Math.abs(one.x - x) < (one.w + w) / 2 - 0.5
    && Math.abs(one.y - y) < (one.h + h) / 2 - 0.5;
  const overlaps = shown.filter((one, at) => shown.slice(at + 1).some((other) =>
    near(one, other.x, other.y, other.w, other.h)));
  const over = lines.filter(({ from, to, way }) => way.some(([x, y], at) => {
    const [beginX, beginY] = way[Math.max(0, at - 1)];
    for (let part = 0; part <= 1; part += 0.1) {
      const turn = 3 * part * part * (1 - part) + part ** 3; // across, as a Bezier curve goes
      const down = 1.5 * part * (1 - part) + part ** 3;
      const pointX = beginX + (x - beginX) * turn, pointY = beginY + (y - beginY) * down;
      if (shown.some((one) => one !== from && one !== to
        && near(one, pointX, pointY))) return true;
    }
  }));
  return [overlaps.length, over.length];
}"""


class Residual(seegrad.nn.Module):
    """A module whose input goes round it."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner
        self.gate = seegrad.nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        return self.inner(x) * self.gate(x).sigmoid() + x


def test_lines_go_round_boxes(opened: Any) -> None:
    inner = Residual(seegrad.nn.Sequential(seegrad.nn.Linear(4, 4), seegrad.nn.Tanh()))
    net = Residual(inner)
    with viz.modules(net):
        out = net(seegrad.ones(2, 4))
    found = opened(_shown(viz.graph(out.sum(), folded=False)))
    assert found.state(DISORDER) == [0, 0]
    height = found.state("extremeOf(shown.map(one => one.y), 1)")
    for group in found.state("[...groups.keys()]"):
        found.state(f"state.folded = new Set([{json.dumps(group)}]), arrange()")
        assert found.state(DISORDER) == [0, 0], group
        # What it freed is closed up.
        assert found.state("extremeOf(shown.map(one => one.y), 1)") < height


def test_a_long_graph_opens_at_its_loss(opened: Any) -> None:
    x = seegrad.ones(2, requires_grad=True)
    y = x
    for _ in range(300):
        y = y * 2
    found = opened(_shown(viz.graph(y, {}, folded=False)))
    assert found.state("state.scale > LEGIBLE")
    first = found.state("[shown[0].label, state.y + state.scale * shown[0].y]")
    assert first[0] == "MulBackward0"
    assert 0 < first[1] < 100


def test_memory_by_line(opened: Any) -> None:
    found = opened(graph(30))
    found.tab.click("#tab-memory")
    assert "script.py:3  h = x @ w" in found.tab.inner_text("#memory")
    assert "4,096" in found.tab.inner_text("#memory")
    assert not found.tab.is_visible("#picture")


def test_two_languages_and_two_themes(opened: Any) -> None:
    found = opened(graph(30))
    assert found.tab.inner_text("#tab-graph") == "Graph"
    found.tab.click("#language")
    assert found.tab.inner_text("#tab-graph") == "그래프"
    found.state("choose(0)")
    assert "종류\n출력" in found.details()
    before = found.state("colors.ground")
    found.tab.click("#theme")
    assert found.state("colors.ground") != before


def test_the_users_text_is_only_text(opened: Any) -> None:
    evil = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
    shown = graph(6)
    shown["title"] = evil
    shown["lines"][0]["source"] = evil
    shown["groups"][0]["label"] = evil
    for node in shown["nodes"]:
        node["label"] = node["source"] = node["name"] = node["place"] = node["formula"] = evil
    found = opened(shown)
    found.state("choose(1)")
    found.tab.click("#tab-memory")
    assert found.state("window.hacked") is None
    assert found.errors == []
    assert evil in found.details()
    assert found.tab.title() == evil


def test_five_thousand_nodes(opened: Any) -> None:
    """All are there and drawn; how long that takes is measured by `make bench`."""
    found = opened(graph(5000))
    assert found.errors == []
    assert found.state("shown.length") == 5000
    found.state("paint()")
    pixels = "new Set(pen.getImageData(0, 0, canvas.width, canvas.height).data).size"
    assert found.state(pixels) > 2


def test_a_model_from_training_to_page(opened: Any, tmp_path: pathlib.Path) -> None:
    model = seegrad.nn.Sequential(seegrad.nn.Linear(4, 3), seegrad.nn.Tanh())
    with explain.watch():
        out = model(seegrad.ones(2, 4))
        scaled = out * 1
        scaled[0] = 0
        loss = scaled.square().mean()
    with viz.gradients(loss):
        loss.backward(retain_graph=True)
    viz.save(tmp_path / "model.html", loss, model)
    shown = json.loads((tmp_path / "model.html").read_text().split('id="graph">')[1].split("<")[0])
    found = opened(shown)
    assert found.errors == []
    number = next(n["id"] for n in shown["nodes"] if n["name"] == "0.weight")
    found.state(f"choose({number})")
    assert "(3, 4)" in found.details()
    assert "lie on paths" in found.details()
    tanh = next(n["id"] for n in shown["nodes"] if n["name"] == "tanh")
    found.state(f"choose({tanh})")
    for part in (
        "test_page.py",
        "grad * (1 - result * result)",
        "result",
        "50.0%",
        "largest size",
    ):
        assert part in found.details()
    assert found.tab.locator("#histogram i").count() == 24
    written = next(n["id"] for n in shown["nodes"] if n["name"] == "CopySlices")
    found.state(f"choose({written})")
    assert "scaled[0] = 0" in found.details()
    found.tab.click("#tab-memory")
    assert "tanh" in found.tab.inner_text("#memory")


def test_very_large_graphs_are_shown_in_blocks(opened: Any) -> None:
    y = seegrad.ones(2, requires_grad=True)
    weight = seegrad.ones(2, requires_grad=True)
    for _ in range(10_000):
        y = y * weight
    names = {"weight": weight}
    folded = viz.graph(y, names).html()
    assert "10,002 boxes are shown as 4: what repeats is drawn once" in folded
    shown = _shown(viz.graph(y, names, folded=False))
    found = opened(shown)
    assert "boxes are shown as" in found.tab.inner_text("#notice")
    assert 1000 < found.state("shown.length") <= 4000
    found.tab.fill("#search", "weight")
    assert found.tab.inner_text("#count") == "1 found"
    # What all lead to has one line along the page, which the others run into.
    assert sum(len(edge["way"]) for edge in shown["edges"]) < 20 * len(shown["edges"])
    joined = [edge for edge in shown["edges"] if edge["joins"]]
    assert len(joined) > 1000
    for edge in joined:
        number, at = edge["joins"]
        assert shown["edges"][number]["way"][2 * at : 2 * at + 2] == edge["way"][-2:]
    found.state(f"choose({shown['nodes'][0]['id']})")
    assert found.errors == []
