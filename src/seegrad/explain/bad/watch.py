"""What bad values did: losses, gradients, parameters that became NaN or infinite, and who asked.

A loss or a gradient that is bad is harm, unless the program notices it and leaves the step out, as
loss scalers do: `BadWatch.handled`.
"""

from collections import deque
from functools import partial
from typing import Any

import numpy as np

from seegrad.explain.bad.cancelled import CURVED, is_near, is_quotient, is_variance, lost_digits
from seegrad.explain.bad.finite import has_nan, is_finite, vdot
from seegrad.explain.bad.replay import FEW, Lost, Replay
from seegrad.explain.bad.steps import BadStep, Steps, again, is_plain
from seegrad.explain.bad.values import Bad, BadValues, plain_name
from seegrad.explain.places import Place, here, users_frame, users_from
from seegrad.explain.record import EXITS, Made, Record, ancestors, is_write, made_of, provenance
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.node import Node
from seegrad.graph.observed import Listener
from seegrad.graph.state import ANOMALY
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["BadPass", "BadWatch"]

ASKING = frozenset(["isfinite", "isnan", "isinf", "nan_to_num", "nan_to_num_"])
SHOWING = EXITS | {"__repr__", "__str__"}
LOGS = frozenset(["log", "log2", "log10"])
# What a difference may be made of, besides curved functions.
NOTED = frozenset(
    ["mul", "neg", "abs", "square", "mean", "sum", "matmul", "mm", "mv", "dot", "__getitem__"]
    + ["unsqueeze", "tensor", "legacy_tensor", "as_tensor"]
)
NEAR_ONE = 1e-5  # farther from one a logarithm has two right digits at least
RISES = 8  # losses that say how it goes
FAR = 20.0
KEPT = 64  # bad passes, and losses of a line


class BadPass:
    """A backward pass that began with a bad loss, or ended with a bad gradient."""

    __slots__ = (
        "asked",
        "made_leaf",
        "nan",
        "number",
        "place",
        "raised",
        "root",
        "step",
        "stepped",
        "steps",
    )

    def __init__(self, number: int, place: Place | None, root: Bad | None) -> None:
        self.number = number
        self.place = place
        self.root = root
        self.steps: Steps | None = None  # told of as they run
        self.step: BadStep | None = None
        self.nan = root is not None and root.nan
        self.raised = False  # whether an error ended it
        self.asked = False  # whether the program looked at it
        self.stepped = False  # whether parameters were changed with it
        self.made_leaf: Place | None = None  # the line that computed a leaf anew: w = w - lr * g


class Growth:
    """Losses of one line, or norms of one parameter: the first, the smallest, the last one."""

    def __init__(self, factor: float) -> None:
        self.factor = factor
        self.count = 0
        self.first = self.least = self.last = float("nan")
        self.later = float("inf")  # the smallest one after the first
        self.rises = 0

    def add(self, value: float) -> None:
        """One more; what is not finite ends it."""
        if abs(value) < float("inf"):
            self.count += 1
            if self.count == 1:
                self.first = self.least = value
            else:
                self.later = min(self.later, value)
                self.rises += value > self.last
            self.least = min(self.least, value)
            self.last = value

    def is_explosion(self, factor: float | None = None) -> bool:
        """Whether it grew beyond anything that is learning."""
        bound = (factor or self.factor) * max(self.least, 1)
        return self.count > 1 and self.last > bound

    def is_rising(self) -> bool:
        """Whether it never stopped growing, far beyond where it began."""
        return self.count > RISES and self.rises == self.count - 1 and self.is_explosion()

    def is_far(self) -> bool:
        """Whether the first step made it large, and it never came back."""
        return self.count > RISES and self.later > FAR * max(self.first, 1)


