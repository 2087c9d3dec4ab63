"""Repeated structure drawn once, with how often it is there ("× 12").

Note [Folding]: a graph is cut at the vertices that every path goes through. What lies between two
of them is a segment; runs of equal segments (the same operators, shapes and edges inside) are kept
once. What hangs on the side, a parameter and its transpose, belongs to the segment that uses it.
"""

from typing import Any

from seegrad.viz.model import REPEAT, Edge, Graph, common

__all__ = ["fold"]

LEAST = 3  # copies
WIDEST = 64  # segments in what is repeated


class _Segment:
    """What lies between two vertices that all paths go through, in the order of a walk."""

    def __init__(self, numbers: list[int], looks: Any) -> None:
        self.numbers = numbers
        self.looks = looks


def fold(graph: Graph) -> Graph:
    """The graph with each run of equal segments kept once; itself where nothing is repeated."""
    segments = _segments(graph)
    known: dict[Any, int] = {}
    looks = [known.setdefault(segment.looks, len(known)) for segment in segments]
    runs = list(_runs(looks))
    if not runs:
        return graph
    graph = graph.copy()
    kept: dict[int, int] = {}  # what stands for a vertex
    copies: dict[int, tuple[int, int]] = {}  # of which run a vertex is, and of which copy
    for run, (first, period, times) in enumerate(runs):
        for copy in range(times):
            for place in range(period):
                own = segments[first + place].numbers
                other = segments[first + copy * period + place].numbers
                kept.update(zip(other, own, strict=True))
                copies.update((number, (run, copy)) for number in other)
    folded = _keep(graph, kept, copies)
    for run, (_, _, times) in enumerate(runs):
        _frame(folded, [n for n in folded.vertices if copies.get(n, (-1, 0))[0] == run], times)
    return folded


def _keep(graph: Graph, kept: dict[int, int], copies: dict[int, tuple[int, int]]) -> Graph:
    """The graph of what stands for the others."""
    vertices = {n: v for n, v in graph.vertices.items() if kept.get(n, n) == n}
    edges: dict[Edge, None] = {}
    for edge in graph.edges:
        start, end = copies.get(edge.start, (-1, 0)), copies.get(edge.end, (-1, 0))
        if start[0] == end[0] >= 0 and (start != end or start[1] > 0):
            continue  # between two copies, or inside of one that is not drawn
        moved = Edge(kept.get(edge.start, edge.start), kept.get(edge.end, edge.end), edge.kind)
        edges[moved] = None
    missing = len(graph.vertices) - len(vertices)
    return Graph(vertices, list(edges), graph.repeats, missing, graph.lines)


def _frame(graph: Graph, numbers: list[int], times: int) -> None:
    """Puts what is repeated into a group: that of its module, or a new one."""
    shared = common([graph.vertices[number].group for number in numbers])
    inside = sum(v.group[: len(shared)] == shared for v in graph.vertices.values())
    if shared and inside == len(numbers) and shared not in graph.repeats:
        graph.repeats[shared] = times
    else:
        shared = (*shared, f"{REPEAT}{len(graph.repeats)}")
        graph.repeats[shared] = times
        for number in numbers:
            own = graph.vertices[number].group
            graph.vertices[number].group = shared + own[len(shared) - 1 :]
    for number in numbers:
        graph.vertices[number].times = times


def _runs(looks: list[int]) -> Any:
    """Where something is repeated: first segment, how many are repeated, how often."""
    first = 0
    while first < len(looks):
        gain, found = 0, (0, 0)
        for period in range(1, min(WIDEST, (len(looks) - first) // LEAST) + 1):
            times, one = 1, looks[first : first + period]
            while looks[first + times * period : first + (times + 1) * period] == one:
                times += 1
            if gain >= len(looks) - first - period:
                break  # nothing longer can be better
            if times >= LEAST and period * (times - 1) > gain:
                gain, found = period * (times - 1), (period, times)
        if gain:
            yield first, *found
        first += max(1, found[0] * found[1])


def _segments(graph: Graph) -> list[_Segment]:
    inputs = {n: [edge.start for edge in edges] for n, edges in graph.inputs().items()}
    order = [v.number for v in graph.in_order()]
    aside = _aside(graph, inputs)
    ends = _ends([number for number in order if number not in aside], inputs, aside)
    taken: set[int] = set()
    return [_walk(graph, end, inputs, taken) for end in ends]


def _aside(graph: Graph, inputs: dict[int, list[int]]) -> set[int]:
    """What hangs on the side: leaves, and what one operator makes of a leaf for another."""
    users: dict[int, list[int]] = {}
    for edge in graph.edges:
        users.setdefault(edge.start, []).append(edge.end)
    aside = {n for n, v in graph.vertices.items() if not inputs[n] and n in users}
    for number, sources in inputs.items():
        if len(sources) == 1 and sources[0] in aside:
            mine = users.get(number, [])
            if len(mine) == 1 and len(inputs[mine[0]]) > 1:
                aside.add(number)
    return aside


def _ends(order: list[int], inputs: dict[int, list[int]], aside: set[int]) -> list[int]:
    """The vertices that every path goes through, in order."""
    waiting: dict[int, int] = dict.fromkeys(order, 0)  # users still to come
    for number in order:
        for source in inputs[number]:
            if source not in aside:
                waiting[source] += 1
    still: set[int] = set()
    ends = []
    for number in order:
        for source in inputs[number]:
            if source not in aside:
                waiting[source] -= 1
                if not waiting[source]:
                    still.discard(source)
        if not still:
            ends.append(number)
        if waiting[number]:
            still.add(number)
    return ends


def _walk(graph: Graph, end: int, inputs: dict[int, list[int]], taken: set[int]) -> _Segment:
    """What leads to `end` and belongs to no segment before."""
    places = {end: 0}
    numbers = [end]
    waiting = [end]
    taken.add(end)
    while waiting:
        for source in inputs[waiting.pop()]:
            if source not in taken:
                taken.add(source)
                places[source] = len(numbers)
                numbers.append(source)
                waiting.append(source)
    looks = []
    for number in numbers:
        v = graph.vertices[number]
        # From outside: what the segment before ends with, or something that all share.
        sources = tuple(
            places[s] if s in places else -1 if inputs[s] else -2 - s for s in inputs[number]
        )
        looks.append((v.kind, v.node, v.shape, v.dtype, v.second, sources))
    return _Segment(numbers, tuple(looks))
