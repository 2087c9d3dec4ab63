"""The ledger: which optimizer holds which parameter, and whether its steps can move it.

`Ledger` keeps account of a whole run; `ledger` looks at what is there now.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from seegrad.explain.brief import counted
from seegrad.explain.optimizers.books import Books, code_of, number_of, outside_of
from seegrad.explain.optimizers.rules import copied_ties, fixed, found_in, kept_apart, used_up
from seegrad.explain.places import Place
from seegrad.explain.record import Made, ancestors, made_of, provenance
from seegrad.explain.report import Finding, Report
from seegrad.explain.session import Detective, Session
from seegrad.explain.source import text as text_of
from seegrad.explain.source.frames import Frame
from seegrad.explain.source.statements import lines_behind
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase, requires
from seegrad.nn.modules.module import Module
from seegrad.optim.optimizer import Optimizer

__all__ = ["Ledger", "Unzeroed", "books_of", "ledger"]


class Ledger(Detective):
    """Finds weights that do not move although their gradients are right."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.books = Books(session.record)
        self.refusals: list[Finding] = []

    def listener(self, entry: Entry) -> Listener | None:
        """The books keep account."""
        return self.books.listener(entry)

    def began(self, current: Pass) -> bool:
        """The books note what a pass reaches."""
        self.books.began(current)
        return False

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """An optimizer got nothing: an iterator that was used up."""
        if entry.name == "Optimizer.__init__" and isinstance(error, ValueError):
            stack = outside_of(args[0], 3)
            used = next(filter(None, map(text_of.consumed, stack)), None)
            if "empty" not in str(error):
                return
            if used is not None:
                self.refusals.append(used_up(*used, None, 3))
            else:
                living = self.books.living()
                self.refusals += [*bare(living), *all_frozen(living, stack)][:1]

    def findings(self) -> Iterable[Finding]:
        """What is wrong with the books."""
        error = self.session.error
        if isinstance(error, ValueError) and self.refusals and "empty" in str(error):
            yield self.refusals[-1]
        if isinstance(error, ValueError) and "non-leaf" in str(error):
            yield from refused(error)
        if error is not None and not was_raised_by_user(self.session):
            return
        weight = 3 if error is not None else 2
        least = 1 if error is not None else 2
        if error is not None:
            yield from copied_ties(self.books, self.asserted())
        for pair in self.books.unequal if error is None else ():
            yield from copied_ties(self.books, pair, weight)
        exits = [(out.made, out.place) for out in self.session.record.exits]
        yield from fixed(self.books, [*exits, *self.books.compared], weight)
        yield from found_in(self.books, set(self.looked_at()), least, weight)

    def unzeroed(self) -> Iterator[Finding]:
        """Of these the one that makes steps too long, and numbers grow."""
        yield from (one for one in self.findings() if one.kind == "zero-grad-never-called")

    def asserted(self) -> Sequence[Made]:
        """The two tensors that a failed assertion compared, or said to be one."""
        pair = self.books.last_pair
        for frame in self.session.frames():
            test = tested(frame.place)
            if test is None:
                continue
            if pair is not None and pair[2] is not None and pair[2].code is frame.place.code:
                if text_of.covers(test, pair[2].line):
                    return pair[:2]
            sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
            tensors = [value_of(ast.unparse(side), frame.names) for side in sides]
            found = [one._made for one in tensors if provenance(one) is not None]
            if found:
                return found
            subtracted = self.subtracted(frame)
            if subtracted:
                return subtracted
        return ()

    def subtracted(self, frame: Frame) -> Sequence[Made]:
        """The two tensors whose difference a failed assertion was about."""
        lines = lines_behind(frame.place)
        for out in reversed(self.session.record.exits):
            place = out.place
            if place is None or place.file != frame.place.file or place.line not in lines:
                continue
            for made in ancestors(out.made, 6):
                if made.name in ("sub", "dist", "ne", "mse_loss") and len(made.parents) == 2:
                    return made.parents
        return ()

    def looked_at(self) -> Iterator[int]:
        """Numbers of the leaves that a printed or compared value depends on alone."""
        numbers = {leaf.made.number: leaf.number for leaf in self.books.all_leaves()}
        for out in self.session.record.exits:
            found = [n for n in leaves_above(out.made) if n in numbers]
            if len(found) == 1:
                yield numbers[found[0]]


