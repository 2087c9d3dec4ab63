"""Who keeps a tensor or its graph alive: variables, containers, other graphs, cycles."""

import gc
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import CellType, FrameType, FunctionType, ModuleType
from typing import Any

from seegrad.explain.held.growth import names_of, ops_above
from seegrad.explain.held.keepers import Keeper, graph_of, keepers
from seegrad.explain.places import Place, is_foreign
from seegrad.explain.saved import held_by
from seegrad.explain.source.frames import named
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.tensor import TensorBase
from seegrad.nn.modules.module import Module

__all__ = ["Chain", "chains_to", "cycles_through"]

MOST = 8
NODES = 20_000
SECONDS = 1.0


@dataclass(frozen=True)
class Chain:
    """One way in which something is kept alive, from the one who keeps to what is kept.

    `is_cycle`: where it ends where it began, so that only the garbage collector frees it.
    """

    links: tuple[str, ...]
    is_cycle: bool = False

    def __str__(self) -> str:
        text = " -> ".join(self.links)
        return f"{text} (a cycle: only the garbage collector frees it)" if self.is_cycle else text

    def to_dict(self) -> dict[str, Any]:
        """The chain as plain values, for JSON."""
        return {"links": list(self.links), "is_cycle": self.is_cycle}


def chains_to(
    targets: Iterable[Any], roots: Iterable[Node], frame: FrameType | None
) -> list[Chain]:
    """The chains from the program's names to tensors, or to the nodes of their graphs."""
    wanted = {id(one): one for one in targets if isinstance(one, TensorBase)}
    nodes = set(roots)
    for one in wanted.values():
        leaf = None if one._accumulator is None else one._accumulator()
        if leaf is not None:
            nodes.add(leaf)
    names = names_of(frame) | users_modules()
    found = list(of_modules(names, wanted))
    parts: list[Chain] = []
    inside = ops_below(nodes)
    until = time.perf_counter() + SECONDS
    for keeper in keepers(names, seconds=SECONDS):
        if len(found) == MOST or time.perf_counter() > until:
            break
        chain = direct(keeper, wanted) or through_graph(keeper, wanted, nodes)
        if chain is not None:
            found.append(chain)
        else:
            parts += part_of(keeper, inside)
    return [*found, *parts][:MOST] or backwards([*wanted.values()], until)


def of_modules(names: Mapping[str, Any], wanted: Mapping[int, Any]) -> Iterator[Chain]:
    """Parameters and buffers of modules that are among the tensors, and gradients that are."""
    for name, value in names.items():
        owned = (
            [*value.named_parameters(), *value.named_buffers()]
            if isinstance(value, Module)
            else ()
        )
        for path, one in owned:
            if id(one) in wanted:
                yield Chain((f"{name}.{path}",))
            elif id(one._grad) in wanted:
                yield Chain((f"{name}.{path}.grad",))
        if isinstance(value, TensorBase) and id(value._grad) in wanted:
            yield Chain((f"{name}.grad",))


def ops_below(roots: Iterable[Node]) -> set[Node]:
    """What these nodes, none of them a leaf's, were made from, themselves and leaves left out."""
    roots = {node for node in roots if not isinstance(node, AccumulateGrad)}
    above = {one for node in roots for one in ops_above(node, NODES)}
    return {one for one in above - roots if not isinstance(one, AccumulateGrad)}


def part_of(keeper: Keeper, inside: set[Node]) -> list[Chain]:
    """Where a tensor is kept that a graph was computed from, with its own part of the graph."""
    found = [n for n, one in enumerate(keeper.tensors[:100]) if graph_of(one) in inside]
    if not found:
        return []
    index = position(keeper.container, keeper.tensors[found[0]], found[0])
    return [Chain((f"{keeper.path}{index}{others(len(found))}", "a part of its graph"))]


def others(count: int) -> str:
    """How many more there are, in words."""
    return f" and {count - 1} more there" if count > 1 else ""


def users_modules() -> dict[str, Any]:
    """The global variables of the user's other modules, with the modules' names before them."""
    found: dict[str, Any] = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        is_main = name in ("__main__", "__mp_main__")  # whose names the frame knows
        if file is not None and not is_main and not is_foreign(file):
            found |= {f"{name}.{key}": value for key, value in list(vars(module).items())}
    return {name: value for name, value in found.items() if not isinstance(value, ModuleType)}


def direct(keeper: Keeper, wanted: Mapping[int, Any]) -> Chain | None:
    """Where one of the tensors itself is kept."""
    found = [place for place, tensor in enumerate(keeper.tensors) if id(tensor) in wanted]
    if not found:
        return None
    index = position(keeper.container, keeper.tensors[found[0]], found[0])
    return Chain((f"{keeper.path}{index}{others(len(found))}",))


def position(container: Any, tensor: Any, place: int) -> str:
    """The index of a tensor in a container, as it is written."""
    if container is None:
        return ""
    if isinstance(container, dict):
        return next((f"[{key!r}]" for key, one in container.items() if one is tensor), "[...]")
    if isinstance(container, (set, frozenset)):
        return " (a set)"
    return f"[{place}]"


