"""One random sequence: cards from a shuffled deck, each played on tensors that fit."""

import random
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.graph.stateful.machine import Machine

Fits = Callable[[Any], bool]
SHAPES = [(4,), (2, 3), (3, 2), (2, 2, 2), (1, 3), (6,), (2, 1, 3), (2, 2), ()]
CARDS = 12  # in one sequence
LARGE = 24  # numbers in a tensor, at most, for which more are made


class Sequence(Machine):
    """A machine that chooses its lines with a random generator, looking at the reference."""

    def __init__(self, seed: str, reference: Any, ours: Any) -> None:
        super().__init__(reference, ours)
        self.random = random.Random(seed)
        self.gradients = False

    def run(self, line: str) -> bool:
        """As the machine; ends where a pass went to a node that has no derivative.

        Which leaves got their gradients before depends on the order in a queue of PyTorch's.
        """
        before = len(self.errors)
        went = super().run(line)
        if any("derivative for set_ is not" in error for error in self.errors[before:]):
            raise Stop
        return went

    def some(self, *choices: str) -> str:
        """One of several."""
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        """True for a share of the calls."""
        return self.random.random() < share

    def new_name(self) -> str:
        """A name that no tensor has."""
        return f"t{len(self.names)}"

    def make(self, expression: str, context: str = "") -> str | None:
        """A line that gives a new name to a tensor; the name, None where the line was refused."""
        name = self.new_name()
        return name if self.run(f"{context}{name} = {expression}") else None

    def pick(self, fits: Fits = lambda _: True) -> str | None:
        """A tensor that fits, the latest preferred."""
        fitting = [name for name in self.names if fits(self.look(name))]
        if not fitting:
            return None
        return fitting[max(self.random.randrange(len(fitting)) for _ in range(2))]

    def need(self, fits: Fits = lambda _: True, shape: Any = None, kind: str = "float64") -> str:
        """A tensor that fits, made where there is none."""
        found = self.pick(lambda tensor: tensor.numel() <= LARGE and fits(tensor))
        if found is None:
            found = self.leaf(self.random.choice(SHAPES) if shape is None else shape, kind)
            if self.chance(0.7) and kind != "int64":
                found = self.make(f"{found} * 1") or found
        return found

    def leaf(self, shape: tuple[int, ...], kind: str = "float64") -> str:
        """A new leaf, most often one that requires a gradient."""
        numbers: list[Any] = [
            round(self.random.uniform(0.3, 1.6), 2) for _ in range(int(np.prod(shape)))
        ]
        if kind.startswith("complex"):
            numbers = [complex(n, round(self.random.uniform(-1, 1), 2)) for n in numbers]
        if kind == "int64":
            numbers = [round(3 * n) for n in numbers]
        values: Any = numbers[0] if shape == () else np.array(numbers).reshape(shape).tolist()
        needs = kind != "int64" and self.chance(0.7)
        options = f"dtype=torch.{kind}{', requires_grad=True' if needs else ''}"
        name = self.make(f"torch.tensor({values}, {options})")
        assert name is not None
        return name

    def number(self) -> str:
        """A number, as it is written."""
        return repr(round(self.random.uniform(0.5, 1.5), 2))

    def other(self, name: str, broadcast: bool = True) -> str:
        """A tensor or number to write into another: most often one of a shape that fits."""
        target = self.look(name)
        if self.chance(0.25):
            return self.number()
        shape = tuple(target.shape)

        def fits(tensor: Any) -> bool:
            kinds = tensor.dtype.is_floating_point and not target.dtype.is_complex
            same_kind = tensor.dtype is target.dtype or kinds
            mine = tuple(tensor.shape)
            return same_kind and (fits_into(mine, shape) if broadcast else mine == shape)

        found = self.pick(fits)
        if found is None:
            return self.number()
        alone = address(self.look(found)) != address(target)
        return found if alone else f"{found}.clone()"


def address(tensor: Any) -> int:
    """Where the memory of a tensor begins."""
    return int(tensor.untyped_storage().data_ptr())


