"""Where the boxes and lines of a picture go.

Note [Layout]: fast-sugiyama gives ranks and the order within a rank, by Sugiyama's method; it
knows no widths and no groups. So every group is laid out by itself, the innermost first, and
counts as one box in the group around it; and places across are found here, with real widths: a
few sweeps draw each box to the mean of its neighbours, in the order that it has (`spread`).
Rows are found here too, and lines that leave one vertex share their way (`_rows`): what they share
is in one of them only, where the others begin (`Wire`), else a long loop would have lines of its
length squared.
Lines that cross the border of a group come from a point TOP, or go to BOTTOM, in its own layout;
those of different vertices stay apart there.
"""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any

from seegrad.viz.model import Edge, Graph, common
from seegrad.viz.needed import needed

__all__ = ["Layout", "Rect", "dissolve_cycles", "place"]

Group = tuple[str, ...]
Point = tuple[float, float]
Item = int | Group | str  # a vertex, a group inside, TOP or BOTTOM
Step = tuple[Item, Item, int]  # of a line within a group: from, to, and the vertex it comes from
TOP, BOTTOM = "top", "bottom"
GAP, ROW, PAD, TITLE = 18.0, 26.0, 12.0, 18.0
TIGHT = 6.0
SWEEPS = 8
DUMMY = 10.0  # the width left for a line that passes
MANY = 2_000  # links: beyond, swapping neighbours takes ten times as long and changes little
MOST = 20_000  # boxes: beyond, the library's own recursion ends the process


@dataclass(slots=True)
class Rect:
    """A box: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The middle from left to right."""
        return self.x + self.width / 2


@dataclass(slots=True)
class Wire:
    """The points of an edge, from the box above, or from a point of an earlier wire, downwards."""

    edge: Edge
    points: list[Point]
    joins: tuple[int, int] | None = None  # the number of that wire, and of the point there


@dataclass
class Layout:
    """Boxes of vertices, frames of groups, a wire for each edge, and the size of it all."""

    boxes: dict[int, Rect] = field(default_factory=dict)
    frames: dict[Group, Rect] = field(default_factory=dict)
    wires: list[Wire] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def whole(self, number: int) -> list[Point]:
        """The points of a wire from the box above on."""
        wire = self.wires[number]
        points = wire.points
        while wire.joins is not None:
            other, at = wire.joins
            wire = self.wires[other]
            points = wire.points[:at] + points
        return points


@dataclass
class _Level:
    """One group laid out by itself, from (0, 0)."""

    rects: dict[Item, Rect] = field(default_factory=dict)
    rows: dict[Item, tuple[float, float]] = field(default_factory=dict)  # upper and lower y
    ways: dict[int, list[Point]] = field(default_factory=dict)  # down from a vertex: two a row
    lengths: dict[Step, int] = field(default_factory=dict)  # how many points of it a line passes
    width: float = 0.0
    height: float = 0.0


def place(graph: Graph, sizes: dict[int, tuple[float, float]]) -> Layout:
    """Lays out a graph whose vertices have these widths and heights, after `dissolve_cycles`.

    Raises: ModuleNotFoundError without fast-sugiyama, ValueError for too many boxes.
    """
    if len(graph.vertices) > MOST:
        raise ValueError(
            f"{len(graph.vertices):,} boxes are too many for a picture ({MOST:,} at most), also "
            "with repeated structure folded: save .dot, .mmd or .json, or draw a part"
        )
    levels: dict[Group, _Level] = {}
    edges = _edges_by_group(graph)
    groups: list[Group] = [*reversed(graph.groups()), ()]
    items: dict[Group, dict[Item, tuple[float, float]]] = {group: {} for group in groups}
    for vertex in graph.vertices.values():
        items[vertex.group][vertex.number] = sizes[vertex.number]
    for group in groups:
        level = levels[group] = _lay_out(items[group], edges.get(group, {}), bool(group))
        if group:
            items[group[:-1]][group] = (level.width, level.height)
    return _assemble(graph, levels)


def item_in(group: Group, vertex_group: Group, number: int) -> Item:
    """What stands for a vertex inside of a group: itself, or the group inside that it is in."""
    return number if vertex_group == group else vertex_group[: len(group) + 1]


def _edges_by_group(graph: Graph) -> dict[Group, dict[Step, None]]:
    """The edges of each group's own layout, each once."""
    found: dict[Group, dict[Step, None]] = {}
    for edge in graph.edges:
        for group, start, end in _steps(graph, edge):
            found.setdefault(group, {})[start, end, edge.start] = None
    return found


