"""Why a gradient is None: what the program looked at, and the rules that answer it."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from seegrad.explain.causes import Cause, Subject, cause_of, cause_of_loss
from seegrad.explain.chains import ancestors, selves
from seegrad.explain.never import leaf_to_name
from seegrad.explain.record import Made, is_write, made_of
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.explain.sightings import Look
from seegrad.explain.statements import Use, lines_behind, statement_at, use_of
from seegrad.explain.wordings import SENTENCES, sentence
from seegrad.explain.zeros import is_zero_on_purpose
from seegrad.graph.asked import values_of
from seegrad.graph.counters import Untracked
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires
from seegrad.nn.parameter import Parameter

__all__ = ["Gradientless", "finding_of"]

NO_HISTORY = "does not require grad and does not have a grad_fn"


class Question(NamedTuple):
    """A tensor without a gradient, and how much that matters."""

    subject: Subject
    weight: int
    is_loss: bool = False
    excused: frozenset[str] = frozenset()  # causes that people mean


class Gradientless(Detective):
    """Says why gradients are None, where the program stumbles over that or trains in vain."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.seen = session.watch.seen
        self.zeros = session.watch.zeros

    def findings(self) -> Iterable[Finding]:
        """One finding for each cause, which names all the tensors that have it."""
        before, thread.state.heard = thread.state.heard, True
        try:
            return self.found()
        finally:
            thread.state.heard = before

    def found(self) -> list[Finding]:
        """As `findings`."""
        causes: dict[tuple[str, Any], tuple[Cause, int, list[str]]] = {}
        found = (self.inferred(), self.answers(), self.zero_answers(), self.stale())
        for cause, weight, name in chain(*found):
            entry = causes.setdefault((cause.kind, cause.place), (cause, weight, []))
            if name is not None and name not in entry[2]:
                entry[2].append(name)
        return [finding_of(cause, names, weight) for cause, weight, names in causes.values()]

    def answers(self) -> Iterator[tuple[Cause, int, str | None]]:
        """The causes of what is in question, with weights and names."""
        for question in self.questions():
            ask = cause_of_loss if question.is_loss else cause_of
            cause = ask(question.subject, self.session.record, self.seen)
            if cause is None and question.is_loss:
                cause = self.never_asked(question.subject)
            if cause is not None and cause.kind not in question.excused:
                yield cause, question.weight, question.subject.name

    def inferred(self) -> Iterator[tuple[Cause, int, str | None]]:
        """An inference tensor where a normal one is needed."""
        failures = self.session.record.failures
        if self.session.error is None or "nference tensor" not in str(self.session.error):
            return
        for _, args, _, _ in list(failures)[-1:]:
            for tensor in values_of(args, {}):
                if isinstance(tensor, TensorBase) and tensor._counter.__class__ is Untracked:
                    made = made_of(tensor)
                    place = made.undone[1] if made.undone is not None else None
                    cause = Cause("cut-inference-mode", place or made.place)
                    yield cause, 3, self.name_of(tensor)

    # Gradients that are zero

    def zero_answers(self) -> Iterator[tuple[Cause, int, str | None]]:
        """Leaves that are trained, whose gradient is always zero."""
        error = self.session.error
        if error is not None and not is_authors(self.session):
            return
        for tensor, origin in self.zeros.zero_leaves():
            lines = self.seen.read.get(id(tensor), ())
            looked = error is not None or any(use_of(one, "grad") == Use.SHOWN for one in lines)
            if not origin.kind or not (looked or self.is_trained(tensor)):
                continue
            if is_zero_on_purpose(origin.place) and error is None:
                continue
            call = origin.made.name if origin.made is not None else ""
            name = self.name_of(tensor)
            yield Cause(origin.kind, origin.place, call=call), 2 if looked else 1, name

    def is_trained(self, tensor: Any) -> bool:
        """Whether somebody wants to change this tensor."""
        return (
            isinstance(tensor, Parameter)
            or any(p is tensor for one in self.seen.optimizers for p in one.params)
            or any(is_write(m.name) and m.name != "requires_grad_" for m in selves(tensor._made))
        )

    # Parameters whose gradients do not help

    def stale(self) -> Iterator[tuple[Cause, int, str | None]]:
        """Losses computed from what was once made of a parameter: its steps change nothing."""
        error = self.session.error
        if error is not None and not is_authors(self.session):
            return
        for optimizing in self.seen.optimizers:
            passes = [one for one in self.session.record.passes if one.at > optimizing.first_step]
            if not optimizing.first_step or not passes:
                continue
            found = ancestors(passes[-1].roots)
            for param in optimizing.params:
                users = using(found, selves(param._made))
                if users and all(one.number < optimizing.first_step for one in users):
                    if all(one.recorded and one.name in NEW_MEMORY for one in users):
                        cause = Cause("replaced-parameter", users[0].place)
                        yield cause, 1 if error is None else 2, self.name_of(param)

    # What the program looked at

    def questions(self) -> Iterator[Question]:
        """The tensors in question, those of the error first."""
        error = self.session.error
        if error is None:
            yield from self.shown()
            yield from self.starved(1)
        elif NO_HISTORY in str(error):
            yield from self.losses()
        elif is_authors(self.session):
            looks = self.asserted()
            for look in looks:
                yield Question(self.of_look(look), 2)
            if not looks:
                yield from self.starved(2)
        elif "NoneType" in str(error):
            stumbled = self.stumbled()
            if stumbled is not None:
                yield Question(self.of_look(stumbled), 3)
            else:
                yield from self.starved(3)

    def losses(self) -> Iterator[Question]:
        """The tensors whose backward failed."""
        failures = self.session.record.failures
        if failures:
            _, args, _, _ = failures[-1]
            given = args[0] if args and isinstance(args[0], (list, tuple)) else args[:1]
            for loss in given:
                if isinstance(loss, TensorBase) and not requires(loss):
                    yield Question(self.subject(loss), 3, is_loss=True)

    def shown(self) -> Iterator[Question]:
        """Gradients that were printed, and were never there when somebody looked."""
        for look in self.seen.looks.values():
            if look.use not in (Use.SHOWN, Use.KEPT) or self.had_value(look):
                continue
            if not look.requires and look.place in self.seen.valued:
                continue  # printed beside gradients that are there: to show that it has none
            excused = frozenset(["frozen"]) if look.use == Use.SHOWN else NOT_RESET
            yield Question(self.of_look(look), 2, excused=excused)

    def had_value(self, look: Look) -> bool:
        """Whether the program ever saw a gradient of this tensor."""
        leaf = self.seen.leaves.get(look.key)
        return leaf is not None and leaf.had_value

    def asserted(self) -> list[Look]:
        """The reads of None from which a failed assertion (or a raise of the author's) comes."""
        frames = self.session.frames()
        found: list[Look] = []
        for frame in reversed(frames):
            lines = lines_behind(frame.place)
            found += [
                look
                for look in self.seen.looks.values()
                if look.place.file == frame.place.file
                and look.place.line in lines
                and not self.had_value(look)
            ]
            if found:
                break
        return found

    def stumbled(self) -> Look | None:
        """The read of None that the error is about."""
        if self.seen.last_look is not None:
            return self.seen.last_look
        frames = self.session.frames()
        for frame in reversed(frames):
            for one in reversed(list(self.seen.looks.values())):
                if one.place.code is frame.place.code:
                    return one
        return None

    def starved(self, weight: int) -> Iterator[Question]:
        """Parameters of optimizers that never got a gradient though passes ran."""
        known = set()
        for optimizing in self.seen.optimizers:
            for param in optimizing.params:
                leaf = self.seen.leaves.get(id(param))
                if id(param) in known or (leaf is not None and leaf.reached):
                    continue
                known.add(id(param))
                if requires(param) and param._grad is None and optimizing.steps:
                    yield Question(self.subject(param), weight, excused=ON_PURPOSE)

    # Subjects

    def of_look(self, look: Look) -> Subject:
        """The tensor that a read of None was about."""
        tensor = look.ref()
        name = self.name_of(tensor) if tensor is not None else None
        return Subject(
            look.made, tensor, look.key, name or look.name, look.is_leaf, look.requires,
            look.passes, look.reset,
        )  # fmt: skip

    def subject(self, tensor: Any) -> Subject:
        """A tensor as it is now."""
        leaf = self.seen.leaves.get(id(tensor))
        reset = leaf.reset[0] if leaf is not None and leaf.reset is not None else tensor._reset_by
        return Subject(
            made_of(tensor), tensor, id(tensor), self.name_of(tensor), bool(tensor.is_leaf),
            requires(tensor), self.session.record.pass_count, reset,
        )  # fmt: skip

    def name_of(self, tensor: Any) -> str | None:
        """What the program calls a tensor."""
        return self.session.name_of(tensor)

    def never_asked(self, subject: Subject) -> Cause | None:
        """A loss that was made from tensors of which none requires a gradient."""
        return leaf_to_name(subject, self.session, self.seen)


