"""A graph in the languages of other programs: DOT of Graphviz, Mermaid, JSON."""

import json
from collections.abc import Callable, Iterator

from seegrad.viz.model import Graph, Vertex, common
from seegrad.viz.svg import LOOKS, look_of

__all__ = ["dot", "json_text", "mermaid"]


def dot(graph: Graph) -> str:
    """The text of a DOT file, modules as clusters."""
    lines = ["digraph {", "node [style=filled shape=box fontname=sans fontsize=10 height=0.2]"]
    lines += _nested(graph, _dot_box, _dot_begin, "}")
    style = {"data": "", "saved": " [style=dotted dir=none]", "cut": " [style=dashed color=red]"}
    for edge in graph.edges:
        lines.append(f"n{edge.start} -> n{edge.end}{style[edge.kind]}")
    return "\n".join([*lines, "}", ""])


def mermaid(graph: Graph) -> str:
    """The text of a Mermaid flow chart, modules as subgraphs."""
    lines = ["flowchart TB"]
    lines += _nested(graph, _mermaid_box, _mermaid_begin, "end")
    arrows = {"data": "-->", "saved": "-.-", "cut": "-.->"}
    for edge in graph.edges:
        lines.append(f"n{edge.start} {arrows[edge.kind]} n{edge.end}")
    for kind, (fill, line, ink) in LOOKS.items():
        members = [f"n{v.number}" for v in graph.vertices.values() if look_of(v) == kind]
        if members:
            lines.append(f"classDef {kind} fill:{fill},stroke:{line},color:{ink}")
            lines.append(f"class {','.join(members)} {kind}")
    return "\n".join([*lines, ""])


def json_text(graph: Graph) -> str:
    """The graph as JSON: nodes, edges, groups."""
    return json.dumps(graph.to_dict(), indent=1, ensure_ascii=False) + "\n"


def _nested(
    graph: Graph,
    box: Callable[[Vertex], str],
    begin: Callable[[int, str], str],
    end: str,
) -> Iterator[str]:
    """Boxes within their groups: what is in a group follows each other in this order."""
    around: tuple[str, ...] = ()
    count = 0
    for vertex in sorted(graph.vertices.values(), key=lambda v: v.group):
        shared = len(common([around, vertex.group]))
        yield from [end] * (len(around) - shared)
        for depth in range(shared + 1, len(vertex.group) + 1):
            count += 1
            yield begin(count, graph.title(vertex.group[:depth]))
        around = vertex.group
        yield box(vertex)
    yield from [end] * len(around)


def _lines(vertex: Vertex) -> list[str]:
    return [" ".join(part for part in (vertex.name, vertex.size) if part), vertex.place]


def _dot_box(vertex: Vertex) -> str:
    fill, line, ink = LOOKS[look_of(vertex)]
    label = _quoted("\n".join(part for part in _lines(vertex) if part))
    return f'n{vertex.number} [label={label} fillcolor="{fill}" color="{line}" fontcolor="{ink}"]'


def _dot_begin(number: int, title: str) -> str:
    return f"subgraph cluster_{number} {{ label={_quoted(title)}"


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def _mermaid_box(vertex: Vertex) -> str:
    label = "<br/>".join(_entities(part) for part in _lines(vertex) if part)
    left, right = ('["', '"]') if vertex.kind == "operator" else ('(["', '"])')
    return f"n{vertex.number}{left}{label}{right}"


def _mermaid_begin(number: int, title: str) -> str:
    return f'subgraph g{number}["{_entities(title)}"]'


def _entities(text: str) -> str:
    """Mermaid's way to write what it would read as its own."""
    return "".join(c if c.isalnum() or c in " ._×,:-" else f"#{ord(c)};" for c in text)
