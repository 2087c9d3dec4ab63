"""The loss itself: what it computes is not what was meant, where the evidence is plain."""

import ast
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from seegrad.explain.bad.cancelled import is_variance
from seegrad.explain.flows.constant import is_constant
from seegrad.explain.optimizers.ledger import books_of, was_raised_by_user
from seegrad.explain.places import Place, here, is_foreign
from seegrad.explain.record import Made, provenance
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.explain.source import text as text_of
from seegrad.explain.source.statements import is_shown
from seegrad.graph.asked import Entry
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase
from seegrad.nn.parameter import Parameter

__all__ = ["PROBABILITIES", "SCORED", "Losses", "all_above", "origin", "twice", "word"]

ROUNDING = 1e-7
KEPT = 4096  # numbers of what was made that are remembered

# What changes the shape of values, or their scale, and not what they are.
SHAPING = frozenset(
    ["view", "reshape", "squeeze", "unsqueeze", "flatten", "transpose", "permute", "contiguous"]
    + ["getitem", "to", "float", "double", "clone", "movedim", "swapaxes", "t"]
    + ["view_as", "reshape_as", "T.__get__", "mT.__get__", "expand", "unflatten"]
)
SCALING = frozenset(["mul", "div", "truediv", "add", "clamp", "clamp_min"])
# What spreads an axis on purpose.
SPREADING = frozenset(["unsqueeze", "getitem", "view", "reshape", "t", "T.__get__", "transpose"])
# What a difference goes through on its way into a loss.
REDUCING = frozenset(
    ["pow", "square", "abs", "mean", "sum", "sqrt", "mul", "div", "truediv", "neg", "add", "sub"]
    + ["clamp", "norm", "rsqrt", "nanmean", "median", "where", "huber_loss", "log", "maximum"]
    + ["minimum", "clamp_min", "clamp_max", "cosh", "nansum", "log1p"]
)
ELEMENTWISE = frozenset(
    ["add", "sub", "mul", "div", "truediv", "neg", "detach", "data.__get__", "exp", "log", "where"]
    + ["clamp", "clamp_min", "minimum", "maximum", "tanh", "sigmoid", "addcmul", "lerp"]
)
DISTANCES = frozenset(["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"])
SAME = DISTANCES | {"sub", "div", "truediv"}  # what is constant where both sides are the same
SCORED = frozenset(["cross_entropy", "nll_loss", "binary_cross_entropy_with_logits"])
# Where their target stands, and what it is called.
TARGETS = {
    "binary_cross_entropy": (1, "target"),
    "soft_margin_loss": (1, "target"),
    "hinge_embedding_loss": (1, "target"),
    "margin_ranking_loss": (2, "target"),
    "cosine_embedding_loss": (2, "target"),
}
PROBABILITIES = frozenset(["softmax", "sigmoid", "softmin"])
LAYERS = frozenset(["linear", "addmm", "conv1d", "conv2d"])
KINKED = frozenset(
    ["relu", "leaky_relu", "threshold", "hardtanh", "relu6", "prelu", "abs", "maximum"]
    + ["clamp", "clamp_min", "rrelu"]
)
SMOOTH = frozenset(
    ["tanh", "sigmoid", "gelu", "silu", "softplus", "elu", "selu", "celu", "exp", "sin", "cos"]
    + ["pow", "square", "mish", "softmax", "log_softmax", "sqrt", "log", "div", "truediv"]
    + ["layer_norm", "batch_norm", "logsigmoid", "tan", "sinh", "cosh", "atan", "erf", "norm"]
)