def through_graph(keeper: Keeper, wanted: Mapping[int, Any], nodes: set[Node]) -> Chain | None:
    """Where the graph of another tensor runs through the nodes, or has saved the tensors."""
    for place, tensor in enumerate(keeper.tensors[:100]):
        node = graph_of(tensor)
        if node is None:
            continue
        name = f"{keeper.path}{position(keeper.container, tensor, place)}"
        path = path_to(node, wanted, nodes)
        if path is not None:
            return Chain((f"{name}, by its graph", *path))
    return None


def path_to(start: Node, wanted: Mapping[int, Any], nodes: set[Node]) -> list[str] | None:
    """The way from a node to one of the nodes, or to one that saved one of the tensors."""
    before: dict[Node, Node | None] = {start: None}
    waiting = [start]
    for node in waiting:  # grows while it is walked
        if len(before) > NODES:
            break
        held = None
        if wanted:
            held = next((h for h in held_by(node) if id(h.value) in wanted), None)
        if node in nodes or held is not None:
            links = [] if held is None else [f"saved as {held.name}"]
            step: Node | None = node
            while step is not None:
                links.append(node_text(step))
                step = before[step]
            return shortened(links[::-1])
        for following in node._next:
            if following is not None and following not in before:
                before[following] = node
                waiting.append(following)
    return None


def shortened(links: list[str]) -> list[str]:
    """A long way with its middle left out."""
    if len(links) <= 6:
        return links
    return [*links[:2], f"{len(links) - 4} more", *links[-2:]]


def node_text(node: Node) -> str:
    """A node with its line."""
    place: Place | None = None if node._made is None else node._made.place
    name = node.name().rpartition("::")[2]
    return name if place is None else f"{name} of {place}"


def cycles_through(nodes: list[Node], frame: FrameType | None) -> Iterator[Chain]:
    """The cycles that nodes are part of: an output on its own ctx, a gradient with a graph."""
    for node in nodes:
        if isinstance(node, AccumulateGrad):
            yield from cycle_of_leaf(node, frame)
        elif not node._builtin:
            for held in held_by(node):
                value = held.value
                if held.on_ctx and isinstance(value, TensorBase):
                    inner = graph_of(value)
                    if inner is not None and node in ops_above(inner, NODES):
                        yield Chain((node_text(node), held.name, node_text(node)), True)


def cycle_of_leaf(node: AccumulateGrad, frame: FrameType | None) -> Iterator[Chain]:
    """Whether the gradient of a leaf has a graph that holds the leaf."""
    leaf = node.variable
    graph = None if leaf._grad is None else graph_of(leaf._grad)
    if graph is not None and node in ops_above(graph, NODES):
        name = named(leaf, [names_of(frame)]) or f"the leaf of shape {list(leaf._array.shape)}"
        yield Chain((name, ".grad", node_text(graph), name), True)


def backwards(targets: list[Any], until: float) -> list[Chain]:
    """The chain to what no variable in sight keeps, as the garbage collector knows it."""
    found: dict[int, tuple[Any, int | None]] = {id(one): (one, None) for one in targets}
    front = list(targets)
    mine = {id(found), id(front), id(targets)}
    while front and time.perf_counter() < until:
        new: list[Any] = []
        for holder in gc.get_referrers(*front):
            if id(holder) in found or id(holder) in mine or isinstance(holder, FrameType):
                continue
            held = next((o for o in gc.get_referents(holder) if id(o) in found), None)
            if held is None:
                continue
            found[id(holder)] = holder, id(held)
            if is_root(holder):
                return [Chain(tuple(links_from(holder, found)))]
            new.append(holder)
        front = new
        mine |= {id(new), id(front)}
    return []


def is_root(holder: Any) -> bool:
    """Whether something needs nobody to keep it."""
    if isinstance(holder, dict):
        return "__name__" in holder and "__builtins__" in holder
    return isinstance(holder, (ModuleType, type))


def links_from(holder: Any, found: Mapping[int, tuple[Any, int | None]]) -> Iterator[str]:
    """The names of the links from a root to what it keeps."""
    while True:
        following = found[id(holder)][1]
        if following is None:
            return
        held = found[following][0]
        yield link_text(holder, held)
        holder = held


def link_text(holder: Any, held: Any) -> str:
    """How one object holds another."""
    if isinstance(holder, dict):
        key = next((key for key, value in holder.items() if value is held), "?")
        if "__name__" in holder and "__builtins__" in holder:
            return f"{holder['__name__']}.{key}"
        return f"[{key!r}]"
    if isinstance(holder, FunctionType):
        return f"the function {holder.__qualname__}"
    if isinstance(holder, CellType):
        return "a variable of a closure"
    if isinstance(holder, Node):
        return node_text(holder)
    if isinstance(holder, (list, tuple)):
        place = next((n for n, one in enumerate(holder) if one is held), "?")
        return f"{type(holder).__name__}[{place}]"
    return f"a {type(holder).__name__}"