def _steps(graph: Graph, edge: Edge) -> Iterator[tuple[Group, Item, Item]]:
    """The way of an edge through groups: out of those around its start, into those of its end."""
    first, last = graph.vertices[edge.start].group, graph.vertices[edge.end].group
    if first == last:
        yield first, edge.start, edge.end
        return
    shared = common([first, last])
    for depth in range(len(first), len(shared), -1):
        yield first[:depth], item_in(first[:depth], first, edge.start), BOTTOM
    yield shared, item_in(shared, first, edge.start), item_in(shared, last, edge.end)
    for depth in range(len(shared) + 1, len(last) + 1):
        yield last[:depth], TOP, item_in(last[:depth], last, edge.end)


def dissolve_cycles(graph: Graph) -> Graph:
    """The graph without boxes of modules that something leaves and comes back to (shared layers).

    It is the same graph where there are none.
    """
    while wrong := _left_and_entered(graph):
        graph = graph.copy()
        for vertex in graph.vertices.values():
            for depth in range(len(vertex.group), 0, -1):
                if vertex.group[:depth] in wrong:
                    vertex.group = vertex.group[: depth - 1] + vertex.group[depth:]
                    break
    return graph


def _left_and_entered(graph: Graph) -> set[Item]:
    """The groups that something leaves and comes back to."""
    if not any(vertex.group for vertex in graph.vertices.values()):
        return set()
    found = _edges_by_group(graph).values()
    return {
        item for steps in found for item in _in_cycles(_pairs(steps)) if isinstance(item, tuple)
    }


def _pairs(steps: Iterable[Step]) -> list[tuple[Item, Item]]:
    return list(dict.fromkeys([(start, end) for start, end, _ in steps]))


def _in_cycles(edges: list[tuple[Item, Item]]) -> set[Item]:
    """What is left when whatever has no way in, or no way out, is taken off."""
    for _ in range(2):
        needs: dict[Item, int] = {}
        users: dict[Item, list[Item]] = {}
        for start, end in edges:
            needs[end] = needs.get(end, 0) + 1
            needs.setdefault(start, 0)
            users.setdefault(start, []).append(end)
        ready = [item for item, count in needs.items() if not count]
        while ready:
            item = ready.pop()
            del needs[item]
            for user in users.get(item, ()):
                needs[user] -= 1
                if not needs[user]:
                    ready.append(user)
        edges = [(end, start) for start, end in edges if start in needs and end in needs]
    return set(needs)


def _lay_out(
    items: dict[Item, tuple[float, float]], edges: dict[Step, None], is_group: bool
) -> _Level:
    """Rows and places of a group's items."""
    pairs = _pairs(edges)
    sized = dict(items)
    for start, end in pairs:
        if start == TOP:
            sized[TOP] = (0.0, 0.0)
        if end == BOTTOM:
            sized[BOTTOM] = (0.0, 0.0)
    ranks = _ranks(list(sized), pairs)
    ways: dict[int, list[Any]] = {}
    links: dict[Link, None] = {}
    lengths: dict[Step, int] = {}
    for start, end, vertex in edges:
        way = ways.setdefault(vertex, [start])
        length = lengths[start, end, vertex] = ranks[end] - ranks[start] - 1
        for rank in range(ranks[start] + len(way), ranks[end]):
            links[way[-1], ("line", vertex, rank)] = None
            way.append(("line", vertex, rank))
        links[way[length], end] = None
    level, places = _measure(_rows(ranks, list(links)), list(links), sized, is_group)
    level.ways = {
        vertex: [p for one in way[1:] for p in places[one]] for vertex, way in ways.items()
    }
    level.lengths = {step: 2 * length for step, length in lengths.items()}
    return level


Rows = list[list[Any]]  # items, and what stands for lines that pass: ("line", vertex, rank)
Link = tuple[Any, Any]  # between two neighbouring rows


def _ranks(items: list[Item], pairs: list[tuple[Item, Item]]) -> dict[Item, int]:
    """The row of each item: as low as what comes after it allows, what ends in the last row.

    Nothing stands beside or beyond TOP and BOTTOM, where lines come in and go out.
    """
    sources: dict[Item, list[Item]] = {item: [] for item in items}
    needs = dict.fromkeys(items, 0)  # users that have no row yet
    for start, end in pairs:
        sources[end].append(start)
        needs[start] += 1
    heights = dict.fromkeys(items, 0)  # above the last row
    ready = [item for item, count in needs.items() if not count]
    while ready:
        item = ready.pop()
        for source in sources[item]:
            heights[source] = max(heights[source], heights[item] + 1)
            needs[source] -= 1
            if not needs[source]:
                ready.append(source)
    inner = [height for item, height in heights.items() if item not in (TOP, BOTTOM)]
    if TOP in heights:
        heights[TOP] = max(inner) + 1
    if BOTTOM in heights and 0 in inner:
        heights[BOTTOM] = -1
    highest = max(heights.values(), default=0)
    return {item: highest - height for item, height in heights.items()}


