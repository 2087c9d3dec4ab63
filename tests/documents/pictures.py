"""The drawing of a graph as data: what the DOT text says, with node numbers left out."""

import re
import warnings
from typing import Any

_EDGE = re.compile(r'^\s*"?(\w+)"? -> "?(\w+)"?(?: \[(.*)\])?;?$')
_NODE = re.compile(r'^\s*"?(\d\w*)"? \[(.*)\];?$', re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)=("[^"]*"|[\w.+-]+)')


def make_dot(torch: Any, *args: Any, **options: Any) -> Any:
    """The drawing function that belongs to a library: torchviz's for PyTorch."""
    if torch.__name__ == "torch":
        import torchviz

        with warnings.catch_warnings(action="ignore"):  # of an old way to compare versions
            return torchviz.make_dot(*args, **options)
    from seegrad import viz

    return viz.make_dot(*args, **options)


def _statements(source: str) -> list[str]:
    """The statements of a DOT text; a label may go over several lines."""
    statements: list[str] = []
    for line in source.splitlines():
        if statements and statements[-1].count('"') % 2:
            statements[-1] += "\n" + line
        else:
            statements.append(line)
    return statements


def _attributes(text: str | None) -> dict[str, str]:
    return {name: value.strip('"') for name, value in _ATTRIBUTE.findall(text or "")}


def structure(source: str) -> dict[str, Any]:
    """Nodes as sorted attributes, edges as sorted pairs of labels, header attributes."""
    nodes: dict[str, dict[str, str]] = {}
    edges: list[tuple[str, str, dict[str, str]]] = []
    for statement in _statements(source):
        if match := _EDGE.match(statement):
            edges.append((match[1], match[2], _attributes(match[3])))
        elif match := _NODE.match(statement):
            nodes.setdefault(match[1], {}).update(_attributes(match[2]))
    label = {identity: node.get("label", "") for identity, node in nodes.items()}
    return {
        "nodes": sorted(sorted(node.items()) for node in nodes.values()),
        "edges": sorted([label[a], label[b], sorted(attr.items())] for a, b, attr in edges),
        "header": [_attributes(s) for s in _statements(source) if s.strip()[:5] == "node "],
    }
