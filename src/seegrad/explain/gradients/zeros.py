"""Where a gradient became zero: noted for each leaf in the first passes, and in ever fewer later.

Each node that hands on zeros only, though it got something else, is the *origin* of these zeros;
whoever gets nothing but zeros hands their origin on. A leaf whose gradient was zero in every pass
that was looked at, for a reason that is known, is worth a finding.
"""

import ast
import weakref
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from seegrad.explain.gradients.chains import COMPARISONS, UNRELATED
from seegrad.explain.places import Place
from seegrad.explain.record import SECOND, Made, Record, provenance
from seegrad.explain.source.statements import statement_at, within
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.observed import Listener, Observer
from seegrad.graph.tensor import Number, TensorBase

__all__ = ["DROPOUTS", "Origin", "Zeros", "is_zero_on_purpose"]


class Origin(NamedTuple):
    """Where zeros came from: the kind, the call, and its line."""

    kind: str
    made: Made | None
    place: Place | None
    in_part: bool = False  # whether only a part is masked, which may well be meant


# By the beginning of a node's name.
RELU = ("ReluBackward", "ThresholdBackward")
CLAMPS = ("Clamp", "Hardtanh", "Hardsigmoid", "Hardshrink", "Softshrink", "Maximum", "Minimum")
ROUNDINGS = ("Round", "Floor", "Ceil", "Trunc", "Sign", "Sgn")
PRODUCTS = (
    "Mul", "Mm", "Addmm", "Bmm", "Baddbmm", "Mv", "Dot", "Addcmul", "Linear", "Convolution", "Div",
    "Einsum", "Matmul", "Lerp", "WeightedSum",
)  # fmt: skip
MASKS = ("Where", "Masked", "Index", "Dropout", "NativeDropout")
WRITES = ("Zero", "Fill", "Copy", "MaskedFill")
# No slope where what they are given is zero, and those that hand a zero on.
FLAT_AT_ZERO = ("Pow", "Abs", "LinalgVectorNorm", "Norm", "MseLoss", "Mul")
KEEPING_ZERO = ("Sum", "Mean", "View", "Neg", "Squeeze", "Unsqueeze", "T", "Select", "Slice")
PASSES = ("grad", "backward")  # that recorded what they did
SPREADS = ("Stack", "Cat", "Split", "Unbind", "Select", "Slice", "Index", "Narrow", "Chunk")
PARTS = ("Select", "Slice", "Index", "Narrow", "Split", "Unbind", "Chunk")


PART_CALLS = frozenset(
    ["__getitem__", "select", "narrow", "chunk", "split", "unbind", "index_select", "gather"]
    + ["tensor_split", "take", "diagonal", "__iter__"]
)


class LeafZeros:
    """What is known of the gradients of one leaf."""

    __slots__ = ("of_nothing", "origin", "ref", "seen", "zero")

    def __init__(self, tensor: TensorBase) -> None:
        self.ref = weakref.ref(tensor)
        self.seen = 0
        self.zero = True
        self.origin: Origin | None = None
        self.of_nothing = True  # whether every loss was exactly 0: there was nothing to learn

    def note(self, grad: Any, origin: Origin | None) -> None:
        """Notes one gradient, and where it became zero."""
        self.seen += 1
        if not is_zero(grad):
            self.zero = False
        elif self.zero:
            origin = origin or UNKNOWN
            self.origin = self.origin or origin
            if origin.kind != self.origin.kind:
                self.origin = UNKNOWN


