"""What a program did with gradients: which it read, reset and switched off, who optimises what.

All of it is noted where a call returns, with its line; nothing is concluded here.
"""

import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from seegrad.explain.places import Place, here, is_foreign
from seegrad.explain.record import Made, Record, made_of
from seegrad.explain.source.frames import named
from seegrad.explain.source.statements import use_of
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.observed import Listener, Observer
from seegrad.graph.tensor import TensorBase, requires
from seegrad.nn.modules.module import Module

__all__ = ["Leaf", "Look", "Optimizing", "Sightings"]

LOOKS = 200  # at gradients that are kept; programs that read more read the same ones


class Leaf:
    """A tensor that a pass reached, or that an optimizer holds."""

    __slots__ = ("fed", "first_at", "had_value", "last_at", "reached", "ref", "reset")

    def __init__(self, tensor: TensorBase) -> None:
        self.ref = weakref.ref(tensor)
        self.reached = 0  # by how many passes that accumulate
        self.first_at = self.last_at = 0
        self.had_value = False  # whether the program ever read a gradient that was there
        self.fed = False  # whether a step found a gradient that no pass had left there
        self.reset: tuple[Place | None, int] | None = None  # its last reset, and when


class Zeroed:
    """A gradient whose values were set to zero in place: where first, and when last."""

    __slots__ = ("at", "grad", "leaf", "place")

    def __init__(self, grad: TensorBase, leaf: Leaf, place: Place | None) -> None:
        self.grad = weakref.ref(grad)
        self.leaf = leaf
        self.place = place
        self.at = 0

    def is_last(self) -> bool:
        """Whether no pass has added to it since."""
        return self.at > self.leaf.last_at


class Found:
    """What a line that reads gradients found: how often zeros that were written, or others."""

    __slots__ = ("others", "ref", "where", "zeros")

    def __init__(self) -> None:
        self.zeros = self.others = 0
        self.where: Place | None = None  # the line that wrote them
        self.ref: Any = None  # the tensor of the last such gradient


class Look:
    """A read of `.grad` that found None."""

    def __init__(self, tensor: TensorBase, place: Place, name: str | None, record: Record) -> None:
        self.ref = weakref.ref(tensor)
        self.key = id(tensor)
        self.made: Made = made_of(tensor)
        self.place = place
        self.name = name
        self.passes = record.pass_count
        self.is_leaf = bool(tensor.is_leaf)  # type: ignore[attr-defined]
        self.requires = requires(tensor)
        self.use = use_of(place, "grad")
        self.reset: Place | None = tensor._reset_by
        self.again = False  # whether this line read None after another pass, too
        self.retained = False  # whether retain_grad() was called before, or after, and no pass yet


class Optimizing:
    """An optimizer: where it was made, what it was given, how often it stepped."""

    def __init__(self, optimizer: Any, place: Place | None, number: int) -> None:
        self.ref = weakref.ref(optimizer)
        self.place = place
        self.number = number
        self.params = [p for group in optimizer.param_groups for p in group["params"]]
        self.steps = 0
        self.idle = 0  # steps while everything that it holds was frozen
        self.first_step = 0
        self.step_place: Place | None = None


