"""Views: tensors that share the memory of a base, and what a write through one of them means.

Note [Views]: a NumPy view shares memory, so a view is a real view. It knows its base (never itself
a view), its *replay* as data (operators with arguments that lead from the base to it), and its own
node with the version at which that node was made. Its `_node` stays None, so that only readers
of views leave the fast line. When the counter has moved on, the node is stale: someone wrote to
the memory, and a new AsStridedBackward0 on the base is made when asked for. Where the base itself
got another shape in place (`_turned`), the replay leads nowhere, and becomes one `as_strided`.

            write through v                    read of v or u afterwards
    base ----------------------> base'  CopySlices
     | \\                          | \\
     v  u                         v   u        AsStridedBackward0 -> CopySlices
"""

import weakref
from enum import Enum
from typing import Any

import numpy as np

from seegrad.arrays import raw
from seegrad.arrays.strides import contiguous_strides, element_strides, storage_offset
from seegrad.errors import COPY_ON_OVERLAP
from seegrad.graph.accumulate import dense
from seegrad.graph.anomaly import note
from seegrad.graph.hooks import hooks_of
from seegrad.graph.levels import LEVELS, Tangents
from seegrad.graph.loans import share
from seegrad.graph.node import AccumulateGrad, Node, next_sequence
from seegrad.graph.packed import flat, replace
from seegrad.graph.recorded import recorded
from seegrad.graph.saved import add_saved_attributes, operator_name, unpack
from seegrad.graph.state import ANOMALY, ASK, recording, thread
from seegrad.graph.tensor import TensorBase, needs_care, requires, set_requires, wrap
from seegrad.graph.versions import is_inference, own_counter
from seegrad.rules.spec import REGISTRY, Operator

__all__ = [
    "AsStridedBackward0",
    "CopySlices",
    "Kind",
    "View",
    "accumulator",
    "attach",
    "from_base",
    "gradient_edge",
    "has_node",
    "history",
    "led_elsewhere",
    "own_history",
    "piece",
    "rebase",
    "refuse",
    "refuse_stale",
    "special",
    "unrecorded_kind",
    "update_accumulator",
]

# (operator, arguments, shape before): how one view operator was applied.
Step = tuple[Operator, tuple[Any, ...], tuple[int, ...]]
Replay = tuple[Step, ...]

MULTI_OUTPUT = (
    " This view is the output of a function that returns multiple views. Such functions do not "
    "allow the output views to be modified inplace. You should replace the inplace operation by "
    "an out-of-place one."
)
AMBIGUOUS = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
    "your code by moving both the view and the inplace either both inside the {0} block (if you "
    "don't want the inplace to be tracked) or both outside (if you want the inplace to be "
    "tracked)."
)
IN_FUNCTION = (
    " This view was created inside a custom Function (or because an input was returned as-is) and "
    "the autograd logic to handle view+inplace would override the custom backward associated with "
    "the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix "
    "this by cloning the output of the custom Function."
)


class Kind(Enum):
    """How a view was made; all but USUAL forbid to write through it while recording."""

    USUAL = ""
    MULTI = MULTI_OUTPUT
    NO_GRAD = AMBIGUOUS.format("no_grad")
    INFERENCE = AMBIGUOUS.format("inference_mode")
    FUNCTION = IN_FUNCTION


# Whose results show the memory in another dtype: no strides lead there.
OTHER_DTYPE = frozenset(["view_as_complex", "view_as_real"])

# The mode a view was made in, and the mode in which a write through it is refused.
MADE = {Kind.NO_GRAD: "no_grad", Kind.INFERENCE: "inference"}
WRITTEN = {Kind.INFERENCE: " in normal mode"}


def inherited(kind: Kind, before: Kind) -> Kind:
    """The kind of a view of a view: that of the last view, unless the earlier one is stricter."""
    return before if kind is Kind.USUAL or before is Kind.INFERENCE else kind


def unrecorded_kind() -> Kind:
    """The kind of a view that is made now, while nothing is recorded."""
    return Kind.INFERENCE if thread.state.inference else Kind.NO_GRAD


