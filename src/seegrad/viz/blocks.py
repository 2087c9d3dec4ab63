"""Very large graphs: boxes that follow each other are taken together."""

from collections import Counter

from seegrad.viz.model import Edge, Graph, Vertex

__all__ = ["blocks"]


def blocks(graph: Graph, most: int) -> Graph:
    """A graph of at most so many boxes, each of which stands for an equal part of the order.

    What stands for parts of an order has no way round: lines lead from earlier to later parts.
    """
    ordered = list(graph.in_order())
    length = -(-len(ordered) // most)
    found = Graph(folded=len(ordered), lines=graph.lines)
    block: dict[int, Vertex] = {}
    for start in range(0, len(ordered), length):
        members = ordered[start : start + length]
        last = members[-1]
        one = found.new("operator", f"{last.name} and {len(members) - 1} more",
                        node=last.node, place=last.place, source=last.source,
                        sequence=last.sequence)  # fmt: skip
        names = Counter(member.name or member.kind for member in members)
        one.inside = ", ".join(f"{name} {times}" for name, times in names.items())
        for member in members:
            one.saved += member.saved
            block[member.number] = one
    pairs = {(block[e.start].number, block[e.end].number) for e in graph.edges}
    found.edges = [Edge(start, end) for start, end in sorted(pairs) if start != end]
    return found
