"""From a bad value that did harm to the finding: its kind, where it was born, the cure."""

import ast
from dataclasses import replace

from seegrad.explain.bad.births import HALF, is_kept_off_zero
from seegrad.explain.bad.cancelled import LARGE, WRONG, is_variance
from seegrad.explain.bad.finite import is_finite, shortly
from seegrad.explain.bad.replay import Lost
from seegrad.explain.bad.steps import BadStep
from seegrad.explain.bad.values import Bad, plain_name
from seegrad.explain.bad.watch import BadPass, BadWatch
from seegrad.explain.bad.words import (
    HIDING,
    backward_cure,
    backward_says,
    forward_cure,
    forward_says,
)
from seegrad.explain.places import Place
from seegrad.explain.record import Made, ancestors
from seegrad.explain.report import Finding
from seegrad.explain.source import text as text_of
from seegrad.graph.tensor import TensorBase

__all__ = [
    "forward_finding",
    "origin_of",
    "pass_finding",
    "quotient_finding",
    "too_long",
    "vanished_finding",
    "variance_finding",
]

PRODUCTS = frozenset(["matmul", "mm", "mv", "linear", "mul", "addmm", "bmm", "dot"])
REPEATED = 10  # products with one weight, on one line
HUGE = 1e9
EXPLODED = 1e10  # a first loss
LAYERS = 5  # products of one line
DEEP = 60
DIVIDING = frozenset(["div", "reciprocal", "rsqrt", "log"])
# Where these end, the argument was too large: that is what to speak of.
SATURATED = frozenset(["sigmoid", "tanh", "erf", "softmax"])
# Kinds that say what was wrong; the others say only where.
NAMED = frozenset(
    ["empty-mean", "all-ignored", "masked-attention", "overflow-half", "cancellation"]
)


def pass_finding(watch: BadWatch, event: BadPass) -> Finding:
    """What made the loss or the gradients of a pass bad."""
    if event.root is not None:
        finding = forward_finding(event.root, watch)
        what = "nan" if event.nan else "infinite"
        finding = noted(finding, f"the loss of {event.place} is {what} because of it")
    elif event.step is not None:
        finding = step_finding(watch, event, event.step)
    else:
        finding = Finding("nan-backward", "a gradient is not finite", event.place)
    if exploded_from(watch) and finding.kind == "flow-exploding":
        return finding
    if finding.kind in NAMED or finding.kind == "nan-in-data":
        return finding
    return too_long(watch, event, finding) or finding


def noted(finding: Finding, *more: str) -> Finding:
    """A finding with more evidence."""
    return replace(finding, evidence=(*finding.evidence, *more))


# What takes some elements, and leaves bad ones behind.
TAKING = frozenset(
    ["__getitem__", "select", "gather", "narrow", "chunk", "split", "unbind", "div"]
)


def is_part(event: Bad) -> bool:
    """Whether calculation went on with finite elements of a tensor that has bad ones."""
    calculated = any(b.birth and b.birth.cause not in ("given", "data") for b in event.births())
    return calculated and event.masked is not None and event.masked.name in TAKING


def origin_of(watch: BadWatch, bad: Bad) -> Bad:
    """Where a bad value was born; of a NaN made of an infinity, the infinity's birth."""
    births = bad.births()
    first = next((b for b in births if b.nan), births[0]) if bad.nan and births else None
    first = first or (births[0] if births else bad)
    for made in ancestors(first.made, 6) if first.birth is not None else ():
        event = watch.events.get(made.number)
        if event is not None and event is not first and is_part(event):
            return origin_of(watch, event)
    if first.birth is not None and first.nan and first.birth.cause == "nan-forward":
        sources = sorted(
            (b for source in first.sources for b in source.births()), key=lambda b: b.made.number
        )
        calculated = [b for b in sources if b.birth and b.birth.cause != "given"]
        if calculated:
            return calculated[0]
    return first