def _rows(ranks: dict[Item, int], links: list[Link]) -> Rows:
    """The rows from above, each in an order that has few crossings.

    All lines that leave a vertex share one way down, from which each turns off above its end: the
    library sees links from row to row only, and far fewer of them.
    """
    names = list(dict.fromkeys([*(name for link in links for name in link), *ranks]))
    numbers = {name: number for number, name in enumerate(names)}
    rows: list[list[tuple[float, Any]]] = [[] for _ in range(max(ranks.values(), default=-1) + 1)]
    met: set[Any] = set()
    across = 0.0
    given = [(numbers[start], numbers[end]) for start, end in links]
    for positions, width in _sugiyama(given) if given else []:
        for number, (x, _) in positions:
            if number >= len(names):
                continue  # the library's own, where it ranks otherwise
            name = names[number]
            met.add(name)
            rank = name[2] if isinstance(name, tuple) and name[:1] == ("line",) else ranks[name]
            rows[rank].append((across + x, name))
        across += width + 1
    for number, item in enumerate(ranks):
        if item not in met:
            rows[ranks[item]].append((across + number, item))
    return [[name for _, name in sorted(row, key=lambda pair: pair[0])] for row in rows]


def _sugiyama(edges: list[tuple[int, int]]) -> Any:
    """The library's answer; it descends recursively, so it gets a stack of its own."""
    library = needed("fast_sugiyama", "a picture")
    answer: list[Any] = []

    def ask() -> None:
        found = library.from_edges(
            edges, vertex_spacing=1, crossing_minimization="barycenter", ranking_type="down",
            transpose=len(edges) < MANY,
        )  # fmt: skip
        answer.extend((positions, width) for positions, width, *_ in found)

    if len(edges) < MANY:
        ask()
    else:
        before = threading.stack_size(512 << 20)
        try:
            thread = threading.Thread(target=ask)
            thread.start()
        finally:
            threading.stack_size(before)
        thread.join()
    return answer


def _measure(
    rows: Rows,
    links: list[Link],
    sized: dict[Item, tuple[float, float]],
    is_group: bool,
) -> tuple[_Level, dict[Any, tuple[Point, Point]]]:
    """Coordinates from rows; of all names the points where they begin and end."""
    neighbours: dict[Any, list[Any]] = {name: [] for row in rows for name in row}
    for above, below in links:
        neighbours[above].append(below)
        neighbours[below].append(above)
    widths = {name: sized.get(name, (DUMMY, 0.0))[0] for row in rows for name in row}
    middles = across(rows, neighbours, widths)
    level = _Level()
    margin = PAD if is_group else 0.0
    left = min((middles[n] - widths[n] / 2 for n in widths), default=0.0) - margin
    upper = TITLE + margin if is_group else 0.0
    bounds: dict[Any, tuple[float, float]] = {}
    heights = [max((sized.get(n, (0.0, 0.0))[1] for n in row), default=0.0) for row in rows]
    for row, height, following in zip(rows, heights, [*heights[1:], 0.0], strict=True):
        for name in row:
            bounds[name] = (upper, upper + height)
            if name in sized:
                width, own = sized[name]
                x, y = middles[name] - width / 2 - left, upper + (height - own) / 2
                level.rects[name] = Rect(x, y, width, own)
                level.rows[name] = bounds[name]
        upper += height
        if height and following:
            upper += ROW
        elif row is not rows[-1]:
            upper += TIGHT  # TOP or BOTTOM
    level.height = upper + margin
    level.width = max((middles[n] + widths[n] / 2 for n in widths), default=0.0) - left + margin
    places = {}
    for name, (upper, lower) in bounds.items():
        places[name] = ((middles[name] - left, upper), (middles[name] - left, lower))
    return level, places


def across(
    rows: Rows, neighbours: dict[Any, list[Any]], widths: dict[Any, float]
) -> dict[Any, float]:
    """The middle of each box from left to right: near its neighbours, none over another."""
    names = [name for row in rows for name in row]
    at = {name: place for place, name in enumerate(names)}
    ranks = [rank for rank, row in enumerate(rows) for _ in row]
    both = [[at[other] for other in neighbours[name]] for name in names]
    above = [[o for o in others if ranks[o] < ranks[n]] for n, others in enumerate(both)]
    below = [[o for o in others if ranks[o] > ranks[n]] for n, others in enumerate(both)]
    offsets = [_offsets([widths[name] for name in row]) for row in rows]
    # All that the sweeps read is in lists: by name they would take twice as long.
    middles: list[float] = []
    spans: list[tuple[int, int, list[float]]] = []  # of each row: first and last place
    for row, distances in zip(rows, offsets, strict=True):
        first = len(middles)
        left = widths[row[0]] / 2 if row else 0.0
        middles += [left + distance for distance in distances]
        spans.append((first, len(middles), distances))
    for turn in range(SWEEPS):
        near = both if turn >= SWEEPS - 2 else below if turn % 2 else above
        for first, last, distances in reversed(spans) if turn % 2 else spans:
            wanted = []
            for place in range(first, last):
                side = near[place]
                wanted.append(
                    sum([middles[other] for other in side]) / len(side) if side else middles[place]
                )
            middles[first:last] = _nearest(wanted, distances)
    return dict(zip(names, middles, strict=True))