def books_of(session: Session) -> Books:
    """The accounts of a run, which its ledger keeps."""
    return next(one.books for one in session.detectives if isinstance(one, Ledger))


class Unzeroed(Detective):
    """Finds gradients that are never reset: before what comes of them."""

    def findings(self) -> Iterable[Finding]:
        """What the ledger knows of them."""
        for one in self.session.detectives:
            if isinstance(one, Ledger):
                yield from one.unzeroed()


def tested(place: Place) -> ast.expr | None:
    """What the failed `assert` of a line tests, or the `if` around its `raise`."""
    failed = text_of.statement(place)
    if isinstance(failed, ast.Assert):
        return failed.test
    for node in ast.walk(text_of.tree(place.file)):
        if isinstance(node, ast.If) and failed in node.body and isinstance(failed, ast.Raise):
            return node.test
    return None


def value_of(path: str, names: Mapping[str, Any]) -> Any:
    """What a path of attributes such as "model.fc.weight" leads to; None for what is no module."""
    first, *rest = path.split(".")
    value = names.get(first)
    for name in rest:
        value = getattr(value, name, None) if isinstance(value, Module) else None
    return value


def leaves_above(made: Made) -> list[int]:
    """The numbers of the leaves that require a gradient and that a value was made from."""
    found: list[int] = []
    stack, seen = [made], {made.number}
    while stack and len(seen) < 500:
        one = stack.pop()
        if one.recorded and not any(parent.recorded for parent in one.parents):
            found.append(one.number)
        for parent in one.parents:
            if parent.number not in seen:
                seen.add(parent.number)
                stack.append(parent)
    return found


def bare(modules: list[Module]) -> Iterator[Finding]:
    """Modules without parameters whose layers stand in plain containers."""
    for module in modules:
        for name, value in list(vars(module).items()):
            layers = [] if name[:1] == "_" else modules_in(value)
            if any(list(one.parameters()) for one in layers) and not list(module.parameters()):
                yield kept_apart(type(module).__name__, name, code_of(module))


