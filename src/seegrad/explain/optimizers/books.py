"""Accounts of a run: what optimizers hold and did, what reached parameters, what threw it away.

Note [Books]: accounts hold their tensors, modules and optimizers weakly, so that watching keeps
nothing alive, and copy what the end will ask for. They are kept by number of object (`id`), which
may be given again: an account counts only while its object is the one that asks.
"""

import sys
import weakref
from collections import Counter
from types import CodeType, FrameType, FunctionType
from typing import Any

from seegrad.explain.optimizers.ties import Ties
from seegrad.explain.places import Place, here, is_foreign, runs_within
from seegrad.explain.record import Made, Record, ancestors, made_of, moment, provenance
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter

__all__ = ["Books", "Held", "Leaf", "ModuleMade", "Site"]

PENDING = 64  # passes whose gradient a leaf remembers to hold
MODULES = 5_000  # so many are tracked


class Site:
    """What became of the passes that one line ran."""

    __slots__ = ("count", "followed", "place", "read", "thrown", "used")

    def __init__(self, place: Place | None) -> None:
        self.place = place
        self.count = self.used = self.read = 0
        self.thrown: Counter[Place | None] = Counter()  # by the line that reset the gradients
        # The optimizers that stepped before the next pass, and where.
        self.followed: Counter[tuple[Held, Place | None]] = Counter()


class Ran:
    """One pass whose gradients are still about."""

    __slots__ = ("alive", "looked", "site", "used")

    def __init__(self, site: Site) -> None:
        self.site = site
        self.alive = 0  # leaves of optimizers that hold its gradient
        self.used = self.looked = False


class Hand:
    """How a leaf is changed by the program's own hand: sums tell whether something changed."""

    __slots__ = ("moves", "seen", "twice", "values")

    def __init__(self) -> None:
        self.moves = self.twice = 0  # changes between passes; those that left the gradient as is
        self.values: float | None = None  # sum of the values at the last pass
        self.seen: float | None = None  # sum of the gradient when it was read last


class Leaf:
    """A leaf that a pass reached or an optimizer holds."""

    __slots__ = (
        "first", "frozen", "hand", "held", "holders", "is_parameter", "last", "loaded", "lost",
        "made", "moved", "name", "number", "owner", "passes", "pending", "read", "ref", "reset",
        "shape", "sites", "start", "taken", "thrown", "together", "training", "wanted",
    )  # fmt: skip

    def __init__(self, tensor: Any, number: int) -> None:
        self.ref = weakref.ref(tensor)
        self.number = number
        self.is_parameter = isinstance(tensor, Parameter)
        self.shape = tuple(tensor._array.shape)
        self.made: Made = made_of(tensor)
        self.name: str | None = None
        self.holders: set[Held] = set()
        self.held = False  # whether an optimizer ever held it
        self.passes = 0
        self.first = self.last = 0  # numbers of passes
        self.sites: set[Site] = set()
        self.pending: list[Ran] = []
        self.read = self.wanted = False  # its gradient was read, or asked for by name
        self.loaded = self.frozen = False
        self.moved = False  # by others than an optimizer
        self.reset: Place | None = None
        self.taken = False  # whether a step has used the gradient that is there
        self.lost = False  # whether the last gradient was reset before any step had used it
        self.thrown: dict[Place | None, int] = {}  # where that was, and the pass before it
        self.hand = Hand()
        self.start: float | None = None  # sum of the values at the first pass
        self.together: set[Held] = set()  # optimizers of other leaves of its passes
        self.owner: Owner | None = None
        self.training = True


class Owner:
    """Which module a leaf is an attribute of, and how it hangs together with others."""

    __slots__ = ("attribute", "code", "how", "inside", "kind", "list_name", "made", "place")

    def __init__(self, module: Module, attribute: str, how: str, place: Place | None) -> None:
        self.kind = type(module).__name__
        self.code = code_of(module)  # of its `__init__`, by which its file is found
        self.attribute = attribute
        self.how = how  # "parameter", "buffer", "attribute", "listed"
        self.place = place  # where the module was made
        # When and where the module, and those around it, were made; the outermost last.
        self.made: list[tuple[int, Place | None]] = []
        self.list_name: str | None = None  # the plain attribute of the module that has it
        self.inside: str | None = None  # the class of the module that uses it


