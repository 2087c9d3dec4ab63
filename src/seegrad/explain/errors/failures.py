"""Errors of the graph and the lines that explain them: who wrote, who freed, what was not used.

The errors themselves say in their `facts` (seegrad.errors.noted) what the graph knows; a record
knows the lines.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from seegrad.explain.places import Place
from seegrad.explain.record import Made, PassRecord, Record, made_of
from seegrad.explain.report import Finding
from seegrad.explain.source.frames import Frame
from seegrad.explain.source.sources import assignments, called_name, carried, value_of
from seegrad.explain.source.text import at, last_assignment, statement
from seegrad.graph.counters import CUT
from seegrad.graph.node import Node
from seegrad.graph.tensor import TensorBase
from seegrad.nn.parameter import Parameter

__all__ = ["Scene", "cause_of", "quoted"]

DEEPEST = 2  # attributes of attributes
MANY = 300  # objects that are looked into


class Scene(NamedTuple):
    """Where an error was raised: the line, the frames around it, how the program names tensors."""

    record: Record
    place: Place | None
    frames: Sequence[Frame] = ()
    names: Mapping[str, Any] = {}
    name_of: Callable[[Any], str | None] = lambda _: None

    def called(self, tensor: Any) -> str:
        """The tensor's name in the program, or its shape."""
        name = self.name_of(tensor)
        return name or f"a tensor of the shape {list(tensor._array.shape)}"


def cause_of(error: BaseException, scene: Scene) -> Finding | None:
    """What explains an error of the graph, None for other errors."""
    facts = getattr(error, "facts", None)
    if not isinstance(facts, dict) or facts.get("kind") not in CAUSES:
        return None
    return CAUSES[facts["kind"]](facts, scene)


def quoted(place: Place | None, what: str) -> tuple[str, ...]:
    """One sentence of evidence that names a line, none where no line is known."""
    if place is None:
        return ()
    return (f"{what} at {place}: `{place.text}`" if place.text else f"{what} at {place}",)


def place_of(node: Any) -> Place | None:
    """The line of the forward pass that made a node."""
    made: Made | None = getattr(node, "_made", None)
    return None if made is None else made.place


# Written after it was saved


def wrote_saved_value(facts: dict[str, Any], scene: Scene) -> Finding:
    """The line that wrote, and the line that had saved."""
    node, shape = facts["node"], list(facts["shape"])
    version = facts["version"] % CUT
    writes = scene.record.writes_by(facts["counter"])
    write = next((w for w in writes if w.version is not None and w.version % CUT > version), None)
    reader = node.name() if node is not None else "an index"
    saved = quoted(place_of(node), f"{reader} saved it")
    found = quoted(scene.place, "the backward that needed it ran")
    if write is None:
        says = (
            f"a tensor of the shape {shape} that {reader} had saved was written to in place "
            "before this backward; make a new tensor instead"
        )
        return Finding("wrote-saved-value", says, scene.place, saved, weight=3)
    if write.name == "Optimizer.step":
        says = (
            f"this step changes weights (shape {shape}) that a loss computed before it still "
            "needs: run that loss's backward first, or compute it after the step"
        )
    else:
        says = (
            f"this line writes in place into a tensor of the shape {shape} that {reader} had "
            "saved for its gradient: make a new tensor here instead"
        )
    return Finding("wrote-saved-value", says, write.place, (*saved, *found), weight=3)


# A second time


def freed_graph(facts: dict[str, Any], scene: Scene) -> Finding:
    """The backward that freed the graph, or the line where what is shared was computed."""
    node = facts["node"]
    freer: PassRecord | None = node._freed_by
    shared = place_of(node)
    part = quoted(shared, f"both need what {node.name()} had saved, made")
    again = quoted(scene.place, "the backward that came too late ran")
    if freer is not None and freer.place != scene.place:
        says = (
            "this backward freed a part of the graph that a later one needs too: add the losses "
            "up and call backward once, or detach the part; retain_graph=True keeps it"
        )
        return Finding("freed-graph", says, freer.place, (*part, *again), weight=3)
    if freer is not None and is_older(scene, freer):
        says = (
            "the losses share a part of the graph, which the first of these backwards frees: add "
            "them up and call backward once"
        )
        return Finding("freed-graph", says, scene.place, (*part, *again), weight=3)
    old = older_part(node, scene)
    if old is not None:
        name, place = old
        says = (
            f"{name} is computed once, here, but the first backward frees its graph: compute it "
            "anew for each backward, detach it, or add the losses up"
        )
        return Finding("freed-graph", says, place, (*part, *again), weight=3)
    carrier, line = carried_part(node, scene)
    made = node._made
    if carrier is None and freer is not None and made is not None and made.number < freer.moment:
        says = (
            "this is computed once, but the first backward frees its graph: compute it anew for "
            "each backward, detach it, or add the losses up"
        )
        return Finding("freed-graph", says, shared or scene.place, again, weight=3)
    says = (
        f"{carrier} carries the graph of the round before along, which its backward has freed: "
        "detach it between the rounds"
        if carrier
        else "this backward reaches a part of the graph that it has freed itself the time before: "
        "compute that part anew, or detach it"
    )
    return Finding("freed-graph", says, line or scene.place, (*part, *again), weight=3)


