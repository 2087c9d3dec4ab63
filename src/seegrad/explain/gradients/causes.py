"""Why one tensor has no gradient: the rules, each a small function, tried in order."""

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from seegrad.explain.gradients.chains import (
    REMADE,
    UNRELATED,
    Cut,
    ancestors,
    birth,
    first_cut,
    kind_of,
    line_of,
    reaches,
    selves,
)
from seegrad.explain.gradients.recreated import round_trip
from seegrad.explain.gradients.sightings import Sightings
from seegrad.explain.places import Place
from seegrad.explain.record import Made, PassRecord, Record, is_write
from seegrad.explain.source.statements import (
    attributes_named_only,
    loads,
    misspelt,
    statement_at,
    stores,
)
from seegrad.explain.source.text import calls_of, targets
from seegrad.graph.tensor import requires

__all__ = ["Cause", "Subject", "cause_of", "cause_of_loss", "caused", "up_to_cuts"]


class Subject(NamedTuple):
    """The tensor in question, as it was when the program looked at it."""

    made: Made | None
    tensor: Any  # None where it is gone
    key: int
    name: str | None
    is_leaf: bool
    requires: bool
    passes: int  # how many passes had begun
    reset: Place | None = None


class Cause(NamedTuple):
    """What is to blame, and the line."""

    kind: str
    place: Place | None
    evidence: tuple[str, ...] = ()
    call: str = ""
    certain: bool = True
    about: tuple[Any, ...] | None = None  # the tensors to speak of, where not those in question
    saying: str = ""  # which sentence, where not that of the kind
    names: tuple[str, ...] = ()  # what to call them, where the program has names for them


class Case(NamedTuple):
    """What the rules look at."""

    subject: Subject
    record: Record
    seen: Sightings
    passes: list[PassRecord]

    @property
    def targets(self) -> set[Made]:
        """What the tensor was, before each write to it."""
        return selves(self.subject.made)


Rule = Callable[[Case], Cause | None]


def cause_of(subject: Subject, record: Record, seen: Sightings) -> Cause | None:
    """Why a tensor has no gradient; None where no rule knows."""
    passes = [one for one in record.passes if one.number <= subject.passes]
    case = Case(subject, record, seen, passes)
    if not subject.requires:
        rules: tuple[Rule, ...] = (was_cut, never_asked)
    elif not subject.is_leaf:
        rules = (replaced, rewritten, not_retained, regenerated, *ON_THE_WAY)
    else:
        rules = (
            no_pass,
            was_reset,
            forced,
            forced_numbers,
            *ON_THE_WAY,
            old_parameter,
            never_used,
        )
    return first(rules, case)


def first(rules: Iterable[Rule], case: Case) -> Cause | None:
    """The answer of the first rule that has one."""
    for rule in rules:
        found = rule(case)
        if found is not None:
            return found
    return None


# A tensor that requires no gradient


def was_cut(case: Case) -> Cause | None:
    """It came out of a cut: `y = x.detach()`, and `y.grad` is asked for."""
    made = case.subject.made
    if made is None or not made.live:
        return None
    return caused(cut_of_loss(made))


def never_asked(case: Case) -> Cause | None:
    """It is a leaf of which nobody wanted a gradient, or no longer."""
    made, tensor = case.subject.made, case.subject.tensor
    flag = case.seen.flag_of(tensor) if tensor is not None else None
    if flag is not None and not flag[1]:
        return Cause("frozen", flag[0])
    if made is None or made.live:
        return None
    place = made_at(made)
    if tensor is not None and case.seen.is_buffer(tensor):
        return Cause("buffer-not-parameter", made_at(made))
    if case.passes and not any(made in ancestors(one.roots) for one in case.passes):
        return None
    return Cause("requires-grad-never-set", misspelt_flag(place) or place)


def misspelt_flag(place: Place | None) -> Place | None:
    """`x.require_grad = True` sets an attribute that nobody reads."""
    line = misspelt(place.file) if place is not None else None
    return Place(place.code, line) if place is not None and line is not None else None


def made_at(made: Made) -> Place | None:
    """Where the tensor itself was made, before it was written to."""
    oldest = birth(made)
    while oldest.place is None and oldest.parents:
        oldest = oldest.parents[0]
    return oldest.place or made.place


# One that is not a leaf


def replaced(case: Case) -> Cause | None:
    """`w = w - lr * w.grad`: the old leaf got the gradients, the name has another tensor now."""
    made = case.subject.made
    if made is None or made.place is None or not rebinds(made.place):
        return None
    for parent in (*made.parents, *(one for p in made.parents for one in p.parents)):
        if parent.shape == made.shape and was_trained(case, parent, made.number):
            return Cause("replaced-parameter", made.place, call=made.name)
    return None