class BadWatch(BadValues):
    """Observes results, passes and optimizers."""

    replays = False  # whether calls are kept, to be made once more with more digits

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self.count = 0  # of passes
        self.last_good = 0
        self.open: dict[Pass, BadPass] = {}
        self.passes: list[BadPass] = []
        self.losses: dict[Place | None, Growth] = {}
        self.norms: dict[int, Growth] = {}
        self.optimizers: dict[int, Place | None] = {}
        self.rates: list[float] = []  # learning rates
        self.steps = 0
        self.stepper: int | None = None  # the optimizer that stepped last
        self.updated: Place | None = None  # the line that last wrote a parameter by hand
        self.poisoned: tuple[int, Place | None] | None = None
        # By line: the last value that left the world of tensors, if bad, and the passes before.
        self.shown: dict[Place | None, tuple[Bad, int]] = {}
        self.looked: deque[Made] = deque(maxlen=KEPT)  # what left so, or was printed
        self.failure: tuple[BaseException, Bad] | None = None
        self.tested: Bad | None = None
        self.replay = Replay()
        self.vanished: list[Lost] = []  # differences that are mostly rounding
        self.calls: dict[int, Any] = {}  # of these the places in the code
        self.right: set[Any] = set()  # places in the code whose differences were right once
        self.quotients: list[tuple[Made, Made]] = []  # with the difference above
        self.variances: list[tuple[Made, float]] = []  # mean of squares minus square of mean

    def listener(self, entry: Entry) -> Listener | None:
        """Besides results: optimizers, passes, values shown."""
        name = entry.name
        if name in SHOWING:
            return self.showed
        if name in ASKING:
            return self.asked
        if entry.place == "torch.optim":
            return {"Optimizer.__init__": self.made_optimizer, "Optimizer.step": self.stepped}.get(
                name
            )
        if plain_name(name) in ("sub", "add") and not is_write(name):
            return self.subtracted
        if plain_name(name) == "div" and not is_write(name):
            return self.divided
        if plain_name(name) in CURVED and not is_write(name):
            return self.curved
        if self.replays and plain_name(name) in NOTED and not is_write(name):
            return self.noted
        if name == "backward" or (name == "grad" and entry.place == "torch.autograd"):
            return self.ran
        return super().listener(entry)

    def subtracted(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A difference, or a sum of what was one: notes where digits were lost."""
        self.saw(entry, args, kwargs, result)
        made = provenance(result)
        if made is None or not isinstance(args[0], TensorBase):
            return
        if self.replays:
            self.replay.note(entry, args, kwargs, result, FEW)
            if made in self.replay and any(parent in self.replay for parent in made.parents):
                self.ask(entry, args, kwargs, result, is_near(args, result._array))
        names = {parent.name for parent in made.parents}
        if plain_name(entry.name) == "add" and not names & {"sub", "neg", "mul", "__rsub__"}:
            return
        operand = args[0]._array
        if operand.shape == result._array.shape:
            units, rounding = lost_digits(result._array, operand)
            if units < np.inf:
                self.lose(made, units, rounding)

    def curved(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A root, a logarithm, a cosine: of 1 + x a logarithm may have nothing left."""
        self.saw(entry, args, kwargs, result)
        made = provenance(result)
        if made is None or not isinstance(args[0], TensorBase) or not self.replays:
            return
        self.replay.note(entry, args, kwargs, result)
        if plain_name(entry.name) in LOGS and any(one in self.replay for one in made.parents):
            array = args[0]._array
            near = array.size and array.size <= FEW and abs(array - 1).min() < NEAR_ONE
            self.ask(entry, args, kwargs, result, bool(near))

    def noted(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """What a difference may be made of."""
        self.saw(entry, args, kwargs, result)
        if entry.name in ("tensor", "as_tensor"):
            self.replay.note_data(args, result)
        else:
            self.replay.note(entry, args, kwargs, result, FEW)

    def ask(self, entry: Entry, args: Any, kwargs: Any, result: Any, doubtful: bool) -> None:
        """Whether a difference is mostly rounding."""
        frame = users_frame(3)
        call = None if frame is None else (frame.f_code, frame.f_lasti)
        if doubtful and self.replay.is_tired(call):
            return
        lost = self.replay.lost(entry, args, kwargs, result) if doubtful else None
        if lost is None or not lost.mostly:
            self.right.add(call)
        if lost is not None:
            self.vanished = [*self.vanished[1 - KEPT :], lost]
            self.calls[lost.made.number] = call

    def lose(self, made: Made, units: float, rounding: float) -> None:
        """Remembers a difference that lost digits."""
        self.lost[made.number] = made, rounding, units
        if len(self.lost) > KEPT:
            del self.lost[next(iter(self.lost))]
        if is_variance(made.parents):
            self.variances = [*self.variances[: KEPT - 1], (made, units)]

    def divided(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A quotient: notes where a difference that lost all digits is divided by as little."""
        self.saw(entry, args, kwargs, result)
        made = provenance(result)
        if self.replays:
            self.replay.note(entry, args, kwargs, result, FEW)
        if not self.lost or made is None or len(made.parents) != 2 or len(args) != 2:
            return
        difference, below = made.parents
        _, _, units = self.lost.get(difference.number, (None, 0.0, np.inf))
        if is_quotient(difference, units, below, args[1]._array):
            self.quotients = [*self.quotients[: KEPT - 1], (made, difference)]

    # Passes

    def began(self, current: Pass) -> bool:
        """A pass begins: keeps what it will free (Note [Run again])."""
        self.count += 1
        number, events = self.count, self.events
        passed = self.record.passes[-1] if self.record.passes else None
        root = None
        if events and passed is not None:
            root = next((events[m.number] for m in passed.roots if m.number in events), None)
        event = self.open[current] = BadPass(number, here(3), root)
        order = current.order
        kept: list[tuple[Node, Any]] = []
        current.callbacks.append(partial(self.concluded, current, kept))
        if ANOMALY.enabled or not all(map(is_plain, order)):
            event.steps = Steps()
            return True
        if not current.keep:
            kept += [(node, node._saved) for node in order]
        return False

    def before(self, node: Node, grad: Any, current: Pass) -> None:
        """Where a pass is told of its steps."""
        steps = self.open[current].steps
        if steps is not None:
            steps.before(node, grad, current)

    def after(self, node: Node, grad: Any, outs: Any, current: Pass) -> None:
        """Where a pass is told of its steps."""
        steps = self.open[current].steps
        if steps is not None:
            steps.after(node, grad, outs, current)

    def ended(self, current: Pass) -> None:
        """The pass is over: it was concluded, or an error ended it."""
        event = self.open.pop(current, None)  # None where it began before this observed
        if event is not None and event.steps is not None and event.steps.running is not None:
            event.step = event.steps.failed_at(current)
            if event.step is not None:
                event.nan = event.raised = True
                self.passes = [*self.passes[: KEPT - 1], event]

    def concluded(self, current: Pass, kept: list[tuple[Node, Any]]) -> None:
        """All nodes of a pass have run: looks at the gradients that arrived."""
        event = self.open[current]
        bad = [grad for grad in arrived(current) if not is_finite(grad)]
        if not bad and event.root is None:
            self.last_good = event.number
            return
        event.nan = event.nan or any(has_nan(grad) for grad in bad)
        if event.root is None:
            steps = event.steps or again(current, kept)
            found = list({id(step): step for step in steps.origin.values()}.values())
            arrivals = list(steps.leaves.values()) or found
            event.step = next((s for s in found if s in arrivals), None)
        made = [leaf.variable._made for leaf in current.leaves()]  # type: ignore[attr-defined]
        computed = [m for m in made if m is not None and m.parents and m.name != "Parameter"]
        event.made_leaf = computed[0].place if computed else None
        self.harmed(event)

    def harmed(self, event: BadPass) -> None:
        """A pass was bad."""
        self.passes = [*self.passes[: KEPT - 1], event]

    def ran(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`backward` or `autograd.grad` returned: notes the loss."""
        if entry.name == "grad":
            self.saw(entry, args, kwargs, result)
        loss = args[0] if args else kwargs.get("outputs", kwargs.get("tensors"))
        if isinstance(loss, TensorBase) and loss._array.size == 1:
            growth = self.losses.setdefault(here(3), Growth(1e3))
            growth.add(abs(complex(loss._array.reshape(-1)[0])))

    # Parameters

    def made_optimizer(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """An optimizer was made: its line, and the first norms."""
        self.optimizers[id(args[0])] = maker(args[0])
        groups = args[0].param_groups
        self.rates += [float(group["lr"]) for group in groups if "lr" in group][:KEPT]
        self.measure(parameters_of(args[0]))

    def stepped(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`optimizer.step()`."""
        self.steps += 1
        self.stepper = id(args[0])
        self.changed(parameters_of(args[0]), here(3))

    def wrote(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A write by hand into a parameter, also through its `.data`."""
        super().wrote(entry, args, kwargs, result)
        written = args[0]
        if isinstance(written, TensorBase) and written._node is None and self.count:
            through = ancestors(made_of(written), 2)
            if requires(written) or any(made.name == "data.__get__" for made in through):
                self.updated = here(3)
                self.changed([written], self.updated)

    def changed(self, parameters: list[Any], place: Place | None) -> None:
        """Parameters got new values."""
        if self.passes and self.passes[-1].number == self.count:
            self.passes[-1].stepped = True
        if not self.measure(parameters) and self.poisoned is None:
            self.poisoned = self.count, place

    def measure(self, parameters: list[Any]) -> bool:
        """Notes the norms; whether all are finite."""
        fine = True
        for parameter in parameters:
            array = parameter._array
            square = abs(complex(vdot(array, array)))
            self.norms.setdefault(id(parameter), Growth(1e2)).add(square**0.5)
            fine = fine and (square < float("inf") or is_finite(array))
        return fine

    # Values that the program looked at

    def asked(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`isfinite` and the like."""
        self.noticed()
        self.saw(entry, args, kwargs, result)

    def noticed(self) -> None:
        """The program knows of the last pass whether it was bad."""
        if self.passes and self.passes[-1].number == self.count:
            self.passes[-1].asked = True

    def showed(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A value left the world of tensors."""
        tensor = args[0]
        if not isinstance(tensor, TensorBase):
            return
        if tensor._made is not None:
            self.looked.append(tensor._made)
        place = here(3)
        if tensor._array.dtype.kind == "b":
            above = ancestors(made_of(tensor), 6) if self.events else ()
            self.tested = next((e for m in above if (e := self.events.get(m.number))), None)
        elif is_finite(tensor._array):
            self.shown.pop(place, None)
        else:
            self.shown[place] = self.found(tensor, place), self.count
            if place is not None and any(word in place.text for word in ASKING):
                self.noticed()

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """A call refused a bad value."""
        for value in (*args, *kwargs.values()):
            if isinstance(value, TensorBase) and not is_finite(value._array):
                self.failure = error, self.found(value, here(3))
                return

    def handled(self, event: BadPass) -> bool:
        """Whether the program noticed, left the step out, and went on well."""
        poisoned = self.poisoned is not None and self.poisoned[0] >= event.number
        if poisoned or self.last_good < event.number:
            return False
        return event.asked or event.raised or (self.steps > 0 and not event.stepped)


def maker(made: Any) -> Place | None:
    """The line that calls the class of an object, not one of a class's own `__init__`."""
    frame = users_frame(3)
    while frame is not None and frame.f_code.co_name == "__init__":
        if not any(value is made for value in frame.f_locals.values()):
            break
        frame = None if frame.f_back is None else users_from(frame.f_back)
    return None if frame is None else Place(frame.f_code, frame.f_lineno)


def parameters_of(optimizer: Any) -> list[Any]:
    """The parameters that an optimizer holds."""
    return [one for group in optimizer.param_groups for one in group["params"]]


def arrived(current: Pass) -> list[Any]:
    """The gradients that a pass brought to leaves, or that were asked for, as arrays."""
    if current.captures is not None:
        found = list(current.captured.values())
    else:
        leaves = current.leaves()
        found = [leaf.variable._grad for leaf in leaves]  # type: ignore[attr-defined]
    return [getattr(grad, "_array", grad) for grad in found if grad is not None]