def forward_finding(bad: Bad, watch: BadWatch) -> Finding:
    """What made a result bad."""
    first = origin_of(watch, bad)
    birth = first.birth
    if birth is None:
        return Finding("nan-forward", "a value is not finite", first.place)
    name = plain_name(first.made.name)
    where = f"at element {list(birth.element)}" if birth.element else ""
    value = shortly(birth.value)
    if birth.cause == "empty-mean":
        says = f"{name} of an empty selection is 0 / 0, which is nan"
        cure = "leave the term out where nothing is selected, or divide by count.clamp(min=1)"
        return Finding("empty-mean", says, first.place, (cure,))
    if birth.cause == "all-ignored":
        return ignored_finding(first, name)
    if birth.cause == "masked-attention":
        says = "a row is masked wholly: softmax over nothing but -inf is nan"
        cure = "let each row see one place at least, or drop rows that are all padding"
        return Finding("masked-attention", says, first.place, (cure,))
    if birth.cause == "cancellation":
        return cancelled_finding(first, value)
    if birth.cause == "overflow-half" and birth.detail == "eps":
        return lost_eps_finding(first.place, shown(first))
    if birth.cause == "overflow-half":
        kind = "bfloat16" if "bfloat16" in str(getattr(birth.value, "dtype", "")) else "float16"
        says = f"{name} does not fit in {kind}: it became {value}"
        cure = "calculate this in float32 (x.float()), or scale the values down"
        return Finding("overflow-half", says, first.place, (shown(first), cure))
    vanished = vanished_before(watch, first.made, saturated=False) if name in DIVIDING else None
    lost = lost_variance(watch, first.made) if name in DIVIDING else None
    if vanished is None and lost is not None:
        vanished = replace(variance_finding(*lost), certain=True)
    if vanished is not None:
        return noted(vanished, f"{shown(first)} at {first.place}")
    exploded = exploded_finding(watch, bad, first)
    if exploded is not None:
        return exploded
    again = repeated(first)
    if again is not None:
        return grown_finding(first, *again)
    if is_data(first, bad):
        return data_finding(first, name, value, where)
    says = forward_says(first)
    cure = "torch.nn.functional.normalize does it with an eps" if "its norm" in says else ""
    evidence = (
        f"{shown(first)} {where}".rstrip(), masked_words(first), cure or forward_cure(name)
    )  # fmt: skip
    return Finding("nan-forward", says, first.place, tuple(filter(None, evidence)))


def lost_eps_finding(place: Place | None, *evidence: str) -> Finding:
    """A small number that was to keep something away from zero is zero itself."""
    says = (
        "the eps vanishes: the smallest number of float16 is 6e-8, what is smaller rounds to 0, "
        "so this is still 0 here; take an eps of 1e-4, or calculate this in float32"
    )
    return Finding("overflow-half", says, place, evidence)


def repeated(bad: Bad) -> tuple[Made, int] | None:
    """The product with one weight that a value too large was made by again and again."""
    birth = bad.birth
    assert birth is not None
    if not any(is_huge(text) for text in birth.operands):
        return None
    times: dict[tuple[object, int], list[Made]] = {}
    stack, seen = [bad.made], {bad.made.number}
    while stack and len(seen) < 5000:
        made = stack.pop()
        if plain_name(made.name) in PRODUCTS:
            for parent in made.parents:
                if parent.recorded and not any(one.recorded for one in parent.parents):
                    times.setdefault((made.spot, parent.number), []).append(made)
        new = [parent for parent in made.parents if parent.number not in seen]
        seen.update(parent.number for parent in new)
        stack += new
    found = max(times.values(), key=len, default=[])
    return (found[0], len(found)) if len(found) >= REPEATED else None


def exploded_from(watch: BadWatch) -> float | None:
    """A first loss so large that no step has made it so."""
    firsts = [loss.first for loss in watch.losses.values()]
    return next((first for first in firsts if first > EXPLODED), None)


def exploded_finding(watch: BadWatch, harmed: Bad, bad: Bad) -> Finding | None:
    """Layers of one line, each of which makes the values larger."""
    loss = exploded_from(watch)
    times: dict[object, list[Made]] = {}
    for made in ancestors(harmed.made, DEEP) if loss is not None else ():
        if plain_name(made.name) in PRODUCTS and made.live:
            times.setdefault(made.spot, []).append(made)
    found = max(times.values(), key=len, default=[])
    if loss is None or len(found) < LAYERS:
        return None
    says = (
        f"each of the products here makes the values larger, so the first loss is {shortly(loss)} "
        "already: make the weights smaller, as by 1 / sqrt(inputs) or nn.init"
    )
    evidence = (f"{shown(bad)} at {bad.place} is the first bad value",)
    return Finding("flow-exploding", says, found[0].place, evidence)


def is_huge(text: str) -> bool:
    """Whether a value is so large that only growth can have made it."""
    try:
        return abs(float(text)) > HUGE
    except ValueError:
        return False