class Losses(Detective):
    """Finds losses that compute something else."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.spread: dict[int, tuple[Place | None, str]] = {}
        self.certain: Counter[tuple[str, Place | None, str]] = Counter()
        self.flat: set[int] = set()  # softmax over one entry
        self.flat_calls: Counter[Place | None] = Counter()
        self.flat_lines: dict[int, Place | None] = {}
        self.full_calls: Counter[Place | None] = Counter()  # over several, at the same line
        self.layers: dict[int, Place | None] = {}  # what layers of a container made
        self.still: Counter[Place | None] = Counter()  # passes of which every gradient is zero
        self.moving: Counter[Place | None] = Counter()
        self.refusal: Finding | None = None
        self.zeros: Counter[tuple[Place | None, Place | None]] = Counter()
        self.trained: set[Place | None] = set()  # of these: derivatives of networks

    def listener(self, entry: Entry) -> Listener | None:
        """Who looks at calls of a function."""
        name = entry.name
        if name in ("sub", "mul", "__rsub__", "__rmul__") or name in DISTANCES:
            return self.took_distance
        return {
            **dict.fromkeys(SCORED, self.scored),
            **dict.fromkeys(TARGETS, self.compared),
            "log_softmax": self.normalised,
            "softmax": self.normalised,
            "Module.__call__": self.called_layer,
            "grad": self.differentiated,
            "backward": self.ran_backward,
        }.get(name)

    # While it runs

    def took_distance(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A difference of which the shapes do not fit."""
        given = [*args, *kwargs.values()][:2]
        if len(given) < 2 or not all(isinstance(one, TensorBase) for one in given):
            return
        one, other = given
        shape = one._array.shape
        if shape == other._array.shape:
            return
        if one._array.size != other._array.size:
            self.took_square(one, other, result)
            return
        both = np.broadcast_shapes(shape, other._array.shape)
        size = one._array.size
        if size < 2 or math.prod(both) < (size**2 if "mul" in entry.name else size + 1):
            return
        if entry.name not in DISTANCES and is_meant(one, other):
            return
        if one._made.live or other._made.live:
            text = f"{tuple(shape)} against {tuple(other._array.shape)}"
            remember(self.spread, result._made.number, (here(3), text))
            if entry.name in DISTANCES:
                self.certain["loss-broadcast", here(3), text] += 1

    def took_square(self, one: Any, other: Any, result: Any) -> None:
        """A difference with what became everything against everything before."""
        small, large = sorted((one, other), key=lambda tensor: int(tensor._array.size))
        count = small._array.size
        if count < 2 or large._array.size != count**2 or not small._made.live:
            return
        for made in all_above(large._made, 64, ELEMENTWISE):
            shapes = [parent.shape for parent in made.parents]
            if made.shape != large._array.shape or len(shapes) != 2 or is_spread(made):
                continue
            # (N) with (N, 1): who means all pairs writes (N, 1) with (1, N).
            if all(math.prod(s) == count for s in shapes) and len(shapes[0]) != len(shapes[1]):
                text = f"{shapes[0]} against {shapes[1]}"
                self.certain["loss-broadcast", made.place, text] += 1
                return

    def scored(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A loss that takes scores, or logarithms of probabilities."""
        scores = args[0] if args else kwargs.get("input")
        if not isinstance(scores, TensorBase) or not scores._made.recorded:
            return
        source = origin(scores._made)
        if is_softmax_by_hand(source):
            text = f"{entry.name}|softmax|{here(3)}"
            self.certain["loss-softmax-before-cross-entropy", source.place, text] += 1
        if source.name in PROBABILITIES and (entry.name != "nll_loss" or source.name == "softmax"):
            text = f"{entry.name}|{source.name}|{here(3)}"
            key = ("loss-softmax-before-cross-entropy", self.line_of(source), text)
            self.certain[key] += 1
        if entry.name == "cross_entropy":
            self.note_flat(scores, 1 if scores._array.ndim > 1 else 0, result, here(3))
        target = args[1] if len(args) > 1 else kwargs.get("target")
        if entry.name == "binary_cross_entropy_with_logits" and isinstance(target, TensorBase):
            self.check_binary(target)

    def compared(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A loss that takes probabilities, or sides: 1 and -1."""
        at, name = TARGETS[entry.name]
        target = args[at] if len(args) > at else kwargs.get(name)
        if not isinstance(target, TensorBase):
            return
        if entry.name == "binary_cross_entropy":
            self.check_binary(target)
        elif not (abs(target._array) == 1).all() and (abs(target._array) <= 1).all():
            values = target._array
            text = f"{values.min():g} to {values.max():g}"
            self.certain["loss-target-class", here(3), f"{text}|{entry.name}"] += 1

    def check_binary(self, target: TensorBase) -> None:
        """Targets of a yes or no that are neither."""
        values = target._array
        if values.size and (values.min() < 0 or values.max() > 1):
            text = f"{values.min():g} to {values.max():g}"
            self.certain["loss-target-class", here(4), text] += 1

    def normalised(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A softmax: of one entry, or of a softmax."""
        if not isinstance(result, TensorBase) or not result._made.recorded:
            return
        scores = args[0] if args else kwargs.get("input")
        dim = kwargs.get("dim", args[1] if len(args) > 1 else None)
        if isinstance(dim, int) and result._array.ndim:
            self.note_flat(scores, dim, result, here(3))
        source = origin(scores._made, scaled=False)
        if source.name == "softmax":
            text = f"{entry.name}|{source.name}|{here(3)}"
            self.certain["flow-double-softmax", self.line_of(source), text] += 1

    def note_flat(self, scores: Any, dim: int, result: Any, place: Place | None) -> None:
        """Whether an axis that is normalised has one entry only."""
        if scores._array.ndim and scores._array.shape[dim] == 1:
            self.flat_calls[place] += 1
            if len(self.flat) < KEPT:
                self.flat.add(result._made.number)
        else:
            self.full_calls[place] += 1

    def called_layer(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A layer that a container called: the line to name is the one that made it."""
        if provenance(result) is None:
            return
        if not is_foreign(sys._getframe(3).f_code.co_filename):
            return
        if type(args[0]).__module__.startswith("seegrad."):
            made = books_of(self.session).modules.get(id(args[0]))
            if made is not None:
                remember(self.layers, result._made.number, made.place)

    def line_of(self, made: Made) -> Place | None:
        """The line of a call, or the one that made the layer whose call it was."""
        return self.layers.get(made.number, made.place)

    def differentiated(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`autograd.grad` of what `autograd.grad` has given: a second derivative."""
        if not isinstance(result, tuple) or not result:
            return
        if any(one is not None and one._array.any() for one in result):
            return
        outputs = args[0] if args else kwargs.get("outputs")
        first = outputs if isinstance(outputs, TensorBase) else outputs[0]
        before = found_above(first._made, lambda made: made.name == "grad", 64)
        if before is None:
            return
        names = {word(made): made for made in all_above(before, 2000)}
        kinked = [made for name, made in names.items() if name in KINKED and made.live]
        if kinked and not SMOOTH.intersection(names):
            bend, place = min(kinked, key=by_number), here(3)
            line = self.line_of(bend)
            if line != bend.place and line is not None and has_many_calls(line):
                line = place  # a whole network stands on one line
            self.zeros[line, place] += 1
            if LAYERS.intersection(names):
                self.trained.add(place)

    def ran_backward(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A pass: whether all gradients are zero."""
        made = provenance(args[0]) if args else None
        books = books_of(self.session)
        if made is None or books.last is None or len(self.still) + len(self.moving) > KEPT:
            return
        place = here(3)
        if sum(self.moving[p] for p in (place,)) > 3:
            return
        leaves = [leaf.ref() for number in books.last_leaves if (leaf := books.leaves.get(number))]
        if any(leaf is not None and has_some(leaf._grad) for leaf in leaves):
            self.moving[place] += 1
            return
        self.still[place] += 1
        flat = found_above(made, lambda one: one.number in self.flat, 400)
        if flat is not None:
            remember(self.flat_lines, place_key(place), self.line_of(flat))
            return
        same = found_above(made, cancels, 400)
        if same is not None:
            remember(self.flat_lines, place_key(place), same.place)

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """A label without a class."""
        text = str(error)
        labels = args[1] if len(args) > 1 else kwargs.get("target")
        if entry.name in ("cross_entropy", "nll_loss") and "out of bounds" in text:
            scores = args[0]
            classes = scores._array.shape[1 if scores._array.ndim > 1 else 0]
            values = labels._array
            self.refusal = no_class(
                classes, f"Labels run from {values.min()} to {values.max()}.", here(3)
            )
        elif entry.name == "binary_cross_entropy" and "between 0 and 1" in text:
            values = args[0]._array
            says = (
                f"This loss takes probabilities, but gets {values.min():.3g} to "
                f"{values.max():.3g}: put them through a sigmoid, or use the loss with_logits."
            )
            self.refusal = Finding("loss-missing-sigmoid", says, here(3), weight=3)
        elif entry.name == "one_hot" and "smaller than num_classes" in text:
            self.refusal = no_class(args[1] if len(args) > 1 else None, text, here(3))
        elif entry.name in ("gather", "__getitem__", "take_along_dim") and args:
            source = provenance(args[0])
            if source is not None and origin(source).name in ("log_softmax", "softmax"):
                if isinstance(error, (IndexError, RuntimeError)) and "out of bounds" in text:
                    self.refusal = no_class(args[0]._array.shape[-1], text, here(3))

    # Afterwards

    def findings(self) -> Iterable[Finding]:
        """What is wrong with the losses."""
        error = self.session.error
        if self.refusal is not None and isinstance(error, (IndexError, RuntimeError)):
            yield self.refusal
        if error is not None and not was_raised_by_user(self.session):
            return
        weight = 3 if error is not None else 2
        least = 1 if error is not None else 2
        yield from self.broadcasts(weight, least)
        for kind, place, text in self.certain:
            if kind == "flow-double-softmax" or kind == "loss-softmax-before-cross-entropy":
                yield twice(kind, place, text, weight)
            elif kind == "loss-target-class":
                text, _, loss = text.partition("|")
                takes = f"{loss}, which takes -1 and 1" if loss else "a loss that takes 0 to 1"
                says = f"Targets of {text} for {takes}: there is no such class."
                yield Finding(kind, says, place, certain=True, weight=weight)
        for (line, place), count in self.zeros.items():
            if count >= least or place in self.trained or (place is not None and is_shown(place)):
                yield flat_curve(line, place, count, weight)
        for place, count in self.still.items():
            line = self.flat_lines.get(place_key(place))
            if line is not None and count >= least and not self.moving[place]:
                yield constant(line, place, count, weight)
        yield from self.cancelled(weight, least)

    def cancelled(self, weight: int, least: int) -> Iterator[Finding]:
        """Losses of parameters whose gradient cancels in each pass."""
        passes = {one.place: one for one in self.session.record.passes if one.roots}
        for place, measured in self.session.watch.hops.measured.items():
            ran = passes.get(place)
            if ran is None or len(measured) < least or place_key(place) in self.flat_lines:
                continue
            leaves = [leaf.ref() for leaf in measured[0].leaves]
            wanted = any(isinstance(one, Parameter) for one in leaves) or weight == 3
            root = ran.roots[0]
            # The gradient of E[x^2] - E[x]^2 cancels by rounding as its value does.
            rounded = is_variance(root.parents)
            if is_constant(measured) and root.place is not None and not rounded:
                if wanted or any(leaf.held for leaf in books_of(self.session).all_leaves()):
                    yield constant(root.place, place, measured[-1].count, weight)

    def broadcasts(self, weight: int, least: int) -> Iterator[Finding]:
        """Differences of everything with everything that went into a loss."""
        lines: Counter[tuple[Place | None, str]] = Counter()
        for (kind, place, text), count in self.certain.items():
            if kind == "loss-broadcast":
                lines[place, text] += count
        for ran in self.session.record.passes:
            for root in ran.roots:
                for made in all_above(root, 64, REDUCING):
                    if made.number in self.spread:
                        lines[self.spread[made.number]] += 1
        for (place, text), count in lines.items():
            if count >= least:
                yield Finding(
                    "loss-broadcast",
                    f"{text} is broadcast: every prediction is compared with every target; make "
                    "the shapes equal.",
                    place,
                    (f"{count} losses were computed from it.",),
                    weight=weight,
                )


# Findings


def no_class(classes: Any, text: str, place: Place | None) -> Finding:
    """A target that is no class."""
    highest = f", 0 to {classes - 1}" if isinstance(classes, int) else ""
    return Finding(
        "loss-target-class",
        f"A target names a class that the scores do not have: there are {classes}{highest}.",
        place,
        (text,),
        weight=3,
    )


def twice(kind: str, place: Place | None, text: str, weight: int) -> Finding:
    """Scores that are probabilities already."""
    loss, source, where = text.split("|")
    if loss == "nll_loss":
        says = "nll_loss takes logarithms of probabilities, not a softmax; use log_softmax."
    else:
        says = f"{loss} gets the result of a {source} and normalises again; give it the scores."
    return Finding(kind, says, place, (f"{loss} is called at {where}.",), weight=weight)


def flat_curve(line: Place | None, place: Place | None, count: int, weight: int) -> Finding:
    """A second derivative of straight pieces."""
    return Finding(
        "loss-relu-second-derivative",
        "All bends here are straight pieces (ReLU), so the second derivative is zero everywhere; "
        "use a smooth function such as tanh.",
        line,
        (f"The derivative taken at {place} was zero {count} times.",),
        weight=weight,
    )


def constant(line: Place, place: Place | None, count: int, weight: int) -> Finding:
    """A loss that no parameter changes."""
    return Finding(
        "loss-constant",
        "What is computed here is the same for all parameters, so the loss is constant and every "
        "gradient is zero.",
        line,
        (f"{count} passes at {place} gave no gradient other than zero.",),
        weight=weight,
    )


# Provenance


def word(made: Made) -> str:
    """The name of an operator without the marks of its written form: "__rsub__" is "sub"."""
    if "." in made.name:  # "T.__get__"
        return made.name
    name = made.name.strip("_")
    return name[1:] if name in ("rsub", "rpow", "rtruediv", "rdiv", "radd", "rmul") else name


def by_number(made: Made) -> int:
    """The order of making."""
    return made.number


def remember(where: dict[int, Any], number: int, what: Any) -> None:
    """Keeps something by number, the latest ones."""
    if len(where) >= KEPT:
        del where[next(iter(where))]
    where[number] = what


def has_many_calls(place: Place) -> bool:
    """Whether several calls stand on a line."""
    nodes = ast.walk(text_of.tree(place.file))
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.lineno == place.line]
    return len(calls) > 2


def place_key(place: Place | None) -> int:
    """A number for a line."""
    return hash(place)


def has_some(grad: Any) -> bool:
    """Whether a gradient is there and not zero but for rounding; NaN is not."""
    return grad is not None and not bool((abs(grad._array) <= ROUNDING).all())


def is_meant(one: Any, other: Any) -> bool:
    """Whether the spreading was asked for: an axis added on this line, or all pairs of a thing."""
    place = here(4)
    for tensor in (one, other):
        if word(tensor._made) in SPREADING and tensor._made.place == place:
            return True
    return origin(one._made) is origin(other._made)


def is_spread(made: Made) -> bool:
    """As `is_meant`, of what was made: of an axis added on its line, or of one thing alone."""
    for parent in made.parents:
        if word(parent) in SPREADING and parent.place == made.place:
            return True
    one, other = map(origin, made.parents)
    return one is other


def origin(made: Made, scaled: bool = True) -> Made:
    """What values were before they got another shape, or another scale by a number."""
    for _ in range(64):
        shaped = word(made) in SHAPING and made.parents
        if not shaped and not (scaled and word(made) in SCALING and len(made.parents) == 1):
            break
        made = made.parents[0]
    return made


def all_above(made: Made, most: int, through: frozenset[str] | None = None) -> Iterator[Made]:
    """What something was made from, itself first; only through some calls if these are given."""
    stack, seen = [made], {made.number}
    while stack and len(seen) < most:
        one = stack.pop()
        yield one
        if through is not None and word(one) not in through and word(one) not in SHAPING:
            continue
        for parent in one.parents:
            if parent.number not in seen:
                seen.add(parent.number)
                stack.append(parent)


def is_softmax_by_hand(made: Made) -> bool:
    """Whether this is `e / e.sum()` with `e = exp(x)`."""
    if word(made) not in ("div", "truediv") or len(made.parents) != 2:
        return False
    one, other = made.parents[0], origin(made.parents[1])
    return word(one) == "exp" and word(other) == "sum" and other.parents[0] is one


def found_above(made: Made, wanted: Any, most: int) -> Made | None:
    """The first thing above that is as wanted."""
    return next((one for one in all_above(made, most) if wanted(one)), None)


def cancels(made: Made) -> bool:
    """Whether probabilities are summed up, or something meets itself in a - a or a / a."""
    if word(made) in ("sum", "mean") and origin(made.parents[0]).name == "softmax":
        return True
    if word(made) not in SAME or len(made.parents) != 2:
        return False
    one, other = map(origin, made.parents)
    return one is other and one.recorded