def rebound(case: Case) -> Cause | None:
    """As `replaced`, of what a loss was made from: the first one of the program."""
    assert case.subject.made is not None
    for made in sorted(up_to_cuts(case.subject.made), key=lambda one: one.number):
        if made.recorded or is_write(made.name):
            continue
        found = replaced(case._replace(subject=case.subject._replace(made=made)))
        if found is not None and found.place is not None:
            statement = statement_at(found.place.file, found.place.line)
            names = targets(statement) if statement is not None else []
            return found._replace(names=tuple(names), about=())
    return None


def rebinds(place: Place) -> bool:
    """Whether the line gives a new value to a name that it reads, or returns a step."""
    statement = statement_at(place.file, place.line)
    if isinstance(statement, ast.Return):
        return "grad" in loads(statement)
    return statement is not None and bool(stores(statement) & loads(statement))


def was_trained(case: Case, made: Made, before: int) -> bool:
    """Whether this is a leaf that a pass reached, or an optimizer held, before a time."""
    for leaf in case.seen.leaves.values():
        tensor = leaf.ref()
        if tensor is not None and tensor._made is not None and made in selves(tensor._made):
            if 0 < leaf.first_at < before:
                return True
            return any(
                one.number < before and any(p is tensor for p in one.params)
                for one in case.seen.optimizers
            )
    return (
        made.recorded
        and not made.parents
        and any(made in ancestors(one.roots) and one.at < before for one in case.passes)
    )


def rewritten(case: Case) -> Cause | None:
    """A view made before its base was written to, which required nothing then."""
    made, tensor = case.subject.made, case.subject.tensor
    if made is None or tensor is None or made.recorded or tensor._view is None:
        return None
    if case.subject.key in case.seen.flags:
        return None
    writes = [one for one in case.record.writes_to(tensor) if one.place is not None]
    return Cause("view-regenerated", writes[-1].place) if writes else None


def not_retained(case: Case) -> Cause | None:
    """The result of a computation keeps no gradient unless asked to."""
    made, noted = case.subject.made, case.seen.retained.get(case.subject.key)
    if made is None or (noted is not None and noted[0] < case.subject.passes):
        return None
    evidence = ("retain_grad() was called after backward had run",) if noted is not None else ()
    return Cause("not-a-leaf", made.place, evidence, call=called(made))


def regenerated(case: Case) -> Cause | None:
    """A view that was written to after `retain_grad()`: its history is another one now."""
    made, tensor = case.subject.made, case.subject.tensor
    if made is None or not is_write(made.name) or made.name == "requires_grad_":
        return None
    if tensor is not None and tensor._view is None:
        return None
    return Cause("view-regenerated", made.place)


# A leaf


def no_pass(case: Case) -> Cause | None:
    """No pass ran at all, or only passes that hand gradients back."""
    if any(not one.captured for one in case.passes):
        return None
    line = named_backward(case)
    if line is not None:
        return Cause("backward-not-called", line)
    if case.passes:
        evidence = ("autograd.grad returns gradients, and leaves .grad as it is",)
        return Cause("backward-never-ran", case.passes[-1].place, evidence)
    place = unreached_backward(case)
    if place is not None:
        return Cause("backward-never-ran", place, saying="backward-not-reached")
    place = loss_line(case) or next((one.step_place for one in case.seen.optimizers), None)
    return Cause("backward-never-ran", place)


def named_backward(case: Case) -> Place | None:
    """`loss.backward` without parentheses, in one of the program's files."""
    for place in known_places(case):
        lines = attributes_named_only(place.file, "backward")
        if lines:
            return Place(place.code, lines[0])
    return None


def unreached_backward(case: Case) -> Place | None:
    """The call of backward that the program has and never got to."""
    for place in known_places(case):
        lines = [call.lineno for call in calls_of("backward", place.file)]
        if lines:
            return Place(place.code, min(lines))
    return None


def known_places(case: Case) -> Iterator[Place]:
    """Lines that are known of the program, one at least of each file."""
    for one in case.seen.optimizers:
        yield from [place for place in (one.place, one.step_place) if place is not None]
    yield from [look.place for look in case.seen.looks.values()]
    yield from [exit.place for exit in case.record.exits if exit.place is not None]