def grown_finding(first: Bad, made: Made, count: int) -> Finding:
    """Values that grew from step to step of a recurrence."""
    says = (
        f"each of {count} repetitions multiplies by the same weight here, so the values grow "
        "beyond all bounds, and so does the gradient: make the weight smaller"
    )
    evidence = (f"{shown(first)} at {first.place} is the first bad value",)
    return Finding("flow-exploding", says, made.place, evidence)


def shown(bad: Bad) -> str:
    """The call with its values: "log(0) = -inf"."""
    birth = bad.birth
    assert birth is not None
    values = ", ".join(birth.operands[:3])
    return f"{plain_name(bad.made.name)}({values}) = {shortly(birth.value)}"


def masked_words(bad: Bad) -> str:
    """Whether the forward pass masked a bad value later."""
    if bad.masked is None:
        return ""
    return f"the forward pass masked it by {plain_name(bad.masked.name)} at {bad.masked.place}"


def is_data(first: Bad, harmed: Bad) -> bool:
    """Whether a bad value was there before anything that learns was calculated."""
    birth = first.birth
    assert birth is not None
    if birth.cause in ("data", "found"):
        return True
    if birth.cause == "given":
        return first.nan
    is_ratio = first.nan and plain_name(first.made.name) == "div" and not first.sources
    return is_ratio and not first.made.live and harmed.made.live and is_scaled(first.made)


# What the spread of a column is calculated with.
SPREAD = frozenset(["std", "var", "std_mean", "var_mean", "mean", "max", "min", "amax", "amin"])


def is_scaled(ratio: Made) -> bool:
    """Whether numbers are divided by their spread, as data are before training."""
    return any(made.name in SPREAD for made in ancestors(ratio.parents[-1], 4))


def data_finding(first: Bad, name: str, value: str, where: str) -> Finding:
    """The data hold a NaN."""
    shape = "x".join(map(str, first.made.shape)) or "scalar"
    evidence = [
        f"the first one is {where} of the {shape} tensor" if where else "it is the only number",
        "drop or fill such rows before training: torch.isnan(x).any(), torch.nan_to_num(x)",
    ]
    column = birth_column(first)
    place = first.place
    if column is not None:
        says = f"column {column} of the data is nan in every row before anything is calculated"
        evidence[1] = (
            "a constant column whose std is 0 was divided by it (0 / 0), most likely: add a small "
            "eps to the denominator, or drop the column"
        )
        place = divided_before(place) or place
    elif name == "div":
        says = f"the inputs hold {value}: 0 / 0, as where a column is constant and its std is 0"
        evidence[1] = "add a small eps to the denominator, or drop constant columns"
    else:
        says = f"the data hold {value} before anything is calculated"
    return Finding("nan-in-data", says, place, tuple(evidence))


def birth_column(first: Bad) -> int | None:
    """The column that is NaN in every row."""
    is_data = first.birth is not None and first.birth.cause == "data"
    return first.birth.detail if is_data and first.birth is not None else None


def divided_before(place: Place | None) -> Place | None:
    """The line that divided what a tensor is made of, where its name says so."""
    statement = None if place is None else text_of.statement(place)
    calls = (
        [node for node in ast.walk(statement) if isinstance(node, ast.Call)] if statement else []
    )
    for name in [arg.id for call in calls for arg in call.args[:1] if isinstance(arg, ast.Name)]:
        assert place is not None
        made = text_of.last_assignment(name, place)
        if made is not None and any(isinstance(node, ast.Div) for node in ast.walk(made)):
            return text_of.at(place, made.lineno)
    return None


def ignored_finding(first: Bad, name: str) -> Finding:
    """No label counts."""
    birth = first.birth
    assert birth is not None
    if birth.detail == "weights":
        says = f"the classes that occur all have weight 0, so {name} divides by zero: nan"
    elif birth.detail == "mask":
        says = "no label counts, all are padding or ignored: the sum is divided by 0, which is nan"
    else:
        says = f"every label is ignore_index ({birth.detail}), so {name} divides by no label: nan"
    cure = "skip such batches, or sum the losses and divide by the count.clamp(min=1)"
    return Finding("all-ignored", says, first.place, (cure,))


def cancelled_finding(first: Bad, value: str) -> Finding:
    """A difference of nearly equal numbers came out below zero."""
    birth = first.birth
    assert birth is not None
    came = birth.operands[0] if birth.operands else value
    below = ", where it should not be below zero" if came.startswith("-") else ""
    says = (
        "a difference of nearly equal large numbers has no right digit left: it came out as "
        f"{came}{below}"
    )
    cure = "subtract the mean first, ((x - x.mean()) ** 2).mean(), use x.var(), or float64"
    here = birth.detail.place if birth.detail is not None else first.place
    return Finding("cancellation", says, here, (f"{shown(first)} at {first.place}", cure))


