"""Why a gradient is None: what the program looked at, and the rules that answer it."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from seegrad.explain.gradients.causes import (
    Cause,
    Subject,
    cause_of,
    cause_of_loss,
    caused,
    up_to_cuts,
)
from seegrad.explain.gradients.chains import ancestors, first_cut, reaches, selves
from seegrad.explain.gradients.dropped import dropped_at
from seegrad.explain.gradients.never import leaf_to_name
from seegrad.explain.gradients.overwritten import overwriting
from seegrad.explain.gradients.plain_numbers import number_for_loss
from seegrad.explain.gradients.recreated import round_trip
from seegrad.explain.gradients.sightings import Leaf, Look
from seegrad.explain.gradients.unreached import unreached
from seegrad.explain.gradients.wordings import SENTENCES, sentence
from seegrad.explain.gradients.zeros import DROPOUTS, Origin, is_zero_on_purpose
from seegrad.explain.places import Place
from seegrad.explain.record import Made, is_write, made_of
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.explain.source.printed import prints
from seegrad.explain.source.sources import tree_of
from seegrad.explain.source.statements import (
    Use,
    binds,
    is_kept_to_show,
    is_showing,
    is_shown,
    lines_behind,
    names_in,
    scope_of,
    statement_at,
    statements_of,
    stores,
    use_of,
)
from seegrad.graph.asked import values_of
from seegrad.graph.counters import Untracked
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires
from seegrad.nn.modules.module import Module
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
        rules = (
            self.inferred(),
            self.nothing_left(),
            self.all_frozen(),
            self.never_trained(),
            self.nothing_returned(),
            self.answers(),
            self.zero_answers(),
            self.zeros_got(),
            self.stale(),
        )
        for cause, weight, name in chain(*rules):
            entry = causes.setdefault((cause.kind, cause.place), (cause, weight, []))
            for one in self.names(cause, name):
                if one is not None and one not in entry[2]:
                    entry[2].append(one)
        for kind, place in list(causes):  # what computes the new one is to learn, not the old one
            if kind == "replaced-parameter" and ("copied-not-linked", place) in causes:
                del causes[kind, place]
        number = number_for_loss(self.session)
        found = [] if number is None else [number]
        return [*found, *(finding_of(cause, names, w) for cause, w, names in causes.values())]

    def names(self, cause: Cause, name: str | None) -> Sequence[str | None]:
        """What the program calls the tensors that a cause is about."""
        if cause.names or cause.about is None:
            return cause.names or [name]
        return [self.name_of(tensor) for tensor in cause.about]

    def answers(self) -> Iterator[tuple[Cause, int, str | None]]:
        """The causes of what is in question, with weights and names."""
        for question in self.questions():
            ask = cause_of_loss if question.is_loss else cause_of
            cause = ask(question.subject, self.session.record, self.seen)
            if question.is_loss and (cause is None or cause.kind == "frozen"):
                sure = cause is not None
                cause = leaf_to_name(question.subject, self.session, True) or cause
                cause = cause or self.without_model(question.subject)
                cause = cause or leaf_to_name(question.subject, self.session, sure)
            if cause is not None and cause.place is None and cause.kind in BORN:
                cause = cause._replace(place=self.line_that_named(question.subject))
            if cause is not None and cause.kind == "requires-grad-never-set":
                cause = cause._replace(place=self.line_of_result(question.subject) or cause.place)
            if cause is not None and cause.kind not in question.excused:
                if not question.is_loss and cause.kind in NO_WAY:
                    cause = self.other_loss(question.subject) or cause
                if cause.kind == "backward-never-ran" and not self.session.record.passes:
                    cause = self.failed_pass() or cause
                if cause.kind == "never-used":
                    place = dropped_at(question.subject.tensor, self.session)
                    if place is not None:
                        cause = cause._replace(place=place, saying="never-used-dropped")
                if cause.place is None and cause.kind == "backward-never-ran":
                    cause = cause._replace(place=self.last_loss())
                yield cause, question.weight, question.subject.name

    def line_of_result(self, subject: Subject) -> Place | None:
        """Of what a function of the program computed: the line that gave its result a name."""
        made = subject.made
        if made is None or not made.parents or made.place is None:
            return None
        names = [n for n, value in self.session.names.items() if value is subject.tensor]
        if subject.tensor is None or not names or made.place.function == "<module>":
            return None
        tree = tree_of(made.place.file)
        lines = [one.lineno for one in (tree.body if tree else ()) if binds(one, names[0])]
        return Place(made.place.code, lines[-1]) if lines else None

    def without_model(self, subject: Subject) -> Cause | None:
        """A loss that was computed from data alone, while an optimizer waits for a model's."""
        made = subject.made
        for optimizing in self.seen.optimizers:
            params = [p for p in optimizing.params if isinstance(p, Parameter) and requires(p)]
            known = ancestors([made]) if made is not None else set[Made]()
            if params and not any(known & selves(p._made) for p in params):
                place = made.place if made is not None else None
                about = tuple(params)
                return Cause("never-used", place, about=about, saying="never-used-in-loss")
        return None

    def line_that_named(self, subject: Subject) -> Place | None:
        """The line that gave a tensor from elsewhere its name: `for image, label in loader`."""
        for look in self.seen.looks.values():
            if look.key == subject.key and look.name is not None:
                binding = [
                    one.lineno
                    for one in statements_of(scope_of(look.place.file, look.place.line))
                    if one.lineno < look.place.line and binds(one, look.name)
                ]
                return Place(look.place.code, max(binding)) if binding else None
        return None

    def failed_pass(self) -> Cause | None:
        """Why a backward raised whose error the program caught, so that no pass ran."""
        for entry, args, error, _ in reversed(self.session.record.failures):
            loss = args[0] if args else None
            if entry.name == "backward" and NO_HISTORY in str(error):
                if isinstance(loss, TensorBase):
                    subject = self.subject(loss)
                    cause = cause_of_loss(subject, self.session.record, self.seen)
                    return cause or leaf_to_name(subject, self.session)
        return None

    def other_loss(self, subject: Subject) -> Cause | None:
        """A number with a name that was computed from a tensor, and no pass ran from it."""
        record, targets = self.session.record, selves(subject.made)
        ran = ancestors(root for one in record.passes for root in one.roots)
        exits = [
            one.made for one in record.exits if one.name in ("item", "__float__", "__format__")
        ]
        for made in [*reversed(self.named_numbers()), *reversed(exits)]:
            if not made.recorded or not made.parents or made.shape not in ((), (1,)):
                continue
            if made in targets or made in ran or made.place is None or not is_kept(made.place):
                continue
            near = up_to_cuts(made)
            if reaches([made], targets) and any(not one.live for one in near):
                return Cause("backward-never-ran", made.place)
        return None

    def last_loss(self) -> Place | None:
        """The line of the last number with a history that the program has a name for."""
        losses = self.named_numbers()
        return losses[-1].place if losses else None

    def named_numbers(self) -> list[Made]:
        """The numbers with a history that the program has names for, the last one last."""
        scopes = [*(frame.names for frame in self.session.frames()), self.session.names]
        found = [
            value._made
            for scope in scopes
            for value in list(scope.values())
            if isinstance(value, TensorBase) and value._made is not None
        ]
        losses = [made for made in found if made.recorded and made.parents and not made.shape]
        return sorted(losses, key=lambda made: made.number)

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

    def nothing_left(self) -> Iterator[tuple[Cause, int, str | None]]:
        """An optimizer that is given what still learns, of a model that is frozen as a whole."""
        if "empty parameter list" not in str(self.session.error):
            return
        scopes = [frame.names for frame in reversed(self.session.frames())]
        near = [one for scope in scopes for one in scope.values() if isinstance(one, Module)]
        others = [module for one in self.seen.modules if (module := one()) is not None]
        others.sort(key=lambda module: -len(list(module.parameters())))
        for module in [*near, *others]:
            flags = [(self.seen.flag_of(one), one) for one in module.parameters()]
            frozen = [(flag[0], one) for flag, one in flags if flag and not flag[1]]
            if frozen and len(frozen) == len(flags):
                place = frozen[-1][0]
                about = tuple(one for line, one in frozen if line == place)
                yield Cause("frozen", place, about=about), 3, None
                return

    def all_frozen(self) -> Iterator[tuple[Cause, int, str | None]]:
        """An optimizer that steps time and again over what is frozen as a whole."""
        error = self.session.error
        if error is not None and not is_authors(self.session):
            return
        for optimizing in self.seen.optimizers:
            flags = [self.seen.flag_of(one) for one in optimizing.params]
            if optimizing.idle > 1 and flags and all(flag and not flag[1] for flag in flags):
                place = flags[-1][0] if flags[-1] else None
                about = tuple(optimizing.params)
                yield Cause("frozen", place, about=about), 2 if error is None else 3, None

    def never_trained(self) -> Iterator[tuple[Cause, int, str | None]]:
        """A program that makes a model, looks at what comes out, and never runs its backward()."""
        error, seen = self.session.error, self.seen
        failed = [one for one in self.session.record.failures if one[0].name == "backward"]
        if self.session.record.pass_count or failed or any(o.steps for o in seen.optimizers):
            return
        if error is not None and (not is_authors(self.session) or self.session.is_explained):
            return
        if not seen.optimizers and (error is None or not seen.modules):
            return
        cause = unreached(self.session)
        if cause is not None:
            about = [p for one in seen.optimizers[:1] for p in one.params]
            for module in [one for ref in seen.modules[-1:] if (one := ref()) is not None]:
                about = about or list(module.parameters())
            yield cause._replace(about=tuple(about)), 2 if error is None else 3, None

    def nothing_returned(self) -> Iterator[tuple[Cause, int, str | None]]:
        """None that `autograd.grad(..., allow_unused=True)` returned, where that is asserted."""
        if self.session.error is None or not is_authors(self.session):
            return
        behind = [(frame.place.file, lines_behind(frame.place)) for frame in self.session.frames()]
        for place, roots, reference in self.seen.missing:
            if not any(place.file == file and place.line in lines for file, lines in behind):
                continue
            tensor = reference()
            cause = None if tensor is None else caused(first_cut(roots, selves(tensor._made)))
            if cause is not None:
                yield cause, 3, self.name_of(tensor)

    # Gradients that are zero

    def zero_answers(self) -> Iterator[tuple[Cause, int, str | None]]:
        """Leaves that are trained, whose gradient is always zero."""
        error = self.session.error
        if error is not None and (not is_authors(self.session) or self.asserted()):
            return
        for tensor, origin in self.zeros.zero_leaves():
            lines = self.seen.read.get(id(tensor), ())
            looked = error is not None or any(use_of(one, "grad") == Use.SHOWN for one in lines)
            if not (looked or self.is_trained(tensor)):
                continue
            written = self.overwriting(tensor) if not origin.kind else None
            if written is not None:
                cause = Cause("history-overwritten", written.place, call=written.name)
                yield cause, 2 if error is None else 3, self.name_of(tensor)
            if not origin.kind:
                continue
            is_met = self.zeros.is_satisfied(tensor) and origin.kind not in BY_ZEROS
            if not looked and (origin.in_part or is_met):
                continue
            if is_zero_on_purpose(origin.place) and error is None:
                continue
            call = origin.made.name if origin.made is not None else ""
            name = self.name_of(tensor)
            place = self.negative(origin) or origin.place
            saying = "zero-dropped" if call in DROPOUTS else ""
            cause = Cause(origin.kind, place, call=call, saying=saying)
            yield cause, 2 if error is None else 3, name

    def overwriting(self, tensor: Any) -> Made | None:
        """The write in place that hid a leaf from the last loss whose pass reached it."""
        passes = [one for one in self.session.record.passes if id(tensor) in one.leaves]
        return overwriting(passes[-1].roots, selves(tensor._made)) if passes else None

    def zeros_got(self) -> Iterator[tuple[Cause, int, str | None]]:
        """Zeros that `autograd.grad` returned, and that the program looked at."""
        error, frames = self.session.error, self.session.frames()
        if error is not None and not is_authors(self.session):
            return
        behind = [(frame.place.file, lines_behind(frame.place)) for frame in frames]
        if error is None and any(not leaf.zero for leaf in self.zeros.returned.values()):
            return  # zeros beside other values: to show the difference
        for place, tensor, origin in self.zeros.zeros_returned():
            if any(place.file == file and place.line in lines for file, lines in behind) or (
                error is None and is_shown(place) and not is_zero_on_purpose(origin.place)
            ):
                call = origin.made.name if origin.made is not None else ""
                name = self.name_of(tensor) if tensor is not None else None
                yield Cause(origin.kind, origin.place, call=call), 2 if error is None else 3, name

    def negative(self, origin: Origin) -> Place | None:
        """The line of the program that made a parameter before a silent relu all negative."""
        made = origin.made
        if origin.kind != "zero-dead-relu" or made is None or self.zeros.is_everything():
            return None
        near = ancestors([made])
        for leaf in self.seen.leaves.values():
            tensor = leaf.ref()
            last = tensor._made if tensor is not None else None
            if tensor is None or last not in near:
                continue
            written = is_write(last.name) or last.valued != last.place
            if written and (tensor._array < 0).all():
                place: Place | None = last.valued
                return place
        return None

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
                        yield cause, 2 if error is None else 3, self.name_of(param)

    # What the program looked at

    def questions(self) -> Iterator[Question]:
        """The tensors in question, those of the error first."""
        error: Any = self.session.error
        if error is None:
            yield from self.shown()
            yield from self.starved(2)
        elif NO_HISTORY in str(error):
            yield from self.losses()
        elif getattr(error, "facts", {}).get("kind") == "constant-input":
            # Passes that ran before do not tell what this one asked for.
            yield Question(self.subject(error.facts["input"])._replace(passes=0), 3)
        elif "can't optimize a non-leaf Tensor" in str(error):
            tensor = refused(error)
            if tensor is not None:
                yield Question(self.subject(tensor), 3)
        elif is_authors(self.session):
            looks = self.asserted()
            for look in looks:
                yield Question(self.of_look(look), 3)
            if not looks:
                yield from self.starved(3)
        elif "NoneType" in str(error):
            stumbled = self.stumbled()
            if stumbled is not None:
                yield Question(self.of_look(stumbled), 3)
            else:
                yield from self.starved(3)

    def losses(self) -> Iterator[Question]:
        """The tensors whose backward failed."""
        failures = self.session.record.failures
        passes = [one for one in failures if one[0].name in ("backward", "grad")]
        if passes:  # what called it in vain, such as a step with a closure, failed after it
            entry, args, _, _ = passes[-1]
            inputs = args[1] if entry.name == "grad" and len(args) > 1 else ()
            for one in inputs if isinstance(inputs, (list, tuple)) else (inputs,):
                if isinstance(one, TensorBase) and not requires(one):
                    yield Question(self.subject(one)._replace(passes=0), 3)
                    return
            given = args[0] if args and isinstance(args[0], (list, tuple)) else args[:1]
            for loss in given:
                if isinstance(loss, TensorBase) and not requires(loss):
                    yield Question(self.subject(loss), 3, is_loss=True)

    def shown(self) -> Iterator[Question]:
        """Gradients that were printed, and were never there when somebody looked."""
        for look in self.seen.looks.values():
            if look.use == Use.KEPT and is_kept_to_show(look.place, "grad"):
                look.use = Use.SHOWN
            if look.use == Use.TESTED and self.is_stuck(look):
                yield Question(self.of_look(look), 2, excused=frozenset(SENTENCES) - NOT_MEANT)
            if look.use not in (Use.SHOWN, Use.KEPT) or self.had_value(look):
                continue
            if not look.requires and look.place in self.seen.valued:
                continue  # printed beside gradients that are there: to show that it has none
            if self.is_early(look):
                continue
            yield Question(self.of_look(look), 2, excused=self.excused(look))

    def is_stuck(self, look: Look) -> bool:
        """Whether None was read time and again, and the tensor itself is printed at the end."""
        tensor = look.ref()
        if not look.again or not look.requires or not look.is_leaf or self.had_value(look):
            return False
        names = {n for n, value in list(self.session.names.items()) if value is tensor}
        if says_none(look.place):
            return True
        return bool(
            names & names_in(node for call in prints(look.place.file) for node in call.args)
        )

    def is_early(self, look: Look) -> bool:
        """Whether a gradient was looked at before any pass could leave one, and came later."""
        passes = [one for one in self.session.record.passes if one.number <= look.passes]
        if look.is_leaf:
            leaf = self.seen.leaves.get(look.key)
            arrived = leaf is not None and leaf.ref() is look.ref() and (leaf.reached or leaf.fed)
            return bool(arrived) and not any(look.key in one.leaves for one in passes)
        return look.retained and not any(look.made in ancestors(one.roots) for one in passes)

    def excused(self, look: Look) -> frozenset[str]:
        """What a printed None may well be meant to show."""
        known = frozenset(SENTENCES)
        leaf = self.seen.leaves.get(look.key)
        if leaf is not None and leaf.reached and leaf.reset is not None:
            place = leaf.reset[0]
            if self.is_afterwards(look, leaf):
                return known
            if any(one.had_value and one.reset and one.reset[0] == place for one in self.leaves()):
                return known  # gradients were looked at before they were put away
        tensor = look.ref()
        if look.is_leaf and look.requires and tensor is not None and not self.is_held(tensor):
            return known - {"backward-not-called"}
        if look.use == Use.KEPT:
            return known - {"reset-by-zero-grad"}
        excused = {"frozen"}
        if any(one.captured for one in self.session.record.passes):
            excused.add("backward-never-ran")
        return frozenset(excused)

    def is_afterwards(self, look: Look, leaf: Leaf) -> bool:
        """Whether a read came once, after all training, which stepped with the gradient."""
        record = self.session.record
        if look.again or look.passes < record.pass_count or look.use != Use.SHOWN:
            return False
        stepped = [one for one in self.seen.optimizers if one.steps > 1]
        tensor = look.ref()
        return leaf.reached > 1 and any(p is tensor for one in stepped for p in one.params)

    def leaves(self) -> Iterable[Leaf]:
        """What is noted of the leaves."""
        return self.seen.leaves.values()

    def is_held(self, tensor: Any) -> bool:
        """Whether an optimizer holds a tensor, or there is none that could."""
        optimizers = [one for one in self.seen.optimizers if one.steps]
        return not optimizers or any(p is tensor for one in optimizers for p in one.params)

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
        asserted = self.behind_assertion()
        for optimizing in self.seen.optimizers:
            others = self.is_of_others(optimizing.params)
            for param in optimizing.params:
                if others and not self.is_cut_off(param):
                    continue
                leaf = self.seen.leaves.get(id(param))
                if id(param) in known or (leaf is not None and (leaf.reached or leaf.fed)):
                    continue
                known.add(id(param))
                if param._grad is not None or not optimizing.steps:
                    continue
                if requires(param):
                    named = not asserted.isdisjoint(selves(param._made))
                    excused = frozenset[str]() if named else ON_PURPOSE
                    yield Question(self.subject(param), weight, excused=excused)
                elif not isinstance(param, Parameter) and self.seen.flag_of(param) is None:
                    yield Question(self.subject(param), weight)

    def behind_assertion(self) -> set[Made]:
        """What the values of a failed assertion were made from."""
        found: set[Made] = set()
        for frame in self.session.frames():
            lines = lines_behind(frame.place)
            found |= ancestors(
                exit.made
                for exit in self.session.record.exits
                if exit.place is not None
                and exit.place.file == frame.place.file
                and exit.place.line in lines
            )
        return found

    def is_of_others(self, params: Sequence[Any]) -> bool:
        """Whether passes reach parameters that nobody holds, and none of an optimizer's."""
        held = {id(p) for one in self.seen.optimizers for p in one.params}
        reached = {number for number, leaf in self.seen.leaves.items() if leaf.reached}
        if any(id(p) in reached for p in params):
            return False
        found = (self.seen.leaves[number].ref() for number in reached - held)
        return any(isinstance(one, Parameter) for one in found)

    def is_cut_off(self, param: Any) -> bool:
        """Whether a loss was computed from a tensor, through no other leaf, and the way is cut."""
        targets = selves(param._made)
        for one in reversed(self.session.record.passes):
            cut = first_cut(one.roots, targets)
            if cut is not None:
                tensors = (leaf.ref() for leaf in self.leaves() if leaf.reached)
                made = [one._made for one in tensors if one is not None]
                return cut.made not in ancestors(m for m in made if m is not None)
            exits = [exit for exit in self.session.record.exits if exit.number < one.at]
            found = round_trip(reversed(exits), one.roots, targets)
            if found is not None:
                return found.creation is not None and not found.creation.recorded
        return False

    # Subjects

    def of_look(self, look: Look) -> Subject:
        """The tensor that a read of None was about."""
        tensor = look.ref()
        name = self.name_of(tensor) if tensor is not None else None
        if look.name is not None and not isinstance(tensor, Parameter):
            name = look.name  # where it was read
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
    says = sentence(cause.saying or cause.kind, names, cause.call)
    return Finding(cause.kind, says, cause.place, cause.evidence, cause.certain, weight)