def spread(wanted: list[float], widths: list[float]) -> list[float]:
    """The places nearest to those wanted, in this order, with room for the widths.

    >>> spread([0.0, 0.0], [10.0, 10.0])
    [-14.0, 14.0]
    """
    return _nearest(wanted, _offsets(widths))


def _offsets(widths: list[float]) -> list[float]:
    """How far each middle is from the first at least."""
    steps = [(left + right) / 2 + GAP for left, right in pairwise(widths)]
    return list(accumulate(steps, initial=0.0)) if widths else []


def _nearest(wanted: list[float], offsets: list[float]) -> list[float]:
    """Least squares under x[i + 1] - x[i] >= offsets[i + 1] - offsets[i].

    With the offsets taken off, x must not fall, which pools adjacent violators.
    """
    if len(wanted) < 2:
        return wanted
    pools: list[tuple[float, int]] = []  # sum and count
    for want, offset in zip(wanted, offsets, strict=True):
        total, count = want - offset, 1
        while pools and pools[-1][0] * count >= total * pools[-1][1]:
            above, many = pools.pop()
            total, count = total + above, count + many
        pools.append((total, count))
    flat = [total / count for total, count in pools for _ in range(count)]
    return [base + offset for base, offset in zip(flat, offsets, strict=True)]


def _assemble(graph: Graph, levels: dict[Group, _Level]) -> Layout:
    """One picture from the levels, from the outermost inwards."""
    found = Layout(width=levels[()].width, height=levels[()].height)
    origins: dict[Group, tuple[float, float]] = {(): (0.0, 0.0)}
    for group in [(), *graph.groups()]:
        x, y = origins[group]
        for item, rect in levels[group].rects.items():
            moved = Rect(rect.x + x, rect.y + y, rect.width, rect.height)
            if isinstance(item, tuple):
                origins[item] = (moved.x, moved.y)
                found.frames[item] = moved
            elif isinstance(item, int):
                found.boxes[item] = moved
    ways = {
        (group, vertex): [(x + left, y + top) for x, y in way]
        for group, level in levels.items()
        for left, top in [origins[group]]
        for vertex, way in level.ways.items()
    }
    known: dict[tuple[int, str], dict[Point, tuple[int, int]]] = {}  # of the wires of a vertex
    for number, edge in enumerate(graph.edges):
        points = _points(graph, edge, levels, origins, found, ways)
        places = known.setdefault((edge.start, edge.kind), {})
        first = len(points) - 2
        while first and points[first] not in places:
            first -= 1
        found.wires.append(Wire(edge, points[first:], places.get(points[first])))
        for at in range(1, len(points) - first):
            places.setdefault(points[first + at], (number, at))
    return found


def _points(
    graph: Graph,
    edge: Edge,
    levels: dict[Group, _Level],
    origins: dict[Group, tuple[float, float]],
    found: Layout,
    ways: dict[tuple[Group, int], list[Point]],
) -> list[Point]:
    """The points of a line, from the lower edge of one box to the upper edge of another."""
    start, end = found.boxes[edge.start], found.boxes[edge.end]
    points = [(start.middle, start.y + start.height)]
    entering: list[tuple[Group, int]] = []  # where the line enters a group, in `points`
    for group, one, other in _steps(graph, edge):
        top = origins[group][1]
        level = levels[group]
        if one == TOP:
            entering.append((group, len(points)))
        elif level.rows[one][1] + top > points[-1][1] + 1:
            points.append((points[-1][0], level.rows[one][1] + top))  # past its neighbours
        points += ways[group, edge.start][: level.lengths[one, other, edge.start]]
        if other == BOTTOM:
            frame = found.frames[group]
            points.append((points[-1][0], frame.y + frame.height))
        elif isinstance(other, int) and level.rows[other][0] + top < end.y - 1:
            points.append((end.middle, level.rows[other][0] + top))
    points.append((end.middle, end.y))
    for group, at in reversed(entering):
        outer = levels[group[:-1]].rows[group][0] + origins[group[:-1]][1]
        x = points[at][0]
        points[at:at] = [(x, y) for y in sorted({outer, found.frames[group].y})]
    return points