class Held:
    """An optimizer's account."""

    __slots__ = (
        "born", "clean", "dirty", "empty_groups", "empty_steps", "factors", "frozen_steps", "kind",
        "leaves", "lr_first", "number", "owned", "place", "proper", "rates", "reached",
        "reached_passes", "ref", "scheduled", "stack", "steps", "thrown", "twice", "where",
        "zeroed",
    )  # fmt: skip

    def __init__(self, optimizer: Any, number: int, place: Place | None) -> None:
        self.ref = weakref.ref(optimizer)
        self.kind = type(optimizer).__name__
        self.number = number
        self.place = place
        self.born = moment()
        self.stack: list[Place] = []
        self.leaves: dict[int, Leaf] = {}
        self.owned = False  # whether a module has one of its parameters
        self.empty_groups = 0
        self.steps = self.empty_steps = self.proper = self.twice = self.zeroed = 0
        self.where: Counter[Place | None] = Counter()  # lines of steps
        self.thrown: Counter[Place | None] = Counter()
        self.clean = True  # gradients were away at some time since the last step
        self.reached = False  # by a pass since the last step
        self.reached_passes = 0
        self.rates: list[list[float]] = []  # a group's rates, one a step
        self.scheduled: Place | None = None
        self.factors: list[CodeType] = []  # the functions that a scheduler multiplies rates by
        self.frozen_steps = 0  # over parameters none of which requires a gradient
        self.dirty = 0  # passes that found a gradient there
        self.lr_first: list[float] = []

    @property
    def only_zeros(self) -> bool:
        """Whether passes reach its parameters, with gradients of zero only."""
        return self.reached_passes > 0 and self.steps == self.empty_steps


class ModuleMade:
    """A module, the line that made it and the module whose method called it first."""

    __slots__ = ("born", "built_in", "caller", "calls", "last", "outer", "place", "ref")

    def __init__(self, module: Module, stack: list[Place]) -> None:
        self.ref = weakref.ref(module)
        self.born = moment()
        self.place = stack[0] if stack else None
        self.outer = stack[1] if len(stack) > 1 else None  # where that line's function was called
        self.built_in: str | None = None  # the class in whose forward it was made
        self.caller: weakref.ref[Module] | None = None
        self.calls = 0
        self.last: Made | None = None  # of its last output