class View:
    """What makes a tensor a view."""

    __slots__ = ("base", "chain", "kind", "node", "replaying", "tie", "version", "written")

    def __init__(self, base: TensorBase, chain: Any, version: int, kind: Kind) -> None:
        self.base = base
        # The replay as `(chain before or None, last step)`: a view of a view shares the chain of
        # that one, else many of them would take time and memory in the square of their number.
        self.chain = chain
        self.version = version
        self.tie: Tie | None = None  # of the last write through this very view
        self.kind = kind
        self.node: Node | None = None
        self.replaying = False  # made anew by its own operators
        # The version and the base's history after a write through this view: its edge from then
        # on, even if the base is cut off with `detach_` before somebody reads the view.
        self.written: tuple[int, Node] | None = None

    @property
    def replay(self) -> Replay:
        """The steps that lead from the base to the view."""
        steps, chain = [], self.chain
        while chain is not None:
            chain, step = chain
            steps.append(step)
        return tuple(reversed(steps))

    @replay.setter
    def replay(self, steps: Replay) -> None:
        self.chain = None
        for step in steps:
            self.chain = (self.chain, step)


def attach(tensor: TensorBase, source: TensorBase, step: Step, kind: Kind) -> View | None:
    """Makes `tensor`, which shares the memory of `source`, a view of the base of `source`.

    What shares the memory of an inference tensor is another one, and no view: None is returned.
    """
    counter = own_counter(source)
    if is_inference(source):
        tensor._counter = counter
        tensor._requires_grad = ASK if needs_care(tensor) else False
        return None
    if kind is Kind.MULTI and not thread.state.mode:
        kind = unrecorded_kind()
    before = source._view
    if before is None:
        view = View(source, (None, step), counter.value, kind)
    else:
        kind = inherited(kind, before.kind)
        view = View(before.base, (before.chain, step), counter.value, kind)
    tensor._view = view
    tensor._counter = counter
    if source._shared and not share(source, tensor):
        tensor._array = apply(raw, source._array, (step,))
    tensor._requires_grad = ASK
    if source._cut is not None:
        tensor._cut = source._cut
    if LEVELS.open:
        follow(tensor, source, step)
    return view


def follow(tensor: TensorBase, source: TensorBase, step: Step) -> None:
    """Notes of a view of what `make_dual` returned that its tangents come from there."""
    held = source._tangents
    if held is not None and held.rooted:
        tensor._tangents = Tangents(source, (None, step))
    elif held is not None and held.base is not None:
        tensor._tangents = Tangents(held.base, (held.chain, step))


def from_base(view: View) -> None:
    """Lets the `as_strided` that made a view of a view lead from the base itself.

    It may show elements of the base that the view in between does not have. In PyTorch too that
    ends where the dtype changes in between.
    """
    if not any(operator.name in OTHER_DTYPE for operator, *_ in view.replay):
        size, stride, offset, _, own = view.replay[-1][1]
        offset = own if offset is None else offset
        view.replay = (placed(view.base._array, size, stride, offset),)


def placed(whole: Any, size: Any, stride: Any, offset: int) -> Step:
    """An `as_strided` of an array as a step."""
    places = element_strides(whole), storage_offset(whole)
    return REGISTRY["as_strided"], (size, stride, offset, *places), whole.shape


def settle(tensor: TensorBase, view: View) -> None:
    """Leads to the view anew where its base got another shape in place since it was made."""
    if view.base._turned and not any(step[0].name in OTHER_DTYPE for step in view.replay):
        led_elsewhere(tensor, view)


def led_elsewhere(tensor: TensorBase, view: View) -> None:
    """Says of a view that came to look at other memory that it shows that place of its base.

    So does PyTorch. Nobody can differentiate through it, but its history can be read.
    """
    array = tensor._array
    place = array.shape, element_strides(array), storage_offset(array)
    view.replay = (placed(view.base._array, *place),)


def own_history(tensor: TensorBase, view: View, node: Node, nr: int = 0) -> None:
    """Gives a view its own node."""
    view.node = node
    tensor._nr = nr
    if LEVELS.open or needs_care(tensor):
        tensor._requires_grad, tensor._asked = ASK, True
    else:
        tensor._requires_grad = True


def apply(xp: Any, value: Any, replay: Replay) -> Any:
    """The view of `value` that `replay` leads to."""
    for operator, arguments, _ in replay:
        value = getattr(xp, operator.name)(value, *arguments)
    return value


def adjoint(xp: Any, grad: Any, replay: Replay) -> Any:
    """The gradient of the base from the gradient of the view: the rules, backwards."""
    for operator, arguments, shape in reversed(replay):
        values = dict(zip(operator.parameters[1:], arguments, strict=False))
        values = operator.defaults | values | {"self_shape": shape}
        uses = operator.uses["self"]
        grad = operator.formulas["self"](xp, grad, *[values[u] for u in uses])
        if grad.shape != shape:
            grad = xp.sum_to(grad, shape)
    return grad