class Zeros(Observer):
    """Follows zeros through the passes it is told of."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.lines: dict[Any, int] = {}  # passes begun on each line
        self.leaves: dict[int, LeafZeros] = {}
        # Of what `autograd.grad` returned: by line and place in the result.
        self.returned: dict[tuple[Any, int], LeafZeros] = {}
        self.noted: list[LeafZeros] = []  # in the last pass
        self.came: dict[Node, list[Origin | None]] = {}  # for who waits: None for what is not zero
        self.users: dict[Node, list[Node]] = {}  # who handed a gradient to whom
        self.gapped: set[Node] = set()  # products with a mask
        self.parts: dict[Node, Made | None] = {}  # the last call that read only a part

    def began(self, current: Pass) -> bool:
        """Whether to look at a pass: the first of a line, the second, the fourth ..."""
        self.noted = []
        if current.outer is not None:
            return False
        place = self.record.passes[-1].place
        count = self.lines[place] = self.lines.get(place, 0) + 1
        if count & (count - 1):
            return False
        self.came, self.parts, self.users, self.gapped = {}, {}, {}, set()
        return True

    def before(self, node: Node, grad: Any, current: Pass) -> None:
        """Notes what arrives at a leaf."""
        if isinstance(node, AccumulateGrad) and grad[1] is not None:
            tensor = node.variable
            leaf = self.leaves.get(id(tensor))
            if leaf is None or leaf.ref() is not tensor:
                leaf = self.leaves[id(tensor)] = LeafZeros(tensor)
            leaf.note(grad[1], self.origin_at(node))
            self.noted.append(leaf)

    def ended(self, current: Pass) -> None:
        """Notes what `autograd.grad` returns of leaves."""
        if current.captures is None or self not in current.observers:
            return
        place = self.record.passes[-1].place
        for node, wanted in current.captures.items():
            grad = current.captured.get(wanted[0][1])
            if not isinstance(node, AccumulateGrad) or grad is None:
                continue
            leaf = self.returned.setdefault((place, wanted[0][1]), LeafZeros(node.variable))
            leaf.ref = weakref.ref(node.variable)
            leaf.note(grad, self.origin_at(node))

    def listener(self, entry: Entry) -> Listener | None:
        """Notes the losses of passes."""
        return self.ran if entry.name == "backward" else None

    def ran(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Notes for the leaves of a pass whether its loss was exactly zero."""
        if self.noted and args and not is_zero(args[0]):
            for leaf in self.noted:
                leaf.of_nothing = False

    def after(self, node: Node, grad: Any, outs: Any, current: Pass) -> None:
        """Notes what a node hands on, and whether it is the first to hand on zeros."""
        if outs is None or isinstance(node, AccumulateGrad):
            return
        arrived_zero = is_zero(grad)
        origin = self.origin_at(node) if arrived_zero else None
        if starts(node, ("Mul",)) and has_gaps(node):
            self.gapped.add(node)
        part = part_call(node) if starts(node, PARTS) and reads_part(grad, outs) else None
        part = part or self.parts.get(node)
        for following, out in zip(node._next, outs, strict=False):
            if following is None or out is None:
                continue
            if part is not None:
                self.parts.setdefault(following, part)
            if not is_zero(out):
                came: Origin | None = None
            elif arrived_zero:
                came = origin
            else:
                came = origin_of(node, out, part)
                if not came.kind and starts(node, FLAT_AT_ZERO):
                    came = silenced_below(node)
                if not came.kind and starts(node, SPREADS):
                    came = self.mask_above(node)
            self.users.setdefault(following, []).append(node)
            self.came.setdefault(following, []).append(came)

    def mask_above(self, node: Node) -> Origin:
        """The mask after which the gradient of what was joined has its zeros."""
        waiting = list(self.users.get(node, ()))
        for one in islice(waiting, 24):  # grows while it is walked
            made = one._made
            masked = starts(one, ("Masked", "Where")) or one in self.gapped
            if masked and made is not None:
                return Origin("zero-mask", made, made.place, True)
            waiting += self.users.get(one, ())
        return UNKNOWN

    def origin_at(self, node: Node) -> Origin | None:
        """Where the zeros that arrived at a node came from; None where they cancelled out."""
        came = self.came.get(node, [])
        return came[0] if came and None not in came else None

    def zero_leaves(self) -> Iterator[tuple[Any, Origin]]:
        """The leaves whose gradient was always zero, with the reason."""
        for leaf in self.leaves.values():
            tensor = leaf.ref()
            if tensor is None or not leaf.zero or leaf.origin is None:
                continue
            if tensor._grad is None or is_zero(tensor._grad):
                yield tensor, leaf.origin

    def zeros_returned(self) -> Iterator[tuple[Place, Any, Origin]]:
        """Lines on which `autograd.grad` always returned zeros, the leaf, and the reason."""
        for (place, _), leaf in self.returned.items():
            if place is not None and leaf.zero and leaf.origin is not None and leaf.origin.kind:
                yield place, leaf.ref(), leaf.origin

    def is_satisfied(self, tensor: Any) -> bool:
        """Whether the losses of a leaf's passes were exactly zero, each of them."""
        leaf = self.leaves.get(id(tensor))
        return leaf is not None and leaf.of_nothing

    def is_everything(self) -> bool:
        """Whether no leaf ever got a gradient: it is lost where the loss begins."""
        return all(leaf.zero for leaf in self.leaves.values())