NOT_RESET = frozenset(SENTENCES) - {"reset-by-zero-grad"}
# Their results have memory of their own.
NEW_MEMORY = frozenset(
    ["to", "double", "float", "half", "bfloat16", "type", "clone", "mul", "add", "sub", "div"]
    + ["neg", "cuda", "type_as", "exp", "softmax", "sigmoid", "abs", "pow", "__pow__", "matmul"]
)


def using(found: Iterable[Made], same: set[Made]) -> list[Made]:
    """What was made of a tensor directly, the oldest first."""
    users = [one for one in found if one not in same and same.intersection(one.parents)]
    return sorted(users, key=lambda one: one.number)


def finding_of(cause: Cause, names: Sequence[str], weight: int = 1) -> Finding:
    """A cause as a finding about tensors."""
    says = sentence(cause.kind, names, cause.call)
    return Finding(cause.kind, says, cause.place, cause.evidence, cause.certain, weight)


# Nobody is told of these unless the program looked: people do them on purpose.
ON_PURPOSE = frozenset(["never-used", "frozen", "requires-grad-never-set", "not-a-leaf"])


def is_authors(session: Session) -> bool:
    """Whether the program itself raised the error that ended it: `assert`, `raise`."""
    frames = session.frames()
    if not frames or session.error is None:
        return False
    traceback = session.error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or traceback.tb_frame.f_code is not frames[-1].place.code:
        return False
    statement = statement_at(frames[-1].place.file, frames[-1].place.line)
    return isinstance(statement, (ast.Assert, ast.Raise))