def refuse(tensor: TensorBase, view: View, indirect: bool = False) -> None:
    """Raises where a view must not be written to, or not any more be read."""
    if view.kind is Kind.USUAL:
        return
    happened = "its base or another view of its base has been" if indirect else "is being"
    made = MADE.get(view.kind)
    where = "" if view.node is not None and made is None else WRITTEN.get(
        view.kind, " with grad mode enabled"
    )  # fmt: skip
    raise RuntimeError(
        f"{subject(tensor, view, made)} and {happened} modified inplace{where}.{view.kind.value}"
    )


def refuse_stale(tensor: TensorBase) -> None:
    """Raises where a history that is about to be read may not be read any more."""
    if thread.state.mode and requires(tensor):
        gradient_edge(tensor)


def subject(tensor: TensorBase, view: View, made: str | None) -> str:
    """What the sentence of `refuse` speaks of."""
    if view.node is None:
        return f"A view was created in {made or 'no_grad'} mode"
    of_a_view = f" of a view which was created in {made} mode" if made else ""
    return f"Output {tensor._nr} of {operator_name(view.node)} is a view{of_a_view}"


def gradient_edge(tensor: TensorBase) -> Node | None:
    """The node that receives the gradient of `tensor`, None where none is required."""
    node = tensor._node
    if node is None and tensor._view is not None:
        node = history(tensor)
    if node is not None:
        return node
    # A view that was not recorded requires a gradient because its base does, and gets none.
    flag = tensor._requires_grad if tensor._requires_grad is not ASK else tensor._asked
    return accumulator(tensor) if flag else None


def history(tensor: TensorBase) -> Node | None:
    """The node that made `tensor`, None for a leaf; a stale view gets a new one."""
    node = tensor._node
    if node is not None:
        return node
    view = tensor._view
    if view is None:
        return None
    if view.version != tensor._counter.value and (view.node or requires(view.base)):
        regenerate(tensor, view)
    return view.node


def has_node(tensor: TensorBase) -> bool:
    """Whether `tensor` has a node by now; a stale view may get one when its history is read."""
    return tensor._node is not None or (tensor._view is not None and tensor._view.node is not None)


def accumulator(tensor: TensorBase) -> AccumulateGrad:
    """The AccumulateGrad of a leaf: one, as long as someone holds it."""
    reference = tensor._accumulator or tensor._former
    node = reference() if reference is not None else None
    if node is None:
        node = AccumulateGrad()
        node.variable = tensor
        expect(node, tensor)
        # As they are; read faster from the instance than from the class.
        tensor._node, tensor._view, tensor._hooks = None, tensor._view, tensor._hooks
        node._hooks = None
        reference = weakref.ref(node)
        if ANOMALY.enabled:
            note(node)
    tensor._accumulator = reference
    return node


def expect(node: AccumulateGrad, leaf: TensorBase) -> None:
    """Says what gradient a leaf takes: of its shape, and of its dtype or the one it was told."""
    node._shape = leaf._array.shape
    wanted = leaf._grad_dtype
    node._dtype = leaf._array.dtype if wanted is ... else wanted and wanted.numpy


def update_accumulator(leaf: TensorBase) -> None:
    """As `expect`, for the node that a leaf may have already."""
    reference = leaf._accumulator or leaf._former
    node = reference() if reference is not None else None
    if node is not None:
        expect(node, leaf)


class AsStridedBackward0(Node):
    """The node of a view that was made anew: from the view's gradient to the base's."""

    _constant_names = ("size", "stride", "storage_offset")
    _replay: Replay

    def _run(self, grad: Any) -> tuple[Any, ...]:
        return (adjoint(raw, grad, self._replay),)

    def _read(self, grad: Any) -> tuple[Any, ...]:
        return (adjoint(recorded, grad, self._replay),)


def as_strided_node(array: Any, replay: Replay, edge: Node | None, nr: int) -> Node:
    """An AsStridedBackward0 above `edge`."""
    node = AsStridedBackward0()
    node._next = (edge,)
    if nr:
        node._nrs = (nr,)
    node._replay = replay
    node._constants = (array.shape, element_strides(array), storage_offset(array))
    node._shape = array.shape
    node._dtype = array.dtype
    node._sequence = next_sequence()
    note(node)
    return node


def regenerate(tensor: TensorBase, view: View) -> None:
    """Makes the node of a stale view anew (Note [Views])."""
    if view.kind is not Kind.USUAL:
        refuse(tensor, view, indirect=True)
    settle(tensor, view)
    node = (replayed_node(view) if view.replaying else None) or remade_node(tensor, view)
    move_retain(tensor, view.node, node)
    own_history(tensor, view, node)
    view.version = tensor._counter.value
    if view.tie is not None:
        if view.tie.written == view.version:
            view.tie.made = weakref.ref(node)
        view.tie = None