def fits_into(shape: tuple[int, ...], into: tuple[int, ...]) -> bool:
    """Whether one shape broadcasts to another."""
    try:
        return np.broadcast_shapes(shape, into) == into
    except ValueError:
        return False


def is_real(tensor: Any) -> bool:
    """Whether the numbers are real and can have gradients."""
    return bool(tensor.dtype.is_floating_point)


def is_number(tensor: Any) -> bool:
    """Whether the numbers are real or complex and can have gradients."""
    return bool(tensor.dtype.is_floating_point or tensor.dtype.is_complex)


def places(tensor: Any) -> Any:
    """Where each element stands in memory."""
    found = np.zeros((), dtype=np.int64)
    for size, step in zip(tensor.shape, tensor.stride(), strict=True):
        found = found[..., None] + np.arange(size) * step
    return found


def is_separate(tensor: Any) -> bool:
    """Whether no two elements share memory: PyTorch does not always notice, and races."""
    found = places(tensor)
    return bool(np.unique(found).size == found.size)


def is_tame(tensor: Any) -> bool:
    """Whether squares and exponentials of the values are numbers worth comparing."""
    return bool(tensor.numel() == 0 or tensor.detach().abs().max() < 4)


class Stop(Exception):
    """Nothing more can be compared in this sequence."""


class Deck:
    """All actions in random order, again and again: each comes up equally often."""

    def __init__(self, seed: int, actions: list[str]) -> None:
        self.seed = seed
        self.actions = actions

    def hand(self, number: int) -> list[str]:
        """The cards of one sequence, the same whichever sequences were played before."""
        size = len(self.actions)
        first, last = number * CARDS, (number + 1) * CARDS
        cards: list[str] = []
        for deck in range(first // size, (last - 1) // size + 1):
            cards += random.Random(f"deck {self.seed} {deck}").sample(self.actions, size)
        start = first - first // size * size
        return cards[start : start + CARDS]


class Tally:
    """What occurred, over all sequences."""

    def __init__(self) -> None:
        self.sequences = 0
        self.gradients = 0
        self.played: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.nodes: Counter[str] = Counter()


def play(seed: int, number: int, deck: Deck, actions: dict[str, Callable[[Sequence], None]],
         tally: Tally, reference: Any, ours: Any) -> None:  # fmt: skip
    """Plays one sequence; raises Difference where the libraries differ."""
    sequence = Sequence(f"{seed} {number}", reference, ours)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            first = sequence.leaf(sequence.random.choice(SHAPES))
            if sequence.chance(0.7):
                sequence.make(f"{first} * 1")
            for card in sequence.random.sample(hand := deck.hand(number), len(hand)):
                before = len(sequence.errors)
                tally.played[card] += 1
                actions[card](sequence)
                tally.refused[card] += len(sequence.errors) > before
                if sequence.chance(0.25):
                    sequence.run(f"see({', '.join(sequence.names)})")
            finish(sequence)
        except Stop:
            pass
        finally:
            tally.sequences += 1
            tally.gradients += sequence.gradients
            tally.errors.update(sequence.errors)
    tally.nodes.update(nodes_of(sequence))


def finish(sequence: Sequence) -> None:
    """Gradients of what was made last, where they can be had, and a look at everything."""
    wanted = [n for n in sequence.names if sequence.look(n).requires_grad]
    for name in reversed(wanted):
        tensor = sequence.look(name)
        loss = f"{name}.sum()" if is_real(tensor) else f"({name} * {name}.conj()).real.sum()"
        if sequence.run(f"{loss}.backward(retain_graph=True)"):
            sequence.gradients = True
            break
    sequence.run(f"see({', '.join(sequence.names)})")


def nodes_of(sequence: Sequence) -> set[str]:
    """The names of all nodes above the tensors of the reference."""
    found, ahead = {}, []
    for name in sequence.names:
        try:
            ahead.append(sequence.look(name).grad_fn)
        except RuntimeError:
            continue
    while ahead:
        node = ahead.pop()
        if node is not None and node not in found:
            found[node] = type(node).__name__
            ahead += [following for following, _ in node.next_functions]
    return set(found.values())