def variance_finding(made: Made, units: float) -> Finding:
    """A variance without a right digit, though nothing became NaN."""
    says = (
        "this variance is the difference of two nearly equal large numbers: its digits are "
        "rounding errors"
    )
    evidence = (
        f"it is {units:.0f} rounding errors large" if units >= 1 else "it came out as 0",
        "subtract the mean first, ((x - x.mean()) ** 2).mean(), use x.var(), or float64",
    )
    return Finding("cancellation", says, made.place, evidence, certain=False)


# What says the same as a difference from one, without the difference.
REWRITTEN = {
    "cos": "1 - cos(x) is 2 * sin(x / 2) ** 2",
    "cosh": "cosh(x) - 1 is 2 * sinh(x / 2) ** 2",
    "exp": "exp(x) - 1 is torch.expm1(x)",
    "sqrt": "sqrt(1 + x) - 1 is x / (sqrt(1 + x) + 1)",
    "sigmoid": "1 - sigmoid(x) is sigmoid(-x)",
    "tanh": "1 - tanh(x) is 2 * sigmoid(-2 * x)",
    "erf": "1 - erf(x) is torch.erfc(x)",
}


def vanished_finding(lost: Lost) -> Finding:
    """A difference of nearly equal numbers, or a logarithm of 1 + x, that is mostly rounding."""
    if plain_name(lost.made.name) in ("log", "log2", "log10"):
        says = (
            "1 + x rounds to 1, or nearly, where x is this small: its logarithm has no right "
            "digit left; use torch.log1p(x)"
        )
        cure = "" if lost.double else "or calculate this in float64"
    elif is_variance(lost.made.parents):
        says = (
            "this variance is the difference of two nearly equal large numbers, of which no right "
            "digit is left: subtract the mean first, ((x - x.mean()) ** 2).mean(), or use x.var()"
        )
        cure = ""
    else:
        says = (
            "this is a difference of nearly equal numbers, of which no right digit is left: "
            "calculate it without the difference" + ("" if lost.double else ", or in float64")
        )
        names = [plain_name(parent.name) for parent in lost.made.parents]
        cure = next((REWRITTEN[name] for name in names if name in REWRITTEN), "")
        if not cure and set(names) <= {"__getitem__", "tensor", "as_tensor"}:
            cure = (
                "float32 has seven digits: keep such numbers in float64, or subtract an offset "
                "before they become a tensor"
            )
        elif not cure and len(set(names)) < len(names):
            step = "1e-6 in float64" if lost.double else "1e-3 in float32"
            cure = f"for a derivative by differences, take a larger step: {step}"
    digits = "with more digits" if lost.double else "in float64"
    values = f"it came out as {shortly(lost.value)}; {digits} it is {shortly(lost.truth)}"
    return Finding("cancellation", says, lost.made.place, tuple(filter(None, (values, cure))))


def quotient_finding(difference: Made) -> Finding:
    """A difference of nearly equal numbers, over something as small."""
    says = (
        "this difference of nearly equal numbers has no right digit left, and the division makes "
        "much of what rounding left"
    )
    evidence = (
        "rewrite it without the difference (1 - cos(x) is 2 * sin(x / 2) ** 2; torch.expm1, "
        "torch.log1p), take the first terms of its series where x is small, or use float64",
    )
    return Finding("cancellation", says, difference.place, evidence, certain=False)


def step_finding(watch: BadWatch, event: BadPass, step: BadStep) -> Finding:
    """What a step of the backward pass made."""
    if step.overflowed in ("float16", "bfloat16"):
        says = backward_says(step, event.nan)
        cure = "a smaller loss scale, or this part in float32"
        return Finding("overflow-half", says, step.place or event.place, (cure,))
    if has_lost_eps(step):
        return lost_eps_finding(step.place or event.place, backward_says(step, event.nan))
    lost = lost_variance(watch, step.made)
    if lost is not None:
        found = variance_finding(*lost)
        return noted(found, f"{backward_says(step, event.nan)} ({step.place})")
    vanished = vanished_before(watch, step.made)
    if vanished is not None:
        return noted(vanished, f"{backward_says(step, event.nan)} ({step.place})")
    place, masked, hidden = step.place, "", hidden_origin(watch, step)
    if hidden is not None and hidden.birth is not None:
        if hidden.birth.cause in NAMED:
            return noted(forward_finding(hidden, watch), "nan_to_num or where came after it")
        masked = masked_words(hidden)
        if hidden.birth.cause == "nan-forward":
            place = hidden.place or place
    hider = hidden.masked.name if masked and hidden is not None and hidden.masked else ""
    if not hider and step.zeroed_by is not None and step.zeroed_by[0] in HIDING:
        hider = step.zeroed_by[0]
    evidence = [
        f"in the backward pass of {event.place}"
        + (f", element {list(step.index)}" if step.index else ""),
        masked,
        zeroed_words(step),
        turned_words(step) if event.nan else "",
        backward_cure(step, bool(masked)),
    ]
    kind = "nan-backward" if event.nan else "inf-backward"
    says = backward_says(step, event.nan, plain_name(hider))
    return Finding(kind, says, place or event.place, tuple(filter(None, evidence)))


