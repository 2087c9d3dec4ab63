"""Why a call made a NaN or an infinity out of its arguments: told while they are at hand."""

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.explain.bad.cancelled import is_variance
from seegrad.explain.bad.finite import is_finite
from seegrad.explain.record import Made, ancestors, made_of
from seegrad.graph.asked import Entry
from seegrad.graph.state import recording, thread
from seegrad.graph.tensor import TensorBase, wrap

if TYPE_CHECKING:
    from seegrad.explain.bad.values import Bad, BadValues

__all__ = ["HALF", "cause_of", "is_kept_off_zero"]

SOFTMAX = frozenset(["softmax", "log_softmax", "softmin", "gumbel_softmax"])
LABELLED = frozenset(["cross_entropy", "nll_loss"])
# What has no value for negative numbers.
PARTIAL = frozenset(["sqrt", "rsqrt", "log", "log2", "log10", "pow", "float_power", "acosh"])
# What has no finite value at zero, and what keeps away from it.
SINGULAR = frozenset(["div", "reciprocal", "log", "log2", "log10", "rsqrt"])
KEEPING = frozenset(["add", "clamp", "clamp_min", "clip"])
# What data become tensors by.
DATA = frozenset(
    ["tensor", "legacy_tensor", "as_tensor", "from_numpy", "asarray", "frombuffer", "load", "leaf"]
)
HALF = frozenset({dtypes.float16.numpy, dtypes.bfloat16.numpy})


def cause_of(
    watcher: "BadValues",
    name: str,
    entry: Entry,
    args: Any,
    kwargs: Any,
    result: Any,
    event: "Bad",
    index: tuple[int, ...],
) -> tuple[str, Any]:
    """The kind of a birth (that of a finding, "given" or "data"), and what else is known of it."""
    tensors = [a for a in (*args, *kwargs.values()) if isinstance(a, TensorBase)]
    if not tensors or entry.name == "from_numpy":
        is_number = not event.nan and result._array.size == 1  # an infinity to compare with
        is_data = name in DATA and not is_number
        return ("data", empty_column(result._array)) if is_data else ("given", None)
    if any(is_endless(a) for a in (*args, *kwargs.values())) and not event.nan:
        return "given", None
    if name in SINGULAR and has_lost_eps(tensors[-1], result, index):
        return "overflow-half", "eps"
    if event.nan:
        found = nan_cause(watcher, name, entry, args, kwargs, tensors, event)
        if found is not None:
            return found
    if result._array.dtype in HALF and not event.nan and fits_float32(entry, args, kwargs):
        return "overflow-half", None
    if name in PARTIAL and event.nan and not event.sources:
        value = value_at(tensors[0], result, index)
        lost = cancelled_before(watcher, tensors[:1], value) if value < 0 else None
        if lost is not None:
            return "cancellation", lost
    if name == "__setitem__" or name in ("masked_fill", "fill", "copy"):
        return "given", None
    return "nan-forward", None


def empty_column(array: Any) -> int | None:
    """The first column of a table that is NaN in every row, where others are not."""
    if array.ndim != 2 or len(array) < 2:
        return None
    bad = np.isnan(array).all(0)
    return int(np.argmax(bad)) if bad.any() and not bad.all() else None


def has_lost_eps(tensor: Any, result: Any, index: tuple[int, ...]) -> bool:
    """Whether an argument is zero, though something was added to it, or it was clamped."""
    try:
        is_zero = tensor._array.dtype in HALF and value_at(tensor, result, index) == 0
    except ValueError:  # the shapes do not go together
        return False
    return is_zero and is_kept_off_zero(made_of(tensor))


def is_kept_off_zero(made: Made) -> bool:
    """Whether a number was added to a tensor, or it was clamped to one."""
    return made.name in KEEPING and len(made.parents) == 1


def is_endless(value: Any) -> bool:
    """Whether an argument is an infinity or NaN that the program wrote down."""
    return isinstance(value, float) and (value != value or value in (np.inf, -np.inf))


def nan_cause(
    watcher: "BadValues",
    name: str,
    entry: Entry,
    args: Any,
    kwargs: Any,
    tensors: list[Any],
    event: "Bad",
) -> tuple[str, Any] | None:
    """The kind of the birth of a NaN, None where it is not one of those with a name."""
    if any(not tensor._array.size for tensor in tensors):
        return "empty-mean", None
    if name in LABELLED:
        return labels_cause(entry, args, kwargs)
    if any(is_endless(a) and a != a for a in (*args, *kwargs.values())):
        return "given", None
    if name in SOFTMAX and any(map(is_mask, event.sources)):
        if not (tensors[0]._array == np.inf).any():
            return "masked-attention", None
    if "attention" in name and masks_a_row(args, kwargs):
        return "masked-attention", None
    if name == "sub" and from_mask(event, tensors):
        return "masked-attention", None
    if name == "div" and not event.sources:
        return division_cause(watcher, args)
    return None