class Books:
    """Keeps the accounts."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.leaves: dict[int, Leaf] = {}
        self.optimizers: dict[int, Held] = {}
        self.all_optimizers: list[Held] = []
        self.modules: dict[int, ModuleMade] = {}
        self.sites: dict[Place | None, Site] = {}
        self.pass_number = 0
        self.last: Ran | None = None  # the last pass
        self.last_leaves: set[int] = set()
        self.gone: list[Leaf] = []
        self.built: dict[Place | None, str] = {}  # lines that make layers in a forward
        self.ties = Ties()
        self.broken: list[tuple[str, str, Leaf, Leaf]] = []
        self.fixed: dict[int, Owner] = {}  # tensors of modules that are no parameters, by number
        self.missed: dict[int, Owner] = {}  # of those: whose gradient was read and is None
        self.compared: list[tuple[Made, Place | None]] = []
        self.unequal: list[tuple[Made, Made]] = []  # compared, and not equal
        self.last_pair: tuple[Made, Made, Place | None] | None = None  # compared last

    def listener(self, entry: Entry) -> Listener | None:
        """Who keeps account of a function."""
        return {
            "Optimizer.__init__": self.made_optimizer,
            "Optimizer.add_param_group": self.added_group,
            "Optimizer.step": self.stepped,
            "Optimizer.zero_grad": self.zeroed,
            "Module.zero_grad": self.zeroed_module,
            "grad.__set__": self.reset_grad,
            "grad.__delete__": self.reset_grad,
            "grad.__get__": self.read_grad,
            "Module.__init__": self.made_module,
            "Module.__call__": self.called_module,
            "LRScheduler.__init__": self.scheduled,
            "grad": self.asked_gradient,
            "Parameter": self.made_parameter,
            "equal": self.compared_tensors,
            "allclose": self.compared_tensors,
            "eq": self.compared_tensors,
            "__eq__": self.compared_tensors,
            "isclose": self.compared_tensors,
            "Module.load_state_dict": self.loaded,
        }.get(entry.name)

    # Accounts

    def leaf(self, tensor: Any) -> Leaf:
        """The account of a leaf."""
        found = self.leaves.get(id(tensor))
        if found is None or found.ref() is not tensor:
            if found is not None:
                self.gone.append(found)
            found = self.leaves[id(tensor)] = Leaf(tensor, len(self.leaves) + len(self.gone))
        return found

    def all_leaves(self) -> list[Leaf]:
        """All accounts of leaves, the oldest first."""
        return sorted([*self.gone, *self.leaves.values()], key=lambda leaf: leaf.number)

    def account(self, optimizer: Any) -> Held | None:
        """The account of an optimizer, None where it was made before the watch."""
        found = self.optimizers.get(id(optimizer))
        return found if found is not None and found.ref() is optimizer else None

    # Calls

    def made_optimizer(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """An optimizer was made."""
        optimizer = args[0]
        stack = outside_of(optimizer, 3)
        held = Held(optimizer, len(self.all_optimizers), stack[0] if stack else None)
        held.stack = stack
        self.optimizers[id(optimizer)] = held
        self.all_optimizers.append(held)
        for group in optimizer.param_groups:
            self.hold(held, group)
        held.owned = any(
            id(one) in held.leaves for m in self.living() for one in m._parameters.values()
        )

    def added_group(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A group came later."""
        held = self.account(args[0])
        if held is not None:
            self.hold(held, args[0].param_groups[-1])

    def hold(self, held: Held, group: dict[str, Any]) -> None:
        """An optimizer holds the parameters of a group."""
        held.empty_groups += not group["params"]
        held.rates.append([])
        held.lr_first.append(number_of(group.get("lr", 1.0)))
        for parameter in group["params"]:
            leaf = held.leaves[id(parameter)] = self.leaf(parameter)
            leaf.holders.add(held)
            leaf.frozen = not parameter.requires_grad
            leaf.held = True

    def scheduled(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A scheduler took an optimizer over."""
        held = self.account(getattr(args[0], "optimizer", None))
        places = outside_of(args[0], 3)
        if held is not None and places:
            held.scheduled = places[0]
            held.factors = [
                one.__code__
                for one in getattr(args[0], "lr_lambdas", ())
                if isinstance(one, FunctionType)
            ]

    def stepped(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """An optimizer stepped."""
        held = self.account(args[0])
        if held is None:
            return
        place = here(3)
        held.steps += 1
        held.where[place] += 1
        parameters = [p for group in args[0].param_groups for p in group["params"]]
        for rates, group in zip(held.rates, args[0].param_groups, strict=False):
            rates.append(number_of(group.get("lr", 1.0)))
        if self.last is not None:
            self.last.site.followed[held, place] += 1
            held.proper += not self.last_leaves.isdisjoint(held.leaves)
        held.frozen_steps += not any(p.requires_grad for p in parameters)
        if not any(has_gradient(p) for p in parameters):
            held.empty_steps += 1
            reached = [leaf for leaf in held.leaves.values() if leaf.passes]
            if held.reached and not any(leaf.pending for leaf in reached):
                if any(leaf.lost for leaf in reached):
                    held.thrown[reached[0].reset] += 1
            elif held.reached:
                self.note_zeroed_by_hand(held, parameters)
        elif held.reached and held.steps > 1 and not held.clean:
            held.twice += 1
        held.clean = held.reached = False
        for leaf in held.leaves.values():
            leaf.taken, leaf.lost = True, False
            for ran in leaf.pending:
                if not ran.used:
                    ran.used = True
                    ran.site.used += 1

    def note_zeroed_by_hand(self, held: Held, parameters: list[Any]) -> None:
        """All gradients are zero before a step: whether the program wrote these zeros."""
        for parameter in parameters:
            writes = self.record.writes_to(parameter._grad) if parameter._grad is not None else []
            if writes and writes[-1].name in ("zero_", "fill_", "mul_", "copy_"):
                held.thrown[writes[-1].place] += 1
                return

    def zeroed(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """An optimizer forgot its gradients."""
        held = self.account(args[0])
        if held is not None:
            place = here(3)
            held.zeroed += 1
            self.reset(held.leaves.values(), place)

    def zeroed_module(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A module forgot its gradients."""
        found = [self.leaves.get(id(p)) for p in args[0].parameters()]
        self.reset([leaf for leaf in found if leaf is not None], here(3))

    def reset_grad(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`p.grad = None`."""
        leaf = self.leaves.get(id(args[0]))
        if leaf is not None and (len(args) < 2 or args[1] is None):
            self.reset([leaf], here(3))

    def reset(self, leaves: Any, place: Place | None) -> None:
        """Gradients were put away."""
        for leaf in leaves:
            leaf.reset = place
            if leaf.pending and not leaf.taken:
                leaf.lost, leaf.thrown[place] = True, leaf.last
            for held in leaf.holders:
                held.clean = True
            for ran in leaf.pending:
                ran.alive -= 1
                if not ran.alive and not ran.used and not ran.looked:
                    ran.site.thrown[place] += 1
            leaf.pending.clear()

    def read_grad(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """The program looked at a gradient."""
        if is_foreign(sys._getframe(3).f_code.co_filename):
            return
        if result is None:
            owner = self.fixed.get(made_of(args[0]).number)
            if owner is not None:
                self.missed[made_of(args[0]).number] = owner
            return
        leaf = self.leaves.get(id(args[0]))
        if leaf is not None and leaf.ref() is args[0]:
            leaf.read = True
            if not leaf.held and leaf.passes < 9:
                leaf.hand.seen = float(result._array.sum())
        if self.last is not None and not self.last.looked:
            self.last.looked = True
            self.last.site.read += 1

    def asked_gradient(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`autograd.grad` was asked for gradients by name."""
        inputs = args[1] if len(args) > 1 else kwargs.get("inputs")
        for one in inputs if isinstance(inputs, (list, tuple)) else [inputs]:
            if getattr(one, "_node", one) is None:  # not of an iterator, which is used up
                self.leaf(one).wanted = True

    def compared_tensors(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """The program compared values; distributions compare those of arguments, too."""
        if runs_within("distributions"):
            return
        if len(args) > 1 and isinstance(args[0], TensorBase) and isinstance(args[1], TensorBase):
            self.last_pair = made_of(args[0]), made_of(args[1]), here(3)
            if result is False and len(self.unequal) < PENDING:
                self.unequal.append(self.last_pair[:2])
        if self.fixed and len(self.compared) < 1000:
            self.compared += [
                (made_of(one), here(3)) for one in args[:2] if isinstance(one, TensorBase)
            ]

    # Modules

    def has_both(self, one: Leaf, other: Leaf) -> bool:
        """Whether a module still has two parameters: none took the place of the other."""
        return any(
            {id(one.ref()), id(other.ref())}
            <= {id(parameter) for parameter in module.parameters()}
            for module in self.living()
        )

    def where_made(self, place: Place | None, since: int) -> Place | None:
        """The line that made a module after a moment: not one that has made such ones before."""
        made = [one for one in self.modules.values() if one.place == place]
        if any(one.born < since for one in made):
            return next((one.outer for one in made if one.born > since and one.outer), place)
        return place

    def living(self) -> list[Module]:
        """The modules that there are."""
        return [m for made in self.modules.values() if (m := made.ref()) is not None]

    def made_parameter(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A Parameter was made, which may take the place of a shared one."""
        self.ties.look(self.living(), here(3))

    def made_module(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A module is being made."""
        if len(self.modules) >= MODULES:
            self.modules = {k: m for k, m in self.modules.items() if m.ref() is not None}
            if len(self.modules) >= MODULES:
                return
        self.ties.look(self.living(), here(3))
        frames = frames_outside(args[0], 3)
        made = ModuleMade(args[0], [place_of(frame) for frame in frames[:2]])
        if frames and frames[0].f_code.co_name == "forward":
            inside = frames[0].f_locals.get("self")
            made.built_in = type(inside).__name__ if isinstance(inside, Module) else None
            self.built[made.place] = type(inside).__name__
        self.modules[id(args[0])] = made

    def loaded(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A module got values from elsewhere: who does not train it has trained it before."""
        for parameter in args[0].parameters():
            self.leaf(parameter).loaded = True

    def called_module(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A module was called; the first time it is noted by which module."""
        made = self.modules.get(id(args[0]))
        if made is None:
            return
        for one in args[1:]:
            if getattr(one, "_requires_grad", False) is True and one._node is None:
                self.leaf(one).wanted = True  # data, whose gradient the program is after
        made.calls += 1
        made.last = provenance(result)
        if made.calls == 1:
            frame: FrameType | None = sys._getframe(3)
            while frame is not None and is_foreign(frame.f_code.co_filename):
                frame = frame.f_back
            caller = frame.f_locals.get("self") if frame is not None else None
            if isinstance(caller, Module) and caller is not args[0]:
                made.caller = weakref.ref(caller)

    # Passes

    def began(self, current: Pass) -> None:
        """A pass is about to reach leaves."""
        if current.captures is not None:
            return
        place = here(3)
        site = self.sites.get(place)
        if site is None:
            site = self.sites[place] = Site(place)
        site.count += 1
        self.pass_number += 1
        ran = self.last = Ran(site)
        variables = [node.variable for node in current.leaves()]  # type: ignore[attr-defined]
        leaves = [self.leaf(variable) for variable in variables]
        # Without those that the program has dropped.
        holders = {held for leaf in leaves for held in leaf.holders if held.ref() is not None}
        self.last_leaves = {id(variable) for variable in variables}
        for held in holders:
            held.reached = True
            held.reached_passes += 1
            if held.kind == "LBFGS":  # which runs several passes a step
                held.dirty += any(has_gradient(one) for one in variables if id(one) in held.leaves)
        new = [leaf for leaf in leaves if not leaf.passes]
        for leaf, variable in zip(leaves, variables, strict=True):
            self.reach(leaf, variable, ran, holders)
        if new:
            self.note_names(new)
            self.note_fixed()
            self.ties.look(self.living(), place)
        if self.ties.ties:
            self.ties.check()
            for one, other, made, kept in self.ties.broken:
                self.broken.append((one, other, self.leaf(made), self.leaf(kept)))
            self.ties.broken.clear()

    def reach(self, leaf: Leaf, variable: Any, ran: Ran, holders: set[Held]) -> None:
        """A pass reaches one leaf."""
        leaf.passes += 1
        leaf.first = leaf.first or self.pass_number
        leaf.last = self.pass_number
        leaf.sites.add(ran.site)
        leaf.taken = leaf.lost = False
        leaf.together |= holders
        if not leaf.held and 1 < leaf.passes < 9 and leaf.start is not None:
            leaf.moved = leaf.moved or float(variable._array.sum()) != leaf.start
        if not leaf.held and leaf.passes < 9:
            note_hand(leaf.hand, variable)
        if leaf.holders:
            ran.alive += 1
            for held in leaf.holders:
                if not held.clean and not has_gradient(variable):
                    held.clean = True
        if len(leaf.pending) >= PENDING:
            del leaf.pending[0]
        leaf.pending.append(ran)

    def note_names(self, leaves: list[Leaf]) -> None:
        """What the program calls leaves that it uses for the first time."""
        names = names_in_sight(4)
        order = {number: place for place, number in enumerate(names)}
        leaves.sort(key=lambda leaf: order.get(id(leaf.ref()), len(order)))
        numbers = sorted(leaf.number for leaf in leaves)
        for number, leaf in zip(numbers, leaves, strict=True):
            leaf.number = number
            tensor = leaf.ref()
            leaf.name = names.get(id(tensor))
            if tensor is not None and not leaf.holders:
                leaf.start = float(tensor._array.sum())
                leaf.owner = self.owner_of(tensor, leaf)

    def note_fixed(self) -> None:
        """The tensors that modules of the program have beside their parameters."""
        for made in list(self.modules.values()):
            module = made.ref()
            if module is None or type(module).__module__.startswith("seegrad."):
                continue
            for how, found in (("buffer", module._buffers), ("attribute", vars(module))):
                for name, value in list(found.items()):
                    if isinstance(value, TensorBase) and may_train(value):
                        owner = Owner(module, name, how, made.place)
                        self.fixed.setdefault(made_of(value).number, owner)

    def owner_of(self, tensor: Any, leaf: Leaf) -> Owner | None:
        """Which module has a leaf, and who has that module."""
        for made in list(self.modules.values()):
            module = made.ref()
            if module is None:
                continue
            for how, found in (
                ("parameter", module._parameters),
                ("buffer", module._buffers),
                ("attribute", vars(module)),
            ):
                for name, value in list(found.items()):
                    if value is tensor:
                        owner = Owner(module, name, how, made.place)
                        leaf.training = module.training
                        self.note_container(owner, module, made)
                        return owner
                    if how == "attribute" and name[:1] != "_" and is_among(tensor, value):
                        return Owner(module, name, "listed", made.place)
                    if how == "attribute" and is_made_of(value, leaf.made):
                        return Owner(module, name, how, made.place)
        return None

    def note_container(self, owner: Owner, module: Module, made: ModuleMade) -> None:
        """Who has a module: another one in a plain list, or nobody but the caller."""
        living = [m for one in self.modules.values() if (m := one.ref()) is not None]
        parents = {id(child): m for m in living for child in m._modules.values() if child}
        top = module
        owner.made.append((made.born, made.place))
        while id(top) in parents:
            top = parents[id(top)]
            if id(top) in self.modules:
                owner.made.append((self.modules[id(top)].born, self.modules[id(top)].place))
        for one in living:
            for name, value in list(vars(one).items()):
                if name[:1] != "_" and is_among(top, value):
                    owner.list_name, owner.inside = name, type(one).__name__
                    owner.code = code_of(one)
                    owner.place = self.modules[id(top)].place if id(top) in self.modules else None
                    return
        above = self.modules.get(id(top), made)
        if above.built_in is not None:
            owner.inside, owner.place = above.built_in, above.place
            return
        caller = above.caller() if above.caller is not None else None
        if caller is not None and top is not caller:
            owner.inside, owner.place = type(caller).__name__, above.place


def note_hand(hand: Hand, variable: Any) -> None:
    """Before a pass: whether the program changed a leaf and left the gradient that it read."""
    values = float(variable._array.sum())
    if hand.values is not None and values != hand.values:
        hand.moves += 1
        grad = variable._grad
        kept = grad is not None and hand.seen is not None
        hand.twice += kept and bool(hand.seen) and float(grad._array.sum()) == hand.seen
    hand.values, hand.seen = values, None


def is_made_of(value: Any, made: Made) -> bool:
    """Whether a constructor computed a value from a leaf: `self.a = nn.Parameter(...).exp()`."""
    own = provenance(value)
    if own is None or value._node is None or own.spot is None:
        return False
    return own.spot[0].co_name == "__init__" and made in ancestors(own, 3)


def has_gradient(tensor: Any) -> bool:
    """Whether there is a gradient other than zero."""
    grad = tensor._grad
    return grad is not None and bool(grad._array.any())


def may_train(tensor: Any) -> bool:
    """Whether a tensor could be a parameter, and is none."""
    is_plain = not isinstance(tensor, Parameter) and not tensor.requires_grad
    return is_plain and tensor._array.dtype.kind in "fc" and tensor._node is None


def number_of(rate: Any) -> float:
    """A learning rate as a number."""
    return float(getattr(rate, "_array", rate))


def is_among(thing: Any, value: Any, depth: int = 2) -> bool:
    """Whether a plain container holds something, itself or in a container that it holds."""
    if isinstance(value, dict):
        value = list(value.values())
    if value is thing:
        return True
    if not depth or not isinstance(value, (list, tuple, set, frozenset)):
        return False
    return any(is_among(thing, one, depth - 1) for one in list(value)[:1000])


def code_of(module: Module) -> CodeType | None:
    """The code of the `__init__` of a module's class."""
    return getattr(type(module).__init__, "__code__", None)


def place_of(frame: FrameType) -> Place:
    """The line a frame is at."""
    return Place(frame.f_code, frame.f_lineno)


def frames_outside(thing: Any, depth: int) -> list[FrameType]:
    """The user's frames, the innermost first, without those of the thing's own making."""
    found: list[FrameType] = []
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None:
        code: CodeType = frame.f_code
        own = code.co_name == "__init__" and frame.f_locals.get("self") is thing
        if not own and not is_foreign(code.co_filename):
            found.append(frame)
        frame = frame.f_back
    return found


def outside_of(thing: Any, depth: int) -> list[Place]:
    """The lines of those frames."""
    return [place_of(frame) for frame in frames_outside(thing, depth + 1)]


def names_in_sight(depth: int) -> dict[int, str]:
    """Names of tensors by number of object: variables of the user's frames, and module paths."""
    found: dict[int, str] = {}
    for frame in frames_outside(None, depth):
        for scope in (frame.f_locals, frame.f_globals):
            for name, value in list(scope.items()):
                note_name(found, name, value)
    return found


def note_name(found: dict[int, str], name: str, value: Any) -> None:
    """Notes what one variable leads to."""
    if isinstance(value, Module):
        for path, parameter in value.named_parameters():
            found.setdefault(id(parameter), f"{name}.{path}")
    elif isinstance(value, TensorBase):
        found[id(value)] = name
    elif not isinstance(value, type) and name == "self":
        for key, one in list(getattr(value, "__dict__", {}).items()):
            if key != "self":
                note_name(found, f"{name}.{key}", one)