def replayed_node(view: View) -> Node | None:
    """The node that the view's own operators make now; None where they record nothing."""
    with recording(True):
        return history(apply(recorded, view.base, view.replay))


def special(view: View | None) -> None:
    """What else is done for a view made in a mode of 2."""
    if view is not None:
        view.replaying = thread.state.replaying
        if view.node is not None:
            note(view.node)


def remade_node(tensor: TensorBase, view: View) -> Node:
    """An AsStridedBackward0 on the base; nodes of its own for a change of dtype in between."""
    edge, nr = gradient_edge(view.base), view.base._nr
    if view.written is not None and view.written[0] == tensor._counter.value:
        edge, nr = view.written[1], 0
    view.written = None
    pieces = parts(view.replay)
    if len(pieces) == 1 and pieces[0][0][0].name not in OTHER_DTYPE:
        return as_strided_node(tensor._array, view.replay, edge, nr)
    array = view.base._array
    for steps in pieces:
        if steps[0][0].name in OTHER_DTYPE:
            source = wrap(array)
            source._node, source._nr, source._counter = edge, nr, tensor._counter
            set_requires(source, True)
            with recording(True):
                edge = history(apply(recorded, source, steps))
            array = apply(raw, array, steps)
        else:
            array = apply(raw, array, steps)
            edge = as_strided_node(array, steps, edge, nr)
        nr = 0
    assert edge is not None
    return edge


def parts(replay: Replay) -> list[Replay]:
    """A replay in pieces that are one node each when a view is made anew.

    All steps before the first change of dtype are one, those after it are one each.
    """
    first = next((i for i, s in enumerate(replay) if s[0].name in OTHER_DTYPE), len(replay))
    before = [replay[:first]] if first else []
    return before + [(step,) for step in replay[first:]]


def move_retain(tensor: TensorBase, before: Node | None, after: Node) -> None:
    """`retain_grad` belongs to the tensor: it moves with a new history; hooks stay behind."""
    hooks = before._hooks if before is not None else None
    if hooks is None:
        return
    for nr, reference in tuple(hooks.retains.items()):
        if reference() is tensor:
            del hooks.retains[nr]
            hooks_of(after).retains[0] = reference


class CopySlices(Node):
    """The history of a base after a write through one of its views.

    `fn` is the node of the operator that wrote; the gradient of the view's part goes through it,
    the rest passes.
    """

    def name(self) -> str:
        """PyTorch's full name of this node."""
        return "torch::autograd::CopySlices"

    def _run(self, grad: Any) -> tuple[Any, ...]:
        saved = self._saved if self._saved.__class__ is tuple else unpack(self, self._saved)
        fn, replay = saved
        base = laid_out(grad, self._constants)
        part = apply(raw, base, replay)
        inner, *others = fn._run(part.copy())
        put(part, 0 if inner is None else inner)
        return (base if self._next[0] is not None else None, *others)

    def _read(self, grad: Any) -> tuple[Any, ...]:
        saved = self._saved if self._saved.__class__ is tuple else unpack(self, self._saved)
        fn, replay = saved
        grad = recorded.clone(grad, "contiguous")
        grad._array = laid_out(grad._array, self._constants)
        inner, *others = fn._run_recording(apply(recorded, grad, replay))
        if self._next[0] is None:
            return (None, *others)
        written = laid_out(np.zeros_like(grad._array), self._constants)
        part = apply(raw, written, replay)
        put(part, 1 + 1j if part.dtype.kind == "c" else 1)
        base = cleared(grad, wrap(written))
        if inner is not None:
            base = recorded.add(base, adjoint(recorded, inner, replay))
        return (base, *others)


def layout(array: Any) -> tuple[int, ...]:
    """How a base lies in memory: its strides in elements, as if contiguous where it has gaps."""
    if array.flags.c_contiguous or dense(array):
        return element_strides(array)
    return contiguous_strides(array.shape, 1)


def laid_out(grad: Any, strides: tuple[int, ...]) -> Any:
    """A copy of a gradient that lies as its base does: else the views of that may not exist."""
    copy = np.array(grad, order="C")  # of no dimensions it may arrive as a scalar
    found = tuple(step * copy.itemsize for step in strides)
    if copy.strides == found or not copy.size:
        return copy
    moved: Any = np.ndarray(copy.shape, copy.dtype, np.empty(copy.size, copy.dtype), 0, found)
    moved[...] = copy
    return moved