def labels_cause(entry: Entry, args: Any, kwargs: Any) -> tuple[str, Any] | None:
    """Of a loss over labels: whether none counts."""
    given = inspect.signature(entry.original).bind(*args, **kwargs)
    given.apply_defaults()
    target, ignored = given.arguments["target"], given.arguments["ignore_index"]
    if target._array.dtype.kind not in "iu":
        return None
    if (target._array == ignored).all():
        return "all-ignored", int(ignored)
    return "all-ignored", "weights"


def is_masked(source: "Bad") -> bool:
    """Whether an infinity was written down by the program, as masks are."""
    written = ("given", "data")
    return not source.nan and any(b.birth and b.birth.cause in written for b in source.births())


def is_mask(source: "Bad") -> bool:
    """Whether an infinity is a mask: written down, or the logarithm of zeros and ones."""
    logs = [b for b in source.births() if b.made.name == "log" and not b.made.live]
    return is_masked(source) or (not source.nan and bool(logs))


def masks_a_row(args: Any, kwargs: Any) -> bool:
    """Whether an argument is a mask one of whose rows keeps nothing."""
    for mask in (*args, *kwargs.values()):
        array = getattr(mask, "_array", None)
        if array is not None and array.ndim and array.dtype.kind == "b":
            if array.all(-1).any() or not array.any(-1).all():
                return True
        elif array is not None and array.ndim and (array == -np.inf).all(-1).any():
            return True
    return False


def from_mask(event: "Bad", tensors: list[Any]) -> bool:
    """Whether this is `x - x.max()` where a row is -inf."""
    if len(tensors) < 2 or not any(is_masked(source) for source in event.sources):
        return False
    names = {made.name for made in ancestors(made_of(tensors[1]), 4)}
    return bool(names & {"max", "amax", "logsumexp", "__getitem__", "detach"})


# Behind a sum, these say that it is no number of elements.
NO_COUNTS = frozenset(["exp", "softmax", "sqrt", "norm", "vector_norm"])


def division_cause(watcher: "BadValues", args: Any) -> tuple[str, Any] | None:
    """Of 0 / 0: a mean of nothing, a row that is masked wholly."""
    below = args[-1]
    if not isinstance(below, TensorBase):
        return "empty-mean", None
    above = list(ancestors(made_of(below), 12))
    for made in above:
        event = watcher.events.get(made.number)
        if event is not None and is_masked(event):
            return "masked-attention", None
    nearest = [*above[:4], *ancestors(made_of(args[0]), 3)]
    if any(0 in made.shape for made in nearest):
        return "empty-mean", None
    names = {made.name for made in above[:6]}
    if names & {"ne", "__ne__"} and any(
        one.name == "gather" for one in ancestors(made_of(args[0]), 8)
    ):
        return "all-ignored", "mask"
    if below._array.dtype.kind in "iu":  # a number of elements
        return "empty-mean", None
    if any(map(is_masked_exp, above[:4])):
        return "masked-attention", None
    counts = bool(names & {"sum", "count_nonzero"}) and not names & NO_COUNTS
    if counts and not below._made.live:
        return "empty-mean", None
    lost = cancelled_before(watcher, [below])
    if lost is None or not is_variance(lost.parents):
        return None
    return "cancellation", lost


def is_masked_exp(made: Made) -> bool:
    """Whether a tensor is an exponential times something that needs no gradient."""
    if made.name != "mul" or len(made.parents) != 2 or not made.live:
        return False
    masks = [one for one in made.parents if not one.live]
    return bool(masks) and any(
        above.name == "exp" for one in made.parents if one.live for above in ancestors(one, 1)
    )


def fits_float32(entry: Entry, args: Any, kwargs: Any) -> bool:
    """Whether the same call in float32 has a finite result."""
    state = thread.state
    before, state.heard = state.heard, True
    try:
        with recording(False):
            wide = {name: widened(value) for name, value in kwargs.items()}
            again = entry.original(*map(widened, args), **wide)
    except Exception:  # the call wants what it was given: `half()`, `to(torch.float16)`
        return True
    finally:
        state.heard = before
    array = getattr(again, "_array", None)
    return array is None or array.dtype in HALF or is_finite(array)


def widened(value: Any) -> Any:
    """A half-precision tensor in float32, anything else as it is."""
    if isinstance(value, TensorBase) and value._array.dtype in HALF:
        return wrap(value._array.astype(np.float32))
    return value


def cancelled_before(watcher: "BadValues", tensors: list[Any], value: Any = None) -> Made | None:
    """The difference of nearly equal numbers that an argument was made of.

    `value`: of the argument, where it is the difference itself; it has to be as small as what
    rounding leaves.
    """
    for tensor in tensors if watcher.lost else ():
        made = made_of(tensor)
        for one in ancestors(made, 6):
            if one.number in watcher.lost:
                rounding = watcher.lost[one.number][1]
                if one is not made or value is None or abs(value) <= rounding:
                    return one
    return None


def value_at(tensor: Any, result: Any, index: tuple[int, ...]) -> Any:
    """The element of an argument that an element of the result was made of."""
    return np.broadcast_to(tensor._array, result._array.shape)[index]