def vanished_before(watch: BadWatch, made: Made | None, saturated: bool = True) -> Finding | None:
    """The difference without a right digit that a call was given.

    `saturated`: whether one minus a sigmoid that is 1 counts.
    """
    above = ancestors(made, 4) if made is not None and watch.vanished else ()
    for lost in watch.vanished:
        names = {parent.name for parent in lost.made.parents}
        if lost.mostly and lost.made in above and (saturated or not names & SATURATED):
            return vanished_finding(lost)
    return None


def has_lost_eps(step: BadStep) -> bool:
    """Whether a step is at zero in half precision, where something was added."""
    halves = [v for v in step.values if getattr(getattr(v, "_array", v), "dtype", None) in HALF]
    infinite = step.slope is not None and not is_finite(step.slope)
    parents = step.made.parents[:1] if step.made is not None else ()
    return bool(halves) and infinite and any(map(is_kept_off_zero, parents))


def lost_variance(watch: BadWatch, given: Made | None) -> tuple[Made, float] | None:
    """The variance of large numbers without a right digit that a call was given."""
    for made in ancestors(given, 6) if given is not None else ():
        if made.number in watch.lost:
            _, rounding, units = watch.lost[made.number]
            if units < WRONG and rounding > LARGE and is_variance(made.parents):
                return made, units
    return None


def hidden_origin(watch: BadWatch, step: BadStep) -> Bad | None:
    """The bad value of the forward pass that a step found among what was saved."""
    made = [value._made for value in step.values if isinstance(value, TensorBase)]
    for one in (*made, step.made):
        event = watch.events.get(one.number) if one is not None else None
        if event is not None:
            return origin_of(watch, event)
    return None


def zeroed_words(step: BadStep) -> str:
    """Who sent a zero to where the slope is bad."""
    if step.zeroed_by is None:
        return ""
    name, made = step.zeroed_by
    at = f" of {made.place}" if made is not None and made.place is not None else ""
    return f"the zero comes from {name}{at}"


def turned_words(step: BadStep) -> str:
    """Who made a NaN of the infinity."""
    if step.turned is None:
        return ""
    name, made = step.turned
    at = f" of {made.place}" if made is not None and made.place is not None else ""
    return f"the infinity became nan in the backward of {name}{at}"


def too_long(watch: BadWatch, event: BadPass | None, finding: Finding | None) -> Finding | None:
    """The steps grew until numbers ended; None where nothing grew."""
    losses = [loss for loss in watch.losses.values() if loss.is_explosion() or loss.is_far()]
    norms = [norm for norm in watch.norms.values() if norm.is_explosion()]
    if not (losses or norms) or not (watch.steps or watch.updated or (event and event.made_leaf)):
        return None
    evidence = [f"the loss grew from {shortly(g.first)} to {shortly(g.last)}" for g in losses[:1]]
    evidence += [f"the norm of a parameter grew to {shortly(g.last)}" for g in norms[:1]]
    if finding is not None:
        evidence += [f"the first bad value: {finding.place}: {finding.says}"]
    evidence += ["a smaller learning rate, or inputs of a smaller scale"]
    until = "until the numbers end in inf and nan" if finding else "and the loss grows"
    says = f"the steps are too long: each one overshoots, {until}"
    return Finding("step-too-long", says, update_place(watch, event), tuple(evidence))


def update_place(watch: BadWatch, event: BadPass | None) -> Place | None:
    """The line to change: where the optimizer was made, or that which changes the parameters."""
    if watch.stepper is not None:
        return watch.optimizers.get(watch.stepper)
    return watch.updated or (event.made_leaf if event is not None else None)