def cleared(grad: Any, written: Any) -> Any:
    """A gradient with 0 where `written` is not 0; of a complex number one half may be written."""
    if grad._array.dtype.kind != "c":
        return recorded.masked_fill(grad, recorded.ne(written, 0), 0)
    pairs = recorded.ne(recorded.view_as_real(written), 0)
    return recorded.view_as_complex(recorded.masked_fill(recorded.view_as_real(grad), pairs, 0))


def put(part: Any, values: Any) -> None:
    """Writes into a part of a gradient; refused where an expanded view repeats its memory."""
    if 0 in part.strides and part.size:
        pairs = zip(part.strides, part.shape, strict=True)
        if any(stride == 0 and size > 1 for stride, size in pairs):
            raise RuntimeError(COPY_ON_OVERLAP)
    part[...] = values


# What `read` returns is conjugated by the inner node where it must be, and nowhere else.
CopySlices._holomorphic = False
AsStridedBackward0._holomorphic = False
CopySlices.__module__ = AsStridedBackward0.__module__ = "builtins"
add_saved_attributes(AsStridedBackward0)


def rebase(tensor: TensorBase, node: Node) -> None:
    """Makes `node` the history of a tensor that was just written to in place."""
    view = tensor._view
    if view is None:
        move_retain(tensor, tensor._node, node)
        tensor._node = node
        tensor._nr = 0
        set_requires(tensor, True)
        return
    settle(tensor, view)
    base = view.base
    outer = CopySlices()
    outer._next = (gradient_edge(base), *node._next[1:])
    nrs = (base._nr, *(node._nrs or (0,) * len(node._next))[1:])
    outer._nrs = nrs if any(nrs) else None
    outer._saved = (node, view.replay)
    outer._constants = layout(base._array)
    outer._shape = base._array.shape
    outer._dtype = base._array.dtype
    outer._sequence = next_sequence()
    note(outer)
    tie_result(node, tensor, view, outer)
    move_retain(base, base._node, outer)
    base._node = outer
    base._nr = 0
    view.written = (tensor._counter.value, outer)
    set_requires(base, True)
    if LEVELS.open or needs_care(tensor):
        tensor._requires_grad, tensor._asked = ASK, True
    else:
        tensor._requires_grad = True
    if view.node is None or view.node._hooks is not None:
        history(tensor)  # has a node from now on; what hangs on the view moves, or stays behind


class Tie:
    """Ties an output that a writing node saved, a view, to the new history of its base."""

    __slots__ = ("array", "made", "outer", "replay", "tensor", "written")

    def __init__(self, array: Any, tensor: TensorBase, view: View, outer: Node) -> None:
        self.array = array
        self.replay = view.replay
        self.tensor = weakref.ref(tensor)
        self.written = tensor._counter.value
        self.outer = weakref.ref(outer)
        # The view's own node after the write, where someone asked for it.
        self.made: weakref.ref[Node] | None = None

    def node(self) -> Node:
        """The node that the view had after the write; one like it where that is gone."""
        tensor = self.tensor()
        if tensor is not None and tensor._view is not None and tensor._view.tie is self:
            history(tensor)
        made = self.made() if self.made is not None else None
        if made is not None:
            return made
        outer = self.outer()
        assert outer is not None  # it holds the node that asks
        return as_strided_node(self.array, self.replay, outer, 0)

    def name(self) -> str:
        """The name of such a node inside sentences."""
        operator = self.replay[-1][0]
        changed = operator.name in OTHER_DTYPE
        return operator.node.removesuffix("Backward0") if changed else "AsStrided"

    def is_current(self) -> bool:
        """Whether the node that the view had after the write is still somewhere."""
        if self.made is not None:
            return self.made() is not None
        tensor = self.tensor()
        return tensor is not None and tensor._view is not None and tensor._view.tie is self


def tie_result(node: Node, tensor: TensorBase, view: View, outer: Node) -> None:
    """An output that a writing node saved is, for a formula, the view of the new base."""
    view.tie = None
    for slot in node._result_slots.values():
        array, written = flat(node)[slot : slot + 2]
        if array is not None:
            view.tie = Tie(array, tensor, view, outer)
            tied = (*written[:2], view.tie)
            replace(node, slot + 1, tied)


def piece(operator: Operator, arguments: tuple[Any, ...], index: int, arrays: list[Any]) -> Step:
    """The single view that output `index` of `split`, `unbind` and their kind is."""
    shape, dim = arguments[-1], arguments[-2]
    if operator.name == "unbind":
        return REGISTRY["select"], (dim, index), shape
    start = sum(a.shape[dim] for a in arrays[:index])
    return REGISTRY["slice"], (dim, start, start + arrays[index].shape[dim], 1), shape