# A loss of exactly 0 is no loss that is met where it was multiplied by zeros.
BY_ZEROS = frozenset(["zero-multiplied", "zero-mask"])
# What is said of the line that made a tensor.
BORN = frozenset(["requires-grad-never-set", "never-used"])
# Why no way leads from the losses of passes to a tensor.
NO_WAY = frozenset(
    ["never-used", "cut-argmax", "cut-comparison", "cut-rounding", "cut-detach", "cut-no-grad"]
    + ["cut-integer-cast", "cut-bool-cast"]
)


def says_none(place: Place) -> bool:
    """Whether the line is `if x.grad is None:`, and something is printed there."""
    statement = statement_at(place.file, place.line)
    if not isinstance(statement, ast.If):
        return False
    return any(is_showing(node) for one in statement.body for node in ast.walk(one))


# What has no slope at all; nobody trains through it on purpose.
NO_SLOPE = frozenset(
    ["cut-argmax", "cut-comparison", "cut-rounding", "cut-integer-cast", "cut-bool-cast"]
)

# Nor through numbers.
NOT_MEANT = NO_SLOPE | {"recreated-item", "recreated-math", "recreated-numpy", "recreated-tensor"}


def refused(error: BaseException) -> Any:
    """The tensor that an optimizer did not take, from the frame that raised."""
    traceback, found = error.__traceback__, None
    while traceback is not None:
        values = traceback.tb_frame.f_locals.values()
        found = next((v for v in values if isinstance(v, TensorBase) and v._node), found)
        traceback = traceback.tb_next
    return found


def is_kept(place: Place) -> bool:
    """Whether the line gives a value to a name."""
    statement = statement_at(place.file, place.line)
    return isinstance(statement, ast.Return) or (statement is not None and bool(stores(statement)))


# Nobody is told of these unless the program looked: people do them on purpose.
ON_PURPOSE = frozenset(["never-used", "frozen", "requires-grad-never-set", "not-a-leaf"])


def is_authors(session: Session) -> bool:
    """Whether the program itself raised the error that ended it: `assert`, `raise`."""
    frames = session.frames()
    if not frames or session.error is None:
        return False
    if isinstance(session.error, AssertionError):
        return True  # also of assert_close and the like
    traceback = session.error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or traceback.tb_frame.f_code is not frames[-1].place.code:
        return False
    statement = statement_at(frames[-1].place.file, frames[-1].place.line)
    return isinstance(statement, (ast.Assert, ast.Raise))