def loss_line(case: Case) -> Place | None:
    """The line of what is most likely the loss: a number taken out of what has a history."""
    targets = case.targets
    for exit in reversed(case.record.exits):
        made = exit.made
        if made.recorded and made.parents and not made.shape and targets & ancestors([made]):
            return made.place
    return None


def was_reset(case: Case) -> Cause | None:
    """The gradient was there and was put away."""
    leaf = case.seen.leaves.get(case.subject.key)
    if leaf is None or not leaf.reached or not any(one.at <= leaf.last_at for one in case.passes):
        return None
    if not any(case.subject.key in one.leaves for one in case.passes):
        return None
    if case.subject.reset is None:
        return None
    return Cause("reset-by-zero-grad", case.subject.reset)


def forced(case: Case) -> Cause | None:
    """The loss is a leaf itself, and was asked for a gradient by hand."""
    for one in reversed(case.passes):
        if one.number in case.seen.forced:
            for root in one.roots:
                made = root.parents[0] if root.name == "requires_grad_" else root
                if made.live and not made.recorded:
                    evidence = cut_evidence(cut_of_loss(made))
                    return Cause("forced-requires-grad", case.seen.forced[one.number], evidence)
    return None


def forced_numbers(case: Case) -> Cause | None:
    """As `forced`, where the loss is a new tensor made of the numbers with requires_grad=True."""
    for one in reversed(case.passes[-8:]):
        asked = [root for root in one.roots if root.name == "requires_grad_"]
        roots = [root for root in one.roots if root.name in REMADE and root.recorded]
        roots += [root for root in asked if root.parents[0].name in REMADE]
        exits = [exit for exit in case.record.exits if exit.number < one.at]
        found = round_trip(reversed(exits), roots, case.targets) if roots else None
        if found is not None:
            evidence = (f"the numbers were taken out of their history at {found.exit.place}",)
            kind = "forced-requires-grad" if roots[0] in asked else found.kind
            return Cause(kind, roots[0].place, evidence, saying="forced-numbers")
    return None


def on_the_way(case: Case) -> Cause | None:
    """Between the loss and the tensor the history is cut."""
    for one in reversed(case.passes):
        if not one.captured or not case.subject.is_leaf:
            cut = first_cut(one.roots, case.targets)
            found = caused(cut)
            if cut is not None and found is not None and not reaches(one.roots, case.targets):
                return renewed(case, cut) or found
    return None


def renewed(case: Case, cut: Cut) -> Cause | None:
    """What was cut off is a new leaf in the place of one that an optimizer holds."""
    made, tensor = case.subject.made, case.subject.tensor
    if cut.made.name in ("load_state_dict", "data.__set__") and cut.parent.parents:
        return None  # what was computed is copied into another network, which is to follow
    holders = [o for o in case.seen.optimizers if any(one is tensor for one in o.params)]
    if made is None or not any(one.number < cut.made.number for one in holders):
        return None
    for leaf in case.seen.leaves.values():
        other = leaf.ref()
        if other is None or other is tensor or not leaf.reached or held(case, other):
            continue
        if other._array.shape == made.shape and cut.made in selves(other._made):
            about = (other,) if case.subject.name is None else None
            return Cause("replaced-parameter", cut.made.place, about=about)
    return None


def through_numbers(case: Case) -> Cause | None:
    """Between the loss and the tensor there are only numbers."""
    for one in reversed(case.passes[-8:]):
        exits = [exit for exit in case.record.exits if exit.number < one.at]
        found = round_trip(reversed(exits), one.roots, case.targets)
        if found is not None:
            return Cause(found.kind, found.place, certain=True)
    return None


ON_THE_WAY: tuple[Rule, ...] = (on_the_way, through_numbers)


def old_parameter(case: Case) -> Cause | None:
    """The optimizer holds what the model no longer uses; newer tensors get the gradients."""
    tensor = case.subject.tensor
    for optimizing in case.seen.optimizers:
        if not any(one is tensor for one in optimizing.params):
            continue
        for leaf in case.seen.leaves.values():
            other = leaf.ref()
            if other is None or not leaf.reached or held(case, other) or other._made is None:
                continue
            if other._array.shape != tensor._array.shape:
                continue
            if birth(other._made).number > optimizing.number:
                return Cause("replaced-parameter", made_at(other._made))
    return None


def held(case: Case, tensor: Any) -> bool:
    """Whether an optimizer holds a tensor."""
    return any(one is tensor for o in case.seen.optimizers for one in o.params)


def never_used(case: Case) -> Cause | None:
    """No way leads from any loss to it."""
    made = case.subject.made
    if made is None or not case.passes:
        return None
    if any(case.targets & ancestors(one.roots) for one in case.passes):
        return None
    return Cause("never-used", made_at(made))