UNKNOWN = Origin("", None, None)


def is_zero(value: Any) -> bool:
    """Whether a gradient (an array, a Tensor, a list of them) is nothing but zeros."""
    if isinstance(value, (list, tuple)):
        return all(one is None or is_zero(one) for one in value)
    if value is None:
        return True
    array = getattr(value, "_array", value)
    return not array.any()


def starts(node: Node, names: tuple[str, ...]) -> bool:
    """Whether a node is one of these."""
    return type(node).__name__.startswith(names)


def reads_part(grad: Any, outs: Any) -> bool:
    """Whether the gradient is larger than what came in: the rest was not read."""
    size = sum(size_of(one) for one in (grad if isinstance(grad, list) else [grad]))
    missing = isinstance(grad, list) and any(one is None for one in grad)
    return missing or any(out is not None and size_of(out) > size for out in outs)


def part_call(node: Node) -> Made | None:
    """The call that read a part; the node of a view is marked by the call that used the view."""
    made: Made | None = node._made
    waiting = [(made, 0)] if made is not None else []
    for one, depth in waiting:  # grows while it is walked
        if one.name in PART_CALLS:
            return one
        if depth < 3:
            waiting += [(parent, depth + 1) for parent in one.parents]
    return made


def size_of(value: Any) -> int:
    """The number of elements."""
    return 0 if value is None else int(getattr(value, "_array", value).size)


def origin_of(node: Node, out: Any, part: Made | None) -> Origin:
    """Why a node hands on zeros."""
    made = node._made
    place = made.place if made is not None else None
    if size_of(out) == 0 or (made is not None and made.name in PASSES) or is_second(node):
        return UNKNOWN  # also of the nodes of a backward that was recorded
    if starts(node, RELU):
        return Origin("zero-dead-relu", made, place)
    if starts(node, WRITES) and made is not None and made.name.endswith(("_", "__setitem__")):
        kind = "zero-mask" if "masked" in made.name else "history-overwritten"
        return Origin(kind, made, place)
    if starts(node, CLAMPS):
        relu = made is not None and "relu" in made.name
        return Origin("zero-dead-relu" if relu else "zero-clamp", made, place)
    if starts(node, ROUNDINGS):
        return Origin("cut-rounding", made, place)
    if starts(node, PRODUCTS):
        return product_origin(node, made, place)
    if part is not None and starts(node, SPREADS):
        return Origin("zero-unused-state", part, part.place)
    if starts(node, MASKS):
        return Origin("zero-mask", made, place)
    return UNKNOWN


def is_second(node: Node) -> bool:
    """Whether a pass made this node, of derivatives of derivatives."""
    return any(first <= node._sequence < last for first, last in SECOND)


def product_origin(node: Node, made: Made | None, place: Place | None) -> Origin:
    """Which factor was zero."""
    for value in node._saved[::2] if node._saved.__class__ is tuple else ():
        array: Any = getattr(value, "_array", value)
        if isinstance(value, Number):
            if not array:
                return Origin("zero-multiplied", made, place)
            continue
        if not hasattr(array, "any") or not array.size or array.any():
            continue
        if made is not None and made.name in DROPOUTS:  # what drops everything saves its zeros
            return Origin("zero-mask", made, place)
        factor: Made | None = provenance(value)
        if factor is None:
            factor = factor_of(made, array.shape)
        return factor_origin(factor, array, made, place)
    return UNKNOWN