class Sightings(Observer):
    """Everything noted of one run."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.leaves: dict[int, Leaf] = {}
        self.looks: dict[tuple[int, Place], Look] = {}
        self.last_look: Look | None = None
        self.valued: set[Place] = set()  # lines that read a gradient that was there
        self.found: dict[Place, Found] = {}  # by line
        # What `autograd.grad` returned None for: its line, the outputs, the input.
        self.missing: deque[tuple[Place, tuple[Made, ...], weakref.ref[Any]]] = deque(maxlen=64)
        self.read: dict[int, set[Place]] = {}  # by tensor: the lines that read its gradient
        self.optimizers: list[Optimizing] = []
        # By tensor: the last line that set `requires_grad`, to what, and the tensor.
        self.flags: dict[int, tuple[Place | None, bool, weakref.ref[Any]]] = {}
        self.modules: list[weakref.ref[Any]] = []
        self.zeroed: dict[int, Zeroed] = {}  # by gradient
        self.last_read: tuple[weakref.ref[Any], weakref.ref[Any]] | None = None  # and its tensor
        self.forced: dict[int, Place | None] = {}  # by pass: where a loss was made a leaf
        self.retained: dict[int, tuple[int, weakref.ref[Any]]] = {}
        self.told: dict[str, Callable[..., None]] = {
            "grad.__get__": self.read_grad,
            "requires_grad.__set__": self.set_flag,
            "requires_grad_": self.set_flag,
            "Module.requires_grad_": self.set_flags,
            "Module.__init__": self.build,
            "retain_grad": self.retain,
            "Optimizer.__init__": self.optimize,
            "Optimizer.add_param_group": self.optimize_more,
            "Optimizer.step": self.step,
            "Optimizer.zero_grad": self.reset_optimizer,
            "Module.zero_grad": self.reset_module,
            "zero_": self.zero,
            "grad": self.return_grads,
        }

    def listener(self, entry: Entry) -> Listener | None:
        """Who notes calls of a function."""
        return self.told.get(entry.name)

    def leaf(self, tensor: TensorBase) -> Leaf:
        """What is noted of a leaf."""
        found = self.leaves.get(id(tensor))
        if found is None or found.ref() is not tensor:
            found = self.leaves[id(tensor)] = Leaf(tensor)
        return found

    def flag_of(self, tensor: Any) -> tuple[Place | None, bool] | None:
        """The last line that set `requires_grad` of a tensor, and to what."""
        found = self.flags.get(id(tensor))
        return found[:2] if found is not None and found[2]() is tensor else None

    def began(self, current: Pass) -> bool:
        """Notes losses that are leaves themselves."""
        made = self.record.passes[-1]
        for reference in made.root_leaves:
            flag = self.flag_of(reference())
            if flag is not None and flag[1]:
                self.forced[made.number] = flag[0]
        return False

    def ended(self, current: Pass) -> None:
        """Notes where a gradient arrived."""
        if current.captures is not None:
            return
        at = self.record.passes[-1].at
        for node in current.leaves():
            variable = node.variable  # type: ignore[attr-defined]
            leaf = self.leaf(variable)
            if variable._grad is not None:
                leaf.reached += 1
                leaf.first_at = leaf.first_at or at
                leaf.last_at = at

    # Calls

    def read_grad(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`x.grad`."""
        frame = sys._getframe(3)
        if is_foreign(frame.f_code.co_filename):
            return
        tensor, place = args[0], Place(frame.f_code, frame.f_lineno)
        lines = self.read.setdefault(id(tensor), set())
        if result is not None:
            lines.add(place)
            self.last_read = weakref.ref(result), weakref.ref(tensor)
            self.valued.add(place)
            self.leaf(tensor).had_value = True
            self.last_look = None
            self.note_found(tensor, result, place)
            return
        key = (id(tensor), place)
        known = self.looks.get(key)
        if known is None or known.ref() is not tensor or known.passes != self.record.pass_count:
            if known is None and len(self.looks) > LOOKS:
                return
            name = named(tensor, [frame.f_locals, frame.f_globals])
            again = known is not None
            known = self.looks[key] = Look(tensor, place, name, self.record)
            known.again = again
            asked = self.retained.get(id(tensor))
            known.retained = asked is not None and asked[1]() is tensor
            leaf = self.leaves.get(id(tensor))
            if leaf is not None and leaf.ref() is tensor and leaf.reset is not None:
                known.reset = leaf.reset[0]
        self.last_look = known

    def note_found(self, tensor: Any, grad: Any, place: Place) -> None:
        """Notes whether a gradient that is read was set to zero since the last pass."""
        found = self.found.setdefault(place, Found())
        zeroed = self.zeroed.get(id(grad))
        if zeroed is not None and zeroed.grad() is grad and zeroed.is_last():
            found.zeros += 1
            found.where, found.ref = zeroed.place, weakref.ref(tensor)
        else:
            found.others += 1

    def return_grads(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`autograd.grad(...)`: notes the inputs that it returned None for."""
        place = here(2)
        inputs = args[1] if len(args) > 1 else kwargs.get("inputs")
        if place is None or not isinstance(result, tuple) or not self.record.passes:
            return
        given = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
        for tensor, grad in zip(given, result, strict=False):
            if grad is None and isinstance(tensor, TensorBase):
                roots = self.record.passes[-1].roots
                self.missing.append((place, roots, weakref.ref(tensor)))

    def set_flag(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`x.requires_grad = flag`, `x.requires_grad_(flag)`."""
        tensor = args[0]
        flag = bool(args[1] if len(args) > 1 else kwargs.get("requires_grad", True))
        self.flags[id(tensor)] = (here(2), flag, weakref.ref(tensor))

    def set_flags(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`module.requires_grad_(flag)`."""
        for parameter in args[0].parameters():
            self.set_flag(entry, (parameter, *args[1:]), kwargs, None)

    def build(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A module is made."""
        self.modules.append(weakref.ref(args[0]))

    def is_buffer(self, tensor: Any) -> bool:
        """Whether a module has a tensor as a buffer."""
        modules = [module for one in self.modules if (module := one()) is not None]
        return any(one is tensor for module in modules for one in module._buffers.values())

    def retain(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`x.retain_grad()`."""
        self.retained[id(args[0])] = (self.record.pass_count, weakref.ref(args[0]))
        for look in self.looks.values():
            if look.key == id(args[0]) and look.ref() is args[0]:
                look.retained = True

    def optimize(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """An optimizer is made."""
        made = Optimizing(args[0], here(2), self.record.now())
        self.optimizers.append(made)
        for param in made.params:
            self.leaf(param)

    def optimize_more(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """An optimizer gets more parameters."""
        groups = args[0].param_groups
        for one in self.optimizers:
            if one.ref() is args[0]:
                one.params = [p for group in groups for p in group["params"]]

    def step(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """An optimizer steps."""
        for one in self.optimizers:
            if one.ref() is args[0]:
                one.steps += 1
                one.idle += not any(map(requires, one.params))
                one.first_step = one.first_step or self.record.now()
                one.step_place = one.step_place or here(2)
                for param in one.params if one.steps < 9 else ():
                    if param._grad is not None:
                        leaf = self.leaf(param)
                        leaf.fed = leaf.fed or not leaf.reached

    def reset_optimizer(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`optimizer.zero_grad()`."""
        self.reset(p for group in args[0].param_groups for p in group["params"])

    def reset_module(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`module.zero_grad()`."""
        if isinstance(args[0], Module):
            self.reset(args[0].parameters())

    def reset(self, tensors: Iterable[Any]) -> None:
        """Notes that gradients were put away here."""
        place = here(3)
        for tensor in tensors:
            leaf = self.leaf(tensor)
            if tensor._grad is not None and leaf.reached:
                self.note_zeroed(tensor._grad, leaf, place)
            if tensor._grad is None and (leaf.reset is None or leaf.last_at > leaf.reset[1]):
                leaf.reset = (place, self.record.now())

    def zero(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`x.grad.zero_()`."""
        grad, owner = self.last_read or (None, None)
        tensor = owner() if grad is not None and owner is not None and grad() is args[0] else None
        if tensor is not None:
            self.note_zeroed(args[0], self.leaf(tensor), here(2))

    def note_zeroed(self, grad: Any, leaf: Leaf, place: Place | None) -> None:
        """Notes that the values of a gradient were set to zero in place."""
        known = self.zeroed.get(id(grad))
        if known is None or known.grad() is not grad:
            known = self.zeroed[id(grad)] = Zeroed(grad, leaf, place)
        known.at = self.record.now()
