"""A picture as SVG: one that can be put into a paper."""

import html
import re
from collections.abc import Iterator

from seegrad.viz.layout import Layout, Rect, Wire, dissolve_cycles, place
from seegrad.viz.model import REPEAT, Graph, Vertex

__all__ = ["LOOKS", "look_of", "svg", "width_of"]

# Fill, line, text; Verdana and DejaVu Sans are equally wide, so texts fit their boxes.
LOOKS = {
    "operator": ("#ffffff", "#4a5568", "#1a202c"),
    "leaf": ("#e3f4e8", "#2f7d4f", "#1c4a30"),
    "parameter": ("#e3eefb", "#2b6cb0", "#1a3f66"),
    "output": ("#fff3d6", "#b7791f", "#6b4710"),
    "saved": ("#fdebdc", "#c05621", "#7b3715"),
    "cut": ("#ffffff", "#c53030", "#822020"),
    "second": ("#efe6fb", "#6b46c1", "#3c2575"),
}
_FONT = "'DejaVu Sans', Verdana, Geneva, sans-serif"
_INVALID = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|()[]! "), frozenset("mwMW@%")
EDGE = 8.0  # around the picture


def svg(graph: Graph, view: str = "forward") -> str:
    """The text of an SVG picture.

    Args:
        graph: what to draw.
        view: "forward" names operators, with lines as values flow; "backward" names nodes, with
            lines as gradients flow.

    Raises: ValueError for another view.
    """
    if view not in ("forward", "backward"):
        raise ValueError(f'view is "forward" or "backward", not {view!r}')
    graph = dissolve_cycles(graph)
    labels = {v.number: _label(v, view) for v in graph.vertices.values()}
    layout = place(graph, {number: _room(lines) for number, lines in labels.items()})
    return "".join(_parts(graph, layout, labels, view == "backward"))


def look_of(vertex: Vertex) -> str:
    """By what a box is drawn: its kind, or that a gradient made it."""
    return "second" if vertex.second else vertex.kind


def clean(text: str) -> str:
    """Text of the user's, as XML may hold it."""
    return html.escape(_INVALID.sub("\N{REPLACEMENT CHARACTER}", text))


def _label(vertex: Vertex, view: str) -> list[str]:
    """Name, shape, and the line of the program where it is known."""
    name = vertex.node if view == "backward" and vertex.kind == "operator" else vertex.name
    inside = [part for part in vertex.group if not part.startswith(REPEAT)]
    for start in range(len(inside)):
        name = name.removeprefix(".".join(inside[start:]) + ".")  # the frames around say it
    if len(name) > 40:
        name = name[:39] + "…"
    return [name, vertex.size, vertex.place]


def width_of(text: str) -> float:
    """About how wide a text is, of one point."""
    return sum(0.40 if c in _NARROW else 0.98 if c in _WIDE else 0.66 for c in text)


def _room(label: list[str]) -> tuple[float, float]:
    """The size of a box."""
    name, size, line = label
    first = 11.5 * width_of(name) + (10 * width_of(size) + 6 * bool(name) if size else 0)
    return max(first, 8.5 * width_of(line)) + 16, 34.0 if line else 22.0


def _parts(
    graph: Graph, layout: Layout, labels: dict[int, list[str]], backward: bool
) -> Iterator[str]:
    width, height = layout.width + 2 * EDGE, layout.height + 2 * EDGE
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-EDGE:.0f} {-EDGE:.0f} {width:.0f} {height:.0f}" font-family="{_FONT}" '
        'font-size="10">\n'
    )
    yield (
        "<style>.e{fill:none;stroke:#718096;stroke-width:1.1}.s{stroke-dasharray:1.5 2.5;"
        "stroke:#c05621}.c{stroke-dasharray:5 3;stroke:#c53030}.f{fill:#2d3748;"
        "fill-opacity:.02;stroke:#a0aec0;stroke-width:.8}.t{fill:#4a5568;font-size:10px;"
        "stroke:#fff;stroke-width:3;paint-order:stroke}"
        ".n{font-size:11px;font-weight:bold}.l{font-size:8.5px;fill:#718096}</style>\n"
        '<defs><marker id="a" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto-start-reverse"><path d="M0 .8 8 4 0 7.2z" fill="#718096"/>'
        "</marker></defs>\n"
        f'<rect x="{-EDGE:.0f}" y="{-EDGE:.0f}" width="{width:.0f}" height="{height:.0f}" '
        'fill="#fff"/>\n'
    )
    for rect in layout.frames.values():
        yield f'<rect class="f" rx="6" {_at(rect)}/>\n'
    for wire in layout.wires:
        yield from _line(wire, backward)
    for group, rect in layout.frames.items():
        title = clean(graph.title(group))
        yield f'<text class="t" x="{rect.x + 8:.1f}" y="{rect.y + 14:.1f}">{title}</text>\n'
    for number, rect in layout.boxes.items():
        yield from _box(graph.vertices[number], rect, labels[number])
    yield "</svg>\n"


def _at(rect: Rect) -> str:
    return f'x="{rect.x:.1f}" y="{rect.y:.1f}" width="{rect.width:.1f}" height="{rect.height:.1f}"'


def _line(wire: Wire, backward: bool) -> Iterator[str]:
    """A line that leaves and enters upright, and runs straight down past other boxes."""
    x, y = wire.points[0]
    path = [f"M{x:.1f} {y:.1f}"]
    for to_x, to_y in wire.points[1:]:
        half = (y + to_y) / 2
        if abs(to_x - x) < 0.05:
            path.append(f"V{to_y:.1f}")
        else:
            path.append(f"C{x:.1f} {half:.1f} {to_x:.1f} {half:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    kind = {"data": "e", "saved": "e s", "cut": "e c"}[wire.edge.kind]
    arrow = f' marker-{"start" if backward else "end"}="url(#a)"'
    if wire.edge.kind == "saved" or (backward and wire.joins is not None):
        arrow = ""
    yield f'<path class="{kind}" d="{"".join(path)}"{arrow}/>\n'


def _box(vertex: Vertex, rect: Rect, label: list[str]) -> Iterator[str]:
    fill, line, ink = LOOKS[look_of(vertex)]
    round_ = 3 if vertex.kind == "operator" else rect.height / 2
    dash = ' stroke-dasharray="4 3"' if vertex.kind == "cut" else ""
    name, size, place_ = label
    yield f"<g><title>{clean(_told(vertex))}</title>"
    yield f'<rect {_at(rect)} rx="{round_:g}" fill="{fill}" stroke="{line}"{dash}/>'
    bold = f'<tspan class="n">{clean(name)}</tspan>' + "\u2002" * bool(size) if name else ""
    yield (
        f'<text x="{rect.middle:.1f}" y="{rect.y + 15:.1f}" text-anchor="middle" fill="{ink}">'
        f"{bold}{clean(size)}</text>"
    )
    if place_:
        yield (
            f'<text class="l" x="{rect.middle:.1f}" y="{rect.y + 28:.1f}" text-anchor="middle">'
            f"{clean(place_)}</text>"
        )
    yield "</g>\n"


def _told(vertex: Vertex) -> str:
    """What a reader sees who points at a box."""
    lines = [f"{vertex.name} {vertex.size} {vertex.dtype}".strip(), vertex.node]
    if vertex.place:
        lines.append(f"{vertex.place}  {vertex.source}")
    lines += [f"saved {name} {list(shape)} {kind}" for name, shape, kind in vertex.saved]
    if vertex.lost:
        lines.append(f"its saved values were {vertex.lost}")
    return "\n".join(line for line in lines if line)