def has_gaps(node: Node) -> bool:
    """Whether a factor that requires nothing is zero in places, and nothing but 0 and 1."""
    for value in node._saved[::2] if node._saved.__class__ is tuple else ():
        array: Any = getattr(value, "_array", value)
        made: Made | None = provenance(value)
        if isinstance(value, Number) or not hasattr(array, "any") or (made and made.recorded):
            continue
        if array.any() and not array.all() and ((array == 0) | (array == 1)).all():
            return True
    return False


def silenced_below(node: Node) -> Origin:
    """Of a node without a slope at zero: what made the value that it was given zero."""
    waiting = [one for one in node._next if one is not None]
    for one in islice(waiting, 16):  # grows while it is walked
        made: Made | None = one._made
        place = made.place if made is not None else None
        known = starts(one, PRODUCTS) and not is_second(one)
        found = product_origin(one, made, place) if known else UNKNOWN
        if found.kind:
            return found
        if starts(one, KEEPING_ZERO):
            waiting += [following for following in one._next if following is not None]
    return UNKNOWN


def factor_of(made: Made | None, shape: tuple[int, ...]) -> Made | None:
    """The argument of a call with this shape, where there is only one."""
    found = [one for one in made.parents if one.shape == shape] if made is not None else []
    return found[0] if len(found) == 1 else None


def factor_origin(factor: Made | None, array: Any, made: Made | None, place: Any) -> Origin:
    """What a factor of zeros is: a silent relu, a mask, or a plain zero."""
    if factor is not None and factor.recorded and factor.parents:
        return activation_origin(factor)
    if factor is not None and factor.recorded:
        return UNKNOWN  # a parameter that begins at 0: it would move if somebody held it
    if array.size == 1:
        return Origin("zero-multiplied", made, place)
    if (factor is not None and is_mask(factor)) or says_mask(place):
        return Origin("zero-mask", made, place)
    return Origin("zero-multiplied", made, place)


def activation_origin(made: Made) -> Origin:
    """Why what was computed is nothing but zeros; the nearest call that may have made it so."""
    waiting = [made]
    for one in waiting:  # grows while it is walked
        if one.name in DROPOUTS:  # either it or what came in; its own node tells
            return UNKNOWN
        for kind, names in ZEROING:
            # Who writes a leaf's first values overwrites no history.
            if one.name in names and one.undone is None:
                return Origin(kind, one, one.place)
        waiting += [parent for parent in one.parents if parent.recorded][: 64 - len(waiting)]
    return UNKNOWN


DROPOUTS = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout")
ZEROING = (
    ("zero-dead-relu", ("relu", "relu_", "threshold", "relu6")),
    ("zero-clamp", ("clamp", "clip", "hardtanh")),
    ("history-overwritten", ("zero_", "fill_", "copy_", "__setitem__")),
)


def says_mask(place: Place | None) -> bool:
    """Whether something on the line is called a mask."""
    return place is not None and "mask" in place.text.lower()


def is_mask(made: Made) -> bool:
    """Whether a tensor came out of a comparison, or is one of no history that was filled."""
    waiting, seen = [made], 0
    while waiting and seen < 200:
        one = waiting.pop()
        seen += 1
        if one.name in COMPARISONS or one.name in ("bool", "tril", "triu", "one_hot"):
            return True
        if not one.recorded and one.name not in UNRELATED:
            waiting += one.parents
    return False


def is_zero_on_purpose(place: Place | None) -> bool:
    """Whether the line says `0 *` literally, as people do to keep all parameters in use."""
    statement = statement_at(place.file, place.line) if place is not None else None
    for node in within(statement) if statement is not None else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            for side in (node.left, node.right):
                if isinstance(side, ast.Constant) and side.value == 0:
                    return True
    return False