def is_older(scene: Scene, freer: PassRecord) -> bool:
    """Whether the loss had been computed before the pass that freed what it needs."""
    passes = reversed(scene.record.passes)
    late = next((one for one in passes if one.place == scene.place), freer)
    return late is not freer and all(root.number < freer.moment for root in late.roots)


def tensors_in(value: Any) -> list[Any]:
    """The tensors that a variable holds."""
    found = value if isinstance(value, (list, tuple)) else [value]
    return [one for one in found if isinstance(one, TensorBase)]


def reaches(value: Any, node: Node, limit: int = 2000) -> bool:
    """Whether the history of a variable's tensors leads to a node."""
    waiting = [one._node for one in tensors_in(value) if one._node is not None]
    seen: set[int] = set()
    while waiting and len(seen) < limit:
        one = waiting.pop()
        if one is node:
            return True
        if id(one) in seen or one._sequence < node._sequence:
            continue
        seen.add(id(one))
        waiting += [n for n in one._next if n is not None]
    return False


def scopes_of(scene: Scene) -> Iterator[tuple[Place | None, Mapping[str, Any]]]:
    """The variables of the frames, the innermost first, then those of the module."""
    for frame in reversed(scene.frames):
        yield frame.place, frame.names
    yield None, scene.names


def tensors_named(scope: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The tensors that variables hold, then those that are attributes of what they hold."""
    waiting = [(name, value) for name, value in scope.items() if not name.startswith("__")]
    seen: set[int] = set()
    for path, value in waiting:  # grows while it is walked
        if isinstance(value, TensorBase):
            yield path, value
        elif path.count(".") < DEEPEST and id(value) not in seen and len(seen) < MANY:
            seen.add(id(value))
            if not isinstance(value, (type, ModuleType)) and not is_engines(value):
                inner = getattr(value, "__dict__", {})
                waiting += [(f"{path}.{name}", one) for name, one in list(inner.items())]


def is_engines(value: Any) -> bool:
    """Whether the library, or NumPy, made the class of an object."""
    return type(value).__module__.partition(".")[0] in ("seegrad", "torch", "numpy")


def older_part(node: Node, scene: Scene) -> tuple[str, Place] | None:
    """A variable that still holds a part of what was freed, and the line that computed it."""
    for place, scope in scopes_of(scene):
        for name, value in tensors_named(scope):
            if value._node is None:
                continue
            if value._node._freed_by is not node._freed_by or not reaches(value, node):
                continue
            made = place_of(value._node)
            if place is not None and (made is None or made.code is not place.code):
                lines = assignments(place, name)
                made = Place(place.code, lines[0]) if len(lines) == 1 else made
            if made is not None:
                return name, made
    return None


def carried_part(node: Node, scene: Scene) -> tuple[str | None, Place | None]:
    """What a loop, or an object, carries from round to round, and the line that assigns it."""
    for place, scope in scopes_of(scene):
        if place is None:
            continue
        for name, line in carried(place).items():
            if reaches(value_of(name, scope), node):
                return name, Place(place.code, line)
    made = place_of(node)
    for _, scope in scopes_of(scene):
        for name, value in tensors_named(scope):
            if "." in name and made is not None and reaches(value, node):
                lines = assignments(made, f"self.{name.rpartition('.')[2]}")
                return name, Place(made.code, lines[-1]) if lines else None
    return None, None


# Not used


def ancestors(roots: Iterable[Made]) -> set[Made]:
    """What these were made from, themselves too."""
    found, waiting = set(roots), list(roots)
    while waiting:
        for parent in waiting.pop().parents:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found


def unused_input(facts: dict[str, Any], scene: Scene) -> Finding:
    """Which input it is, and where its path to the output ends."""
    target, place, kind = facts["input"], scene.place, "unused-input"
    roots = [node._made for node in facts["roots"] if node._made is not None]
    out = quoted(roots[0].place, "the output was made") if roots else ()
    called = scene.called(target) if isinstance(target, TensorBase) else f"input {facts['index']}"
    if not isinstance(target, TensorBase) or not roots:
        return Finding(kind, f"the output does not depend on {called}", place, out, weight=3)
    made, known = made_of(target), ancestors(roots)
    asked = quoted(place, "the gradient was asked for")
    if made in known:
        return path_ends(target, known, called, scene, (*out, *asked))
    if made.name == "requires_grad_" and made.parents[0] in known:
        says = f"{called} requires a gradient only since here, after the output was computed"
        return Finding(kind, says, made.place, (*out, *asked), weight=3)
    if made.name == "requires_grad_":
        made = made.parents[0]
    if made.place is not None and not isinstance(target, Parameter):
        aside = next((parent for parent in made.parents if parent in known), None)
        if made.number > max(root.number for root in roots):
            says = f"{called} is made here, after the output, which therefore depends on another"
            return Finding(kind, says, made.place, (*out, *asked), weight=3)
        if aside is not None:
            says = (
                f"{called} is made here, aside: the output was computed from what it was made "
                "from, not from itself; compute the output from it"
            )
            return Finding(kind, says, made.place, (*out, *asked), weight=3)
    where = quoted(made.place, f"{called} was made")
    anew = made.place is not None and (place is None or made.place.code is not place.code)
    if (
        anew
        and not isinstance(target, Parameter)
        and any(one is not made and one.spot == made.spot for one in known)
    ):
        says = (
            f"the output was computed from another tensor that {made.place} made, not from "
            f"{called}: use one and the same"
        )
        return Finding(kind, says, output_line(place) or place, (*where, *out, *asked), weight=3)
    says = f"{called} is nowhere used on the way to the output: leave it out, or allow_unused=True"
    return Finding(kind, says, place, (*where, *out), weight=3)


def output_line(place: Place | None) -> Place | None:
    """The line that computed what the call of `autograd.grad` on a line starts from."""
    here = statement(place) if place is not None else None
    if place is None or here is None:
        return None
    for node in ast.walk(here):
        if isinstance(node, ast.Call) and node.args and called_name(node) == "grad":
            names = [one.id for one in ast.walk(node.args[0]) if isinstance(one, ast.Name)]
            made = [last_assignment(name, place) for name in names]
            return next((at(place, one.lineno) for one in made if one is not None), None)
    return None


def path_ends(
    target: TensorBase, known: set[Made], called: str, scene: Scene, evidence: tuple[str, ...]
) -> Finding:
    """The output was computed from the input, but no gradient gets through."""
    below = {made_of(target)}  # what leads from the input to the output
    for one in sorted(known, key=lambda one: one.number):
        if any(parent in below for parent in one.parents):
            below.add(one)
    cut = next((o for o in sorted(below, key=lambda o: o.number) if o.is_cut), None)
    writes = scene.record.writes_to(target) if target._view is not None else []
    if cut is None and writes and writes[-1].place is not None:
        says = (
            f"{called} is a view of what is written to here, which gave it a new history: the "
            "output was computed from the old one; compute it after the write, or do not write "
            "in place"
        )
        return Finding("view-regenerated", says, writes[-1].place, evidence, weight=3)
    if cut is None:
        says = f"no gradient gets from the output to {called}"
        return Finding("unused-input", says, scene.place, evidence, weight=3)
    undone, place = cut.undone or (None, None)
    says = f"the path from {called} to the output is cut here, by {undone or cut.name}"
    where = quoted(cut.place, "computed without history") if undone else ()
    found = place or cut.place or scene.place
    return Finding("unused-input", says, found, (*where, *evidence), weight=3)


# The others


def leaf_in_place(facts: dict[str, Any], scene: Scene) -> Finding:
    """The line that raised is the line that wrote."""
    says = (
        f"{scene.called(facts['leaf'])} is a leaf that requires a gradient, and is written to in "
        "place here: do it under torch.no_grad()"
    )
    where = quoted(made_of(facts["leaf"]).place, "it was made")
    return Finding("leaf-in-place", says, scene.place, where, weight=3)


def non_scalar_backward(facts: dict[str, Any], scene: Scene) -> Finding:
    """Backward of more than one value."""
    output = facts["output"]
    shape = list(output._array.shape) if isinstance(output, TensorBase) else "several elements"
    name = scene.name_of(output) or "the output"
    says = f"backward starts from one number, but {name} has the shape {shape}: take its mean()"
    made = made_of(output).place if isinstance(output, TensorBase) else None
    if made is not None and scene.place is not None and made.code is not scene.place.code:
        ran = quoted(scene.place, "backward was called")
        return Finding("non-scalar-backward", says, made, ran, weight=3)
    return Finding("non-scalar-backward", says, scene.place, quoted(made, "it was made"), weight=3)


CAUSES: dict[Any, Callable[[dict[str, Any], Scene], Finding]] = {
    "wrote-saved-value": wrote_saved_value,
    "freed-graph": freed_graph,
    "unused-input": unused_input,
    "leaf-in-place": leaf_in_place,
    "non-scalar-backward": non_scalar_backward,
}
