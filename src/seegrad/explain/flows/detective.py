"""The detective of gradient flow: where it dies on its way through the network, and why."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from seegrad.explain.flows.losses import Losses
from seegrad.explain.flows.rules import Lines, flaws
from seegrad.explain.gradients.gradientless import Gradientless
from seegrad.explain.optimizers.books import Held, Leaf
from seegrad.explain.optimizers.ledger import books_of, was_raised_by_user
from seegrad.explain.places import Place
from seegrad.explain.record import Made, ancestors, made_of
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.graph.asked import Entry
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase

__all__ = ["FlowDead", "FlowRoots", "Flows", "first_cut", "leads_to"]

KEPT = 512  # gradients that were read
NOTHING = 1e-20  # a gradient that teaches nobody anything
CUTS = frozenset(["detach", "detach_", "data.__get__"])


class FlowRoots(Detective):
    """Finds what lies behind zeros and infinities: weights all zero, gradients that explode."""

    kinds: tuple[str, ...] = ("flow-exploding", "flow-zero-init")

    def findings(self) -> Iterable[Finding]:
        """The findings of `Flows` that go before what comes of them."""
        flows = next((d for d in self.session.detectives if isinstance(d, Flows)), None)
        for finding in flows.findings() if flows is not None else ():
            if finding.kind in self.kinds:
                yield finding
        for detective in self.session.detectives:
            if isinstance(detective, Losses):  # what is flat, before where its zeros begin
                yield from [one for one in detective.findings() if one.kind == "loss-constant"]


class FlowDead(FlowRoots):
    """Finds dead ReLUs by the line that killed them, where all that is missed comes of them."""

    kinds = ("flow-dead-relu",)

    def findings(self) -> Iterable[Finding]:
        """The same, said of the layer instead of the parameters."""
        found = list(super().findings())
        others = (
            [d for d in self.session.detectives if isinstance(d, Gradientless)] if found else []
        )
        kinds = {one.kind for other in others for one in other.findings()}
        return found if kinds == {"zero-dead-relu"} else ()


class Flows(Detective):
    """Finds layers that gradients do not get to."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.gradients: deque[int] = deque(maxlen=KEPT)  # that were read, by their numbers
        self.faint = False  # whether one of these was next to nothing, all of it

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of gradients that are read."""
        return self.read if entry.name == "grad.__get__" else None

    def read(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`x.grad`."""
        if isinstance(result, TensorBase):
            self.gradients.append(made_of(result).number)
            self.faint = self.faint or 0 < float(abs(result._array).max(initial=0)) < NOTHING

    def saw_zero(self) -> bool:
        """Whether a number calculated from a gradient, that was let out, is next to nothing."""
        if self.faint:
            return True
        known = set(self.gradients)
        small = [
            one.made
            for one in self.session.record.exits
            if isinstance(one.value, float) and abs(one.value) < NOTHING
        ]
        return any(made.number in known for one in small for made in ancestors(one, 6))

    def findings(self) -> Iterable[Finding]:
        """Where the flow stops."""
        error = self.session.error
        if error is not None and not was_raised_by_user(self.session):
            return
        weight = 3 if error is not None else 2
        least = 1 if error is not None else 2
        losses = next(d for d in self.session.detectives if isinstance(d, Losses))
        books = books_of(self.session)
        zero = self.saw_zero()
        for place, passes in self.session.watch.hops.measured.items():
            lines = Lines(losses.line_of, optimizer_of(books.all_optimizers, place))
            yield from flaws(passes, lines, least, weight, zero)
        if not self.session.is_explained:
            yield from self.detached(books.all_optimizers, least, weight)

    def detached(self, optimizers: list[Held], least: int, weight: int) -> Iterator[Finding]:
        """Parameters of an optimizer that lead to the loss through a cut only."""
        for held in optimizers:
            lost = {leaf.made.number: leaf for leaf in held.leaves.values() if is_lost(leaf)}
            if held.steps < least or not lost or len(lost) == len(held.leaves):
                continue
            for ran in reversed(self.session.record.passes):
                cut = first_cut(ran.roots, set(lost))
                if cut is not None:
                    yield detached(cut, len(lost), held, weight)
                    break


def is_lost(leaf: Leaf) -> bool:
    """Whether a leaf wants a gradient and never got one."""
    tensor = leaf.ref()
    return not (leaf.passes or leaf.frozen or (tensor is not None and not tensor.requires_grad))


def first_cut(roots: tuple[Made, ...], lost: set[int]) -> Made | None:
    """What lies between the losses and a lost leaf and cuts: the cut next to the loss."""
    stack, seen = list(roots), {root.number for root in roots}
    while stack and len(seen) < 5000:
        made = stack.pop()
        severed = made.undone is not None or made.name in CUTS
        if severed and made.is_cut and any(p.recorded and leads_to(p, lost) for p in made.parents):
            return made
        for parent in made.parents:
            if parent.number not in seen:
                seen.add(parent.number)
                stack.append(parent)
    return None


def leads_to(made: Made, lost: set[int]) -> bool:
    """Whether something was made from a lost leaf, with no other cut on the way."""
    stack, seen = [made], {made.number}
    while stack and len(seen) < 5000:
        one = stack.pop()
        if one.number in lost:
            return True
        for parent in one.parents:
            if parent.number not in seen and parent.recorded:
                seen.add(parent.number)
                stack.append(parent)
    return False


def detached(cut: Made, count: int, held: Held, weight: int) -> Finding:
    """Layers that are cut off."""
    mode = cut.undone[0] if cut.undone is not None else None
    place = cut.undone[1] if cut.undone is not None and cut.undone[1] else cut.place
    names = {"no_grad": "cut-no-grad", "inference_mode": "cut-inference-mode"}
    names["set_grad_enabled"] = "cut-set-grad-enabled"
    kind = names.get(mode or "", "flow-detached")
    how = mode or f"{cut.name}()"
    return Finding(
        kind,
        f"{how} cuts {count} parameters that {held.kind} holds off the loss: they never get a "
        "gradient.",
        place,
        (f"{held.kind} was made at {held.place}.",),
        weight=weight,
    )


def optimizer_of(optimizers: list[Held], place: Place | None) -> Place | None:
    """The optimizer whose parameters the passes of a line reach."""
    for held in optimizers:
        for leaf in held.leaves.values():
            if any(site.place == place for site in leaf.sites):
                return held.place
    return None