# A loss that has no history


def cause_of_loss(subject: Subject, record: Record, seen: Sightings) -> Cause | None:
    """Why a loss does not require a gradient."""
    made = subject.made
    if made is None:
        return None
    case = Case(subject, record, seen, list(record.passes))
    if made.live:
        cut = cut_of_loss(made)
        if cut is None:
            return None
        number = number_instead(case)
        if number is not None:
            return number
        return still_frozen(case, cut) or rebound(case) or caused(cut)
    exits = [exit for exit in reversed(record.exits) if exit.made.live]
    targets = {one for exit in exits for one in ancestors([exit.made]) if one.recorded}
    found = round_trip(exits, [made], targets)
    if found is not None:
        return Cause(found.kind, found.place)
    return frozen_leaf(case)


def number_instead(case: Case) -> Cause | None:
    """Behind the cut is what others train; what an idle optimizer holds came in as a number."""
    made = case.subject.made
    assert made is not None
    known = ancestors([made])
    for optimizing in case.seen.optimizers:
        leaves = [case.seen.leaves.get(id(one)) for one in optimizing.params]
        if any(leaf is not None and leaf.reached for leaf in leaves):
            continue
        targets = {one for p in optimizing.params for one in selves(p._made)}
        found = (
            None if targets & known else round_trip(reversed(case.record.exits), [made], targets)
        )
        if found is not None:
            return Cause(found.kind, found.place, about=tuple(optimizing.params))
    return None


def cut_of_loss(made: Made) -> Cut | None:
    """The first cut behind a tensor without a gradient."""
    return first_cut([made], {one for one in ancestors([made]) if one.recorded})


def still_frozen(case: Case, cut: Cut) -> Cause | None:
    """Behind the cut is what another optimizer trains; what this loss is for was frozen."""
    assert case.subject.made is not None
    near = up_to_cuts(case.subject.made)
    behind = ancestors([cut.parent])
    frozen, place = [], None
    for line, flag, reference in case.seen.flags.values():
        tensor = reference()
        if flag or tensor is None or requires(tensor) or not near & selves(tensor._made):
            continue
        holders = [o for o in case.seen.optimizers if any(p is tensor for p in o.params)]
        others = [p for o in holders for p in o.params if p is not tensor and requires(p)]
        if holders and not any(behind & selves(one._made) for one in others):
            frozen.append(tensor)
            place = line
    return Cause("frozen", place, about=tuple(frozen)) if frozen else None


def up_to_cuts(made: Made) -> set[Made]:
    """What a tensor was made from without a cut on the way."""
    found, waiting = {made}, [made]
    while waiting:
        one = waiting.pop()
        if one.name in UNRELATED or (any(p.recorded for p in one.parents) and not one.recorded):
            continue
        fresh = [parent for parent in one.parents if parent not in found]
        found.update(fresh)
        waiting += fresh
    return found


def frozen_leaf(case: Case) -> Cause | None:
    """The loss was made from parameters that were frozen."""
    made = case.subject.made
    assert made is not None
    found = ancestors([made])
    flags = [(place, ref()) for place, flag, ref in case.seen.flags.values() if not flag]
    frozen = [pair for pair in flags if pair[1] is not None and found & selves(pair[1]._made)]
    if frozen:
        place = frozen[-1][0]
        return Cause("frozen", place, about=tuple(one for line, one in frozen if line == place))
    for one in sorted(found, key=lambda one: one.number):
        if one.name == "Parameter" and not one.recorded:
            return Cause("frozen", one.place)
    return None


def caused(cut: Cut | None) -> Cause | None:
    """A cut as a cause."""
    kind = None if cut is None else kind_of(cut)
    if cut is None or kind is None:
        return None
    saying = "cut-sample" if cut.made.name == "sample" else ""
    evidence = cut_evidence(cut)
    return Cause(kind, line_of(cut, kind), evidence, call=called(cut.made), saying=saying)


def cut_evidence(cut: Cut | None) -> tuple[str, ...]:
    """What was cut from what, with the lines."""
    if cut is None:
        return ()
    made, parent = cut.made, cut.parent
    said = []
    if parent.place is not None:
        said.append(f"what goes in has a history: {called(parent)} at {parent.place}")
    if made.place is not None:
        said.append(f"what comes out of {called(made)} at {made.place} has none")
    return tuple(said)


def called(made: Made) -> str:
    """How a call is spoken of."""
    return {"data.__get__": ".data", "data.__set__": ".data ="}.get(made.name, made.name)
