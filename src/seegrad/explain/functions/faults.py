"""What may be wrong with one custom Function: each check with the line to look at.

The checks stand in the order in which one fault explains another: a backward that draws new random
numbers has a wrong first derivative too, and a wrong first derivative has a wrong second one.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from seegrad.explain.functions.calls import Array, Call, Outcome
from seegrad.explain.functions.changes import changing
from seegrad.explain.functions.containers import growing, held_by
from seegrad.explain.functions.errors import of_error
from seegrad.explain.functions.second import second_fault
from seegrad.explain.functions.slopes import Point, differ, is_symmetric
from seegrad.explain.functions.source import RANDOM, FunctionSource
from seegrad.explain.functions.surrogate import is_identity, is_surrogate, replaced
from seegrad.explain.functions.ties import shape_error_apart
from seegrad.explain.places import Place
from seegrad.explain.quiet import OutOfTime, Quiet
from seegrad.explain.record import Record
from seegrad.explain.report import Finding
from seegrad.graph.observed import unheard
from seegrad.graph.tensor import TensorBase
from seegrad.tensor.sampling import default_generator

__all__ = ["Checks"]


class Checks:
    """One Function, examined at one remembered call."""

    def __init__(self, call: Call, quiet: Quiet, expect: str | None = None) -> None:
        self.call = call
        self.quiet = quiet
        self.expect = expect
        self.source = FunctionSource(call.cls)

    def finding(self, kind: str, says: str, place: Place | None, *evidence: str) -> Finding:
        """A finding about this Function."""
        return Finding(kind, f"{self.call.name}: {says}", place, evidence)

    def faults(self) -> Iterator[Finding]:
        """What is wrong; the first finding explains those after it."""
        for check in (
            self.changed_input,
            self.own_error,
            self.unsteady,
            self.shared_state,
            self.random_backward,
            self.narrowed,
            self.first_derivative,
            self.gradient_dtype,
            self.integer_gradient,
            self.changed_gradient,
            self.second_derivative,
            self.held_memory,
        ):
            try:
                found = list(check())
                yield from found
                if found and check in (self.unsteady, self.shared_state, self.random_backward):
                    return  # then nothing else can be measured
            except (OutOfTime, RecursionError):
                return
            except Exception:  # what the user's code cannot be asked, it is not asked
                continue

    # Runs

    def run(self) -> Outcome:
        """The call as it was."""
        self.quiet.check()
        self.quiet.rewind()
        return Outcome(self.call, self.call.values())

    def given(self, outcome: Outcome, seed: int = 0) -> list[Any]:
        """Drawn gradients for the outputs of an outcome, as tensors; None for the others."""
        drawn = np.random.default_rng(seed)
        size = outcome.flat().size
        return outcome.given(drawn.uniform(0.5, 1.5, size) * drawn.choice([-1, 1], size))

    def values_of(self, outcome: Outcome) -> list[Array | None]:
        """What backward gives, as arrays."""
        found = outcome.returned(self.given(outcome))
        return [g._array.copy() if isinstance(g, TensorBase) else None for g in found]

    def another(self) -> Outcome:
        """A call with other arguments: the same numbers in another order, a little moved."""
        call = self.call
        keys = {name for one in self.source.saving for name in one.item_names()}
        for place, other in enumerate(call.others):
            if isinstance(other, float):
                call = replaced(call, place, other * 1.5 + 0.25)
            elif isinstance(other, (int, str)) and call.argument(place) in keys:
                another = other + (1000 if isinstance(other, int) else "'")  # type: ignore[operator]
                call = replaced(call, place, another)
        return Outcome(call, [self.jitter(turned(array), 7) for array in call.values()])

    def replayed(self, outcome: Outcome) -> list[Array | None]:
        """As `values_of`, with the same random numbers each time."""
        self.quiet.rewind()
        return self.values_of(outcome)

    def shapes(self) -> list[tuple[int, ...] | None] | None:
        """The shapes of what backward returns, None where it cannot be asked."""
        try:
            outcome = self.run()
            found = outcome.returned(self.given(outcome))
        except Exception:
            return None
        return [g._array.shape if isinstance(g, TensorBase) else None for g in found]

    # Checks

    def changed_input(self) -> Iterator[Finding]:
        """An input that `forward` writes into without a word."""
        record = Record()
        # What is remembered may be what forward made of it already: in another order it is not.
        values = [self.jitter(turned(array), 9) for array in self.call.values()]
        with unheard(record):
            self.quiet.rewind()
            outcome = Outcome(self.call, values)
        for place in self.call.needed:
            arg: Any = outcome.args[place]
            if any(arg is out for out in outcome.all):
                continue
            writes = record.writes_to(arg)
            if not writes and same([arg._array], [values[place]]):
                continue
            name = self.call.argument(place)
            where = writes[0].place if writes else None
            written = self.source.forward.writes_into({name})
            yield self.finding(
                "function-changed-input",
                f"forward changes its input {name} in place and does not say so; call "
                f"ctx.mark_dirty({name}) and return {name}, or work on a copy",
                where or self.source.forward.place(written),
                "Whoever else uses that tensor gets other values, and wrong gradients.",
            )
            return

    def own_error(self) -> Iterator[Finding]:
        """An error that the engine raises about what backward returned."""
        try:
            outcome = self.run()
            outcome.backward(np.ones(outcome.flat().size))
        except Exception as error:
            found = of_error(error, self.call, self.source, self.shapes())
            if found is not None:
                yield found

    def unsteady(self) -> Iterator[Finding]:
        """A forward that changes what it calculates with, and what backward reads later."""
        if any(source.call_of(RANDOM) for source in self.source.saving):
            return
        first, second = self.run().flat(), self.run().flat()
        if same([first], [second]):
            return
        source = self.source.forward
        node = changing(source, self.run)
        read = None if node is None else ast.unparse(node)
        if node is None or not any(text == read for text in self.source.backward.chains()):
            return
        yield self.finding(
            "function-global-state",
            f"forward calculates with {read}, which every call changes, and backward reads what "
            "the last call left there; keep the value on ctx",
            source.place(node),
            "The same input gives another value in the next call.",
        )

    def shared_state(self) -> Iterator[Finding]:
        """What one call keeps outside of its ctx, where the next call overwrites it."""
        alone = self.replayed(self.run())
        first = self.run()
        self.another()
        if same(alone, self.replayed(first)) or not same(alone, self.replayed(self.run())):
            return
        forward = self.source.setup or self.source.forward
        sets, reads = forward.sets(), self.source.backward.chains()
        sets = sets or self.source.forward.sets() or forward.item_sets() or forward.argument_sets()
        names = [name for name in sets if any(r.startswith(name) for r in reads)] or list(sets)
        name = names[0] if names else "something"
        where = forward.place(sets[names[0]]) if names else forward.place()
        on_class = "." in name
        yield self.finding(
            "state-on-class" if on_class else "function-global-state",
            f"forward keeps {name} outside of ctx, so backward finds what the last call left "
            "there; keep it on ctx, or save it",
            where,
            "Two calls before the first backward give the first one another gradient.",
        )

    def random_backward(self) -> Iterator[Finding]:
        """A backward that gives something else each time."""
        outcome = self.run()
        state = default_generator.get_state()
        first = self.values_of(outcome)
        drawn = not np.array_equal(state._array, default_generator.get_state()._array)
        if same(first, self.values_of(outcome)) or is_identity(self.points):
            return  # the same, or noise on purpose
        call = self.source.backward.call_of(RANDOM)
        says = (
            "backward draws new random numbers; draw them in forward and save them"
            if call is not None or drawn
            else "two runs of the same backward give different gradients"
        )
        where = self.source.backward.place(call)
        yield self.finding("function-global-state", says, where)

    @cached_property
    def points(self) -> list[Point]:
        """The call as it was, and near to it; in double precision where that works."""
        for wide in (True, False):
            found: list[Point] = []
            values = self.call.values(wide)
            pairs = list(zip(values, self.call.needs, strict=True))
            near = [self.jitter(a, 3) if need else a for a, need in pairs]
            special = any(need and is_special(a) for a, need in pairs)
            for chosen in (values, near):
                if chosen is near and found and not special:
                    break
                try:
                    point = Point(self.call, chosen, self.quiet, wide)
                    point.backward(point.weights(0))
                    found.append(point)
                except OutOfTime:
                    raise
                except Exception:
                    continue
            if found:
                return found
        return []

    @staticmethod
    def jitter(array: Array | None, seed: int) -> Array | None:
        """Values near by, none of them special: no zeros, no ones."""
        if array is None or array.dtype.kind in "biu" or not array.size:
            return array
        drawn: Any = np.random.default_rng(seed).uniform(0.05, 0.15, array.shape)
        spread = float(np.nanstd(array.astype(np.complex128))) or float(abs(array).max()) or 1.0
        if is_symmetric(array) and not is_special(array):
            drawn = drawn + np.swapaxes(drawn, -1, -2)
        return np.asarray(array + drawn * min(spread, 10.0)).astype(array.dtype)

    @cached_property
    def wrong(self) -> tuple[Point, list[int]] | None:
        """Where the first derivative is wrong, and for which arguments."""
        for point in self.points:
            found = [place for place in self.call.needed if point.is_wrong(place)]
            if found:
                return point, found
        return None

    def first_derivative(self) -> Iterator[Finding]:
        """A gradient that is not the derivative of `forward`."""
        if self.wrong is None or self.expect == "surrogate":
            return
        point, places = self.wrong
        if is_surrogate(point, places, self.points, self.source):
            return
        for check in (self.ignored, self.swapped, self.missing, self.summed, self.plain):
            found = check(point, places)
            if found is not None:
                yield found
                return

    def ignored(self, point: Point, places: list[int]) -> Finding | None:
        """A backward that does not use what arrives."""
        weights = point.weights(0)
        before = point.backward(weights)
        outs = point.outcome.outs
        start = 0
        parts = []
        for out in outs:
            part = weights.copy()
            part[start : start + out._array.size] *= -2.5
            parts.append(part)
            start += out._array.size
        for number, part in enumerate(parts if len(parts) < 9 else []):
            after = point.backward(part)
            for place in places:
                rows = point.rows(place)
                a, b = before[place], after[place]
                moved = rows.times(part) - rows.times(weights)
                used = abs(moved).max(initial=0) > 1e-4 * abs(rows.times(weights)).max(initial=0)
                unmoved = a is not None and b is not None and a.any() and np.allclose(a, b)
                if used and unmoved:
                    names = self.source.backward.parameters[1:]
                    name = names[number] if number < len(names) else "the gradient that arrives"
                    return self.finding(
                        "function-grad-ignored",
                        f"backward never multiplies by {name}, so scaling the loss changes "
                        "nothing; multiply what it returns by it",
                        self.source.backward.place(self.source.backward.returned(place)),
                        f"Another {name} gives the same gradient for {self.call.argument(place)}.",
                    )
        return None

    def swapped(self, point: Point, places: list[int]) -> Finding | None:
        """The right gradients in the wrong order."""
        weights = point.weights(0)
        # Also what comes for arguments that need none, and is thrown away.
        given = point.outcome.returned(point.outcome.given(weights))
        found = [g._array if isinstance(g, TensorBase) else None for g in given]
        for place in places:
            rows = point.rows(place)
            wanted = rows.times(weights)
            if abs(wanted).max(initial=0) == 0:
                continue
            for other, gradient in enumerate(found[: len(self.call.arrays)]):
                if other == place or gradient is None or gradient.size != self.size(place):
                    continue
                harmed = other in places or not self.call.needs[other]
                taken = gradient.reshape(-1)[rows.positions]
                if harmed and not differ(taken, wanted, rows.smooth, point.wide):
                    names = self.call.argument(place), self.call.argument(other)
                    return self.finding(
                        "function-order",
                        f"backward returns the gradient of {names[0]} in the place of {names[1]}; "
                        "return gradients in the order of forward's arguments",
                        self.source.backward.place(self.source.backward.returned()),
                    )
        return None

    def size(self, place: int) -> int:
        """The number of elements of an argument."""
        array = self.call.arrays[place]
        return 0 if array is None else array.size

    def missing(self, point: Point, places: list[int]) -> Finding | None:
        """None for an argument that the result depends on."""
        found = point.backward(point.weights(0))
        for place in places:
            if found[place] is None:
                name = self.call.argument(place)
                needs = ", ".join(str(need) for need in self.call.needs)
                return self.finding(
                    "function-missing-gradient",
                    f"backward returns None for {name}, which needs a gradient and changes the "
                    "result",
                    self.source.backward.place(self.source.backward.returned(place)),
                    f"ctx.needs_input_grad is ({needs}).",
                )
        return None

    def summed(self, point: Point, places: list[int]) -> Finding | None:
        """A gradient that has the right shape only because two sizes are equal."""
        found = shape_error_apart(point, places)
        if found is None:
            return None
        place, got, wanted = found
        name = self.call.argument(place)
        backward = self.source.backward
        shapes = f"With other sizes it has the shape {list(got)}, {name} {list(wanted)}."
        if sorted(got) == sorted(wanted) and len(wanted) > 1:
            return self.finding(
                "function-first-derivative",
                f"the gradient of {name} comes transposed; equal sizes hide it",
                backward.place(backward.maker(place)),
                shapes,
            )
        return self.finding(
            "function-summed-axis",
            f"the gradient of {name} is summed over the wrong axis; equal sizes hide it",
            backward.place(backward.maker(place)),
            shapes,
        )

    def plain(self, point: Point, places: list[int]) -> Finding | None:
        """A gradient that is another number."""
        place = places[0]
        weights = point.weights(0)
        analytical, numerical, rows = point.compared(place, weights)
        excess = np.where(rows.smooth, abs(analytical - numerical), -1)
        worst = int(excess.argmax())
        array: Any = point.values[place]
        where = [int(i) for i in np.unravel_index(rows.positions[worst], array.shape)]
        name = self.call.argument(place)
        element = f"{name}{where}" if where else name
        a, n = analytical[worst], numerical[worst]
        return self.finding(
            "function-first-derivative",
            f"backward is not the derivative of forward with respect to {name}"
            + ratio(analytical[rows.smooth], numerical[rows.smooth]),
            self.source.backward.place(self.source.backward.maker(place)),
            f"At {element} backward gives {a:.4g}, differences of forward give {n:.4g}.",
        )

    def narrowed(self) -> Iterator[Finding]:
        """A gradient that loses digits in a cast inside of backward."""
        cast = self.source.backward.narrows()
        if cast is None or self.expect == "surrogate" or is_identity(self.points):
            return
        for point in self.points if cast is not None else ():
            for place in self.call.needed if point.wide else ():
                weights = point.weights(0)
                analytical, numerical, rows = point.compared(place, weights)
                a, n = analytical[rows.smooth], numerical[rows.smooth]
                scale = abs(n).max(initial=0)
                if scale and abs(a - n).max() > 1e-4 * scale and not self.is_flat_at(point):
                    yield self.finding(
                        "function-dtype",
                        f"backward casts to {cast.attr}, so the gradient of "
                        f"{self.call.argument(place)} loses digits; compute in the input's dtype",
                        self.source.backward.place(cast),
                    )
                    return

    def is_flat_at(self, point: Point) -> bool:
        """Whether the function has steps, or keeps some elements only: its backward is chosen."""
        places = self.call.needed
        return is_surrogate(point, places, self.points, self.source)

    def gradient_dtype(self) -> Iterator[Finding]:
        """A gradient of lower precision than its input."""
        outcome = self.run()
        found = outcome.returned(self.given(outcome))
        for place, gradient in enumerate(found):
            array = self.call.arrays[place] if place < len(self.call.arrays) else None
            if not isinstance(gradient, TensorBase) or array is None or not self.call.needs[place]:
                continue
            got = gradient._array.dtype
            low = min(out._array.dtype.itemsize for out in outcome.outs)
            if got.itemsize >= min(array.dtype.itemsize, low) and got.kind not in "biu":
                continue
            if got.kind in "biu" and array.dtype.kind == "f" and self.is_exact(gradient, place):
                continue
            name = self.call.argument(place)
            kinds = f"{str(gradient.dtype)[6:]} for {name}, which is"
            yield self.finding(
                "function-dtype",
                f"backward returns a gradient of dtype {kinds} {array.dtype.name}; small values "
                "become 0",
                self.source.backward.place(self.source.backward.maker(place)),
            )
            return

    def integer_gradient(self) -> Iterator[Finding]:
        """A gradient for a tensor of integers or bools, which can have none."""
        outcome = self.run()
        for place, gradient in enumerate(outcome.returned(self.given(outcome))):
            array = self.call.arrays[place] if place < len(self.call.arrays) else None
            if gradient is not None and array is not None and array.dtype.kind in "biu":
                name = self.call.argument(place)
                yield self.finding(
                    "function-needless-gradient",
                    f"backward returns a gradient for {name}, which is of dtype "
                    f"{array.dtype.name} and can have none: it is thrown away; return None for it",
                    self.source.backward.place(self.source.backward.returned(place)),
                )

    def returned_for(self, places: Iterable[int]) -> Iterator[tuple[int, Any]]:
        """What a run of its own returns for arguments, as long as it can be asked."""
        for place in places:
            try:
                outcome = self.run()
                gradient = outcome.returned(self.given(outcome))[place]
            except Exception:  # it cannot be asked
                return
            yield place, gradient

    def needless(self, places: Iterable[int]) -> Iterator[Finding]:
        """A gradient that is calculated for a tensor that needs none, though it is asked for."""
        for place, gradient in self.returned_for(places):
            if gradient is not None and not self.call.needs[place]:
                name = self.call.argument(place)
                yield self.finding(
                    "function-needless-gradient",
                    f"backward calculates a gradient for {name}, which needs none, so it is "
                    f"thrown away; return None where ctx.needs_input_grad[{place}] is False",
                    self.source.backward.place(self.source.backward.returned(place)),
                    f"The .grad of {name} was read: it is None, as {name} was not made with "
                    "requires_grad=True.",
                )

    def withheld(self, places: Iterable[int]) -> Iterator[Finding]:
        """None for a tensor whose gradient somebody looked for, though its derivative is zero."""
        for place, gradient in self.returned_for(places):
            if gradient is None and self.call.needs[place]:
                name = self.call.argument(place)
                yield self.finding(
                    "function-missing-gradient",
                    f"backward returns None for {name}, so what {name} is made of gets no "
                    "gradient; return one for it",
                    self.source.backward.place(self.source.backward.returned(place)),
                )

    def is_exact(self, gradient: Any, place: int) -> bool:
        """Whether whole numbers are what the gradient is made of."""
        return self.wrong is None or place not in self.wrong[1]

    def changed_gradient(self) -> Iterator[Finding]:
        """A backward that writes into what arrives, which others receive too."""
        record = Record()
        with unheard(record):
            outcome = self.run()
            given = self.given(outcome)
            before = [None if g is None else g._array.copy() for g in given]
            outcome.returned(given)
        for number, (gradient, old) in enumerate(zip(given, before, strict=True)):
            writes = [] if gradient is None else record.writes_to(gradient)
            if not writes and (gradient is None or same([gradient._array], [old])):
                continue
            names = self.source.backward.parameters[1:]
            name = names[number] if number < len(names) else "the gradient that arrives"
            where = writes[0].place if writes else None
            yield self.finding(
                "function-grad-changed",
                f"backward writes into {name}, which other parts of the graph receive too; work "
                f"on {name}.clone()",
                where or self.source.backward.place(self.source.backward.writes_into({name})),
            )
            return

    def second_derivative(self) -> Iterator[Finding]:
        """A backward whose own derivative is wrong."""
        if self.wrong is not None:
            return
        for point in self.points:
            found = second_fault(point, self.source)
            if found is not None:
                yield self.finding(*found)
                return

    def held_memory(self) -> Iterator[Finding]:
        """A container outside of the call that grows with each call."""
        found = growing(self.call, self.quiet, self.run, self.values_of)
        if found is None or is_identity(self.points):
            return
        name = found
        where = held_by(self.source, name)
        yield self.finding(
            "function-holds-memory",
            f"{name} keeps tensors of every call alive; nothing takes them out again",
            where,
        )


def turned(array: Array | None) -> Array | None:
    """The numbers of an array in another order, some of the other sign."""
    if array is None or array.dtype.kind in "biu" or not array.size:
        return array
    generator = np.random.default_rng(5)
    flat = array.reshape(-1)[generator.permutation(array.size)]
    signs = generator.choice([-1, 1], array.size)
    signs[0] = -1
    return np.asarray((flat * signs).reshape(array.shape)).astype(array.dtype)


def is_special(array: Any) -> bool:
    """Whether an array has few values (zeros, ones, a mask), at which much agrees by chance."""
    return array is not None and len(np.unique(array)) <= 2


def same(one: list[Array | None], other: list[Array | None]) -> bool:
    """Whether two lists of gradients are equal."""
    if len(one) != len(other):
        return False
    return all(
        (a is None) == (b is None)
        and (a is None or (a.shape == b.shape and np.allclose(a, b, equal_nan=True)))  # type: ignore[union-attr, arg-type]
        for a, b in zip(one, other, strict=True)
    )


def ratio(analytical: Array, numerical: Array) -> str:
    """In words, where one number relates all elements."""
    large = abs(numerical) > 1e-6 * abs(numerical).max(initial=0)
    if not large.any() or numerical.dtype.kind == "c":
        return ""
    found = analytical[large] / numerical[large]
    if abs(found - found[0]).max() > 2e-2 * abs(found[0]):
        return ""
    if abs(found[0] + 1) < 1e-2:
        return ": it has the wrong sign"
    return (
        f": it is {found[0]:.3g} times what it should be" if abs(found[0]) > 1e-9 else ": it is 0"
    )