def refused(error: BaseException) -> Iterator[Finding]:
    """The tensor that an optimizer refused: what made it of a leaf."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    tensor = traceback.tb_frame.f_locals.get("param") if traceback is not None else None
    made = provenance(tensor)
    if made is not None and made.place is not None:
        yield Finding(
            "not-a-leaf",
            f"{made.name}() makes a new tensor here, not a leaf, and an optimizer takes leaves "
            "only: say requires_grad_() last, or make it an nn.Parameter of the result.",
            made.place,
            weight=3,
        )


def all_frozen(modules: list[Module], stack: Sequence[Place]) -> Iterator[Finding]:
    """The line that froze the last parameter, where a program asked for those that are not."""
    found = [p for module in modules for p in module.parameters()]
    frozen = [made_of(p) for p in found if not p.requires_grad]
    lines = [made for made in frozen if made.name == "requires_grad_" and made.place is not None]
    asked = any(text_of.mentions("requires_grad", place) for place in stack)
    if lines and (len(frozen) == len(found) or asked):
        yield Finding(
            "frozen",
            "Nothing is left to train: this line has frozen the last parameter that the optimizer "
            "could have got.",
            max(lines, key=lambda made: made.number).place,
            (
                f"{counted(len({id(p) for p in found}), 'parameter')} of the model, none of which "
                "requires a gradient.",
            )
            if len(frozen) == len(found)
            else (),
            weight=3,
        )


def was_raised_by_user(session: Session) -> bool:
    """Whether the program ended itself: a failed `assert`, a `raise` of its own."""
    frames = session.frames()
    if isinstance(session.error, (AssertionError, SystemExit)):
        return True
    here = text_of.statement(frames[-1].place) if frames else None
    return isinstance(here, (ast.Raise, ast.Assert))


def ledger(model: Module, *optimizers: Optimizer) -> Report:
    """What is wrong now between a model and its optimizers: who holds what, and at which rate.

    Finds parameters that no optimizer holds, layers in plain containers, tensors that are no
    Parameters, empty groups, rates of zero, and tensors held that are not of the model. Raises
    TypeError for what is no Module or no Optimizer, ValueError without an optimizer.

    >>> import seegrad as torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
    >>> print(ledger(model, torch.optim.SGD(model[1].parameters(), lr=0.1)))
    No optimizer holds 0.weight, 0.bias.
    """
    if not isinstance(model, Module):
        raise TypeError(f"ledger() needs a Module first, but got {type(model).__name__}")
    if not optimizers:
        raise ValueError("ledger() needs at least one optimizer after the model")
    for one in optimizers:
        if not isinstance(one, Optimizer):
            raise TypeError(f"ledger() needs optimizers, but got {type(one).__name__}")
    groups = [group for one in optimizers for group in one.param_groups]
    held = {id(p) for group in groups for p in group["params"]}
    found = [*unregistered(model, held), *unheld(model, held), *strangers(model, groups)]
    for number, group in enumerate(groups):
        if not group["params"]:
            found.append(Finding("optimizer-empty", f"Group {number} has no parameter."))
        elif not number_of(group.get("lr", 1.0)):
            found.append(Finding("learning-rate-zero", f"The rate of group {number} is 0."))
    return Report(found, "every parameter that requires a gradient is held at a rate above zero")


def unheld(model: Module, held: set[int]) -> Iterator[Finding]:
    """Parameters that require a gradient and are held by nobody."""
    names = [n for n, p in model.named_parameters() if p.requires_grad and id(p) not in held]
    if names:
        yield Finding("not-in-optimizer", f"No optimizer holds {listing(names)}.")


def strangers(model: Module, groups: list[dict[str, Any]]) -> Iterator[Finding]:
    """Held tensors of the shape of a parameter that is not held: most likely copies."""
    held = {id(p): p for group in groups for p in group["params"]}
    own = dict(model.named_parameters())
    known = {id(p) for p in own.values()}
    missing = {tuple(p.shape): n for n, p in own.items() if id(p) not in held}
    names = [
        missing[tuple(p.shape)]
        for number, p in held.items()
        if number not in known and tuple(p.shape) in missing
    ]
    if names:
        text = f"Instead of {listing(names)} an optimizer holds tensors of the same shapes."
        yield Finding("optimizer-holds-copies", text)


def unregistered(model: Module, held: set[int]) -> Iterator[Finding]:
    """Layers in plain containers and tensors that are no Parameters."""
    registered = {id(module) for module in model.modules()}
    for path, module in model.named_modules():
        for name, value in list(vars(module).items()):
            full = f"{path}.{name}" if path else name
            layers = [] if name[:1] == "_" else modules_in(value)
            if any(
                id(one) not in registered and next(one.parameters(), None) is not None
                for one in layers
            ):
                text = f"{full} keeps layers in a plain container; use nn.ModuleList."
                yield Finding("layers-in-list", text)
            elif isinstance(value, TensorBase) and requires(value) and id(value) not in held:
                text = f"{full} is a plain tensor, not an nn.Parameter."
                yield Finding("buffer-not-parameter", text)
        for name, value in module.named_buffers(path, recurse=False):
            if value.requires_grad and id(value) not in held:
                yield Finding("buffer-not-parameter", f"{name} is a buffer, not an nn.Parameter.")


def modules_in(value: Any, depth: int = 2) -> list[Module]:
    """The modules of a plain container, also of containers in it."""
    if isinstance(value, Module):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if not depth or not isinstance(value, (list, tuple, set)):
        return []
    return [module for one in value for module in modules_in(one, depth - 1)]


def listing(names: list[str]) -> str:
    """The first of some names."""
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return ", ".join(names[:4]) + more
