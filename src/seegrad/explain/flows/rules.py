"""Where the flow of gradients dies, fades or blows up, and why: rules over measured passes."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from seegrad.explain.flows.hops import Hop, Measured, Reached
from seegrad.explain.flows.losses import SHAPING, all_above, origin, word
from seegrad.explain.places import Place
from seegrad.explain.record import Made, is_write
from seegrad.explain.report import Finding

__all__ = ["Lines", "flaws"]

RELUS = frozenset(["ReluBackward0", "ThresholdBackward0", "HardtanhBackward0", "ClampBackward1"])
BENT = frozenset(["SigmoidBackward0", "TanhBackward0", "SoftsignBackward0", "ErfBackward0"])
LINEAR = frozenset(
    ["linear", "matmul", "mm", "addmm", "bmm", "einsum", "mv", "addmv", "baddbmm", "bilinear"]
    + ["conv1d", "conv2d", "conv3d", "batch_norm", "layer_norm", "dot", "tensordot"]
)
# The products of fused layers, such as those of an RNN.
PRODUCTS = ("AddmmBackward", "MmBackward", "BmmBackward", "BaddbmmBackward", "MvBackward")
FUSED = "MkldnnRnnLayer"  # a node that is a whole LSTM
NEXT = frozenset(["add", "dropout"])  # what may come between a layer and its bend
BETWEEN = NEXT | {"mul", "div", "truediv"}
FLAT = 1e-3
SHORT = 0.2  # weights of the usual start make about half as long
FADED = 1e-6
GROWN = 1e4


class Lines(NamedTuple):
    """How findings come to their lines."""

    of: Callable[[Made], Place | None]  # the line of a call or of the layer whose call it was
    optimizer: Place | None  # of those whose leaves the pass reaches


def flaws(
    passes: Sequence[Measured], lines: Lines, least: int, weight: int, seen_zero: bool = False
) -> Iterator[Finding]:
    """What is wrong with the flow in the passes of one line, the root of it only."""
    first, last = passes[0], passes[-1]
    if last.loss == 0 or not last.hops:  # nothing is left to learn
        return
    for rule in (dead_relu, zero_start, alike, saturated, exploding, vanishing):
        finding = rule(passes, lines, least, weight)
        if finding is not None:
            yield finding
            return
    if weight == 3:
        yield from recurrent(first, lines, weight)
    elif seen_zero:  # a gradient of next to nothing, which the program looked at
        yield from (one for one in recurrent(last, lines, weight) if "vanish" in one.kind)


# Where it dies


def dead_relu(passes: Sequence[Measured], lines: Lines, least: int, weight: int) -> Finding | None:
    """A ReLU that is zero for everything."""
    last = passes[-1]
    for place, hop in enumerate(last.hops):
        if not is_dead(hop):
            continue
        alike = [one for one in passes if any(is_dead(h) and same(h, hop) for h in one.hops)]
        if len(alike) < min(least, 2) or hop.made is None:
            continue
        line = lines.of(hop.made)
        evidence = [f"The ReLU of {line} lets nothing of the gradient through."]
        where = line
        hidden = any(is_linear(one) for one in last.hops[:place])
        steps = lines.optimizer or written(last)
        if passes[0] not in alike and steps is not None:
            where = steps
            evidence.append("At first it let gradients through: the steps were too long.")
        elif hidden and (bias := lowest_bias(last.hops[place:], passes[0])) is not None:
            where = bias.made.valued or line
            what = "bias" if len(bias.shape) <= 1 else "weight"
            evidence.append(f"The largest entry of the {what} is {bias.highest:.3g}.")
        return Finding(
            "flow-dead-relu" if "relu" in word(hop.made) else "zero-clamp",
            "All units of a ReLU are below zero for all inputs: it is dead, and what lies before "
            "it gets no gradient.",
            where,
            tuple(evidence),
            weight=weight,
        )
    return None


def written(measured: Measured) -> Place | None:
    """The line of the program that changes the weights by hand, None where there is none."""
    places = [leaf.made.place for leaf in measured.leaves if is_write(leaf.made.name)]
    return places[0] if places else None


def is_dead(hop: Hop) -> bool:
    """Whether a ReLU on units of a layer stops everything, or nearly all units."""
    if hop.name not in RELUS or not hop.incoming or hop.made is None:
        return False
    if layer_below(hop.made) is None:
        return False
    return not any(hop.outgoing) or hop.units >= 0.95


def same(one: Hop, other: Hop) -> bool:
    """Whether two hops are of the same call in the program."""
    if one.made is None or other.made is None:
        return False
    return one.name == other.name and one.made.spot == other.made.spot


def is_linear(hop: Hop) -> bool:
    """Whether a hop is a layer with weights."""
    if hop.made is None:
        return False
    return word(hop.made) in LINEAR or ("rnn" in hop.made.name and hop.name.startswith(PRODUCTS))


def layer_below(made: Made, through: frozenset[str] = NEXT) -> Made | None:
    """The matrix product whose result a bend is applied to, a bias added or not."""
    for one in all_above(made.parents[0], 12, SHAPING | through) if made.parents else ():
        if word(one) in LINEAR:
            return one
    return None


def lowest_bias(hops: Sequence[Hop], measured: Measured) -> Reached | None:
    """The bias that silences a ReLU, or one before it: what gets zeros only is silent too."""
    for hop in reversed(hops):
        if hop.name in RELUS and hop.made is not None:
            found = low_bias(hop.made, measured)
            if found is not None:
                return found
    return None


def low_bias(made: Made, measured: Measured) -> Reached | None:
    """A bias below zero that the program has set."""
    layer = layer_below(made)
    numbers = {parent.number for parent in layer.parents} if layer is not None else set()
    numbers |= {parent.number for above in made.parents for parent in above.parents}
    for leaf in measured.leaves:
        if leaf.made.number in numbers and leaf.highest < 0:
            return leaf
    return None


def zero_start(
    passes: Sequence[Measured], lines: Lines, least: int, weight: int
) -> Finding | None:
    """A weight of zeros whose gradient is zero too, because its partner's values are."""
    last = passes[-1]
    if len(passes) < min(least, 2):
        return None
    still = {
        leaf.made.number: leaf
        for leaf in last.leaves
        if not leaf.value and not leaf.gradient and len(leaf.shape) > 1
    }
    for hop in last.hops if still else ():
        if not hop.incoming or hop.made is None:
            continue
        if not any(hop.outgoing) and len(hop.outgoing) > 1:  # both sides come from zeros
            found = {one.number for one in all_above(hop.made, 24) if one.number in still}
            if len(found) > 1:
                return zero_product(still[max(found)], len(still), weight)
        for parent in hop.made.parents:
            leaf = still.get(table(origin(parent)).number)
            if leaf is None:
                continue
            return zero_product(leaf, len(still), weight)
    return None


def zero_product(leaf: Reached, count: int, weight: int) -> Finding:
    """A weight of zeros that is multiplied with zeros."""
    return Finding(
        "flow-zero-init",
        "Weights of zeros get a gradient of zero, as what they are multiplied with is zero too; "
        "start one of them with random values.",
        leaf.made.valued,
        (f"{count} weights are zero and stay so.",),
        weight=weight,
    )


def alike(passes: Sequence[Measured], lines: Lines, least: int, weight: int) -> Finding | None:
    """A hidden layer whose units are all the same, from the start to the end."""
    first, last = passes[0], passes[-1]
    if len(passes) < max(least, 2):
        return None
    same = {leaf.made.number: leaf for leaf in last.leaves if leaf.is_one_unit and leaf.gradient}
    ends: set[int] = set()  # layers next to the loss
    products = [hop for hop in last.hops if hop.name.startswith(PRODUCTS) and hop.made is not None]
    for place, hop in enumerate(products if same else ()):
        parents = hop.made.parents if hop.made is not None else ()
        numbers = {origin(parent).number for parent in parents}
        if place == 0:
            ends = numbers
        for number in numbers & same.keys() - ends:
            before = next((leaf for leaf in first.leaves if leaf.made.number == number), None)
            if before is None or not before.is_one_unit:
                continue
            return Finding(
                "flow-zero-init",
                "All units of this layer start with the same weights, so they get the same "
                "gradient and stay the same; start with random values.",
                before.made.valued,
                (f"{before.shape[0]} units are equal, after {last.count} passes still.",),
                weight=weight,
            )
    return None


def table(made: Made) -> Made:
    """What rows were picked from."""
    picked = word(made) in ("embedding", "index_select", "gather") and made.parents
    found = [p for p in made.parents if p.recorded] if picked else []
    return found[0] if found else made


def saturated(passes: Sequence[Measured], lines: Lines, least: int, weight: int) -> Finding | None:
    """A sigmoid or tanh that is flat where the values are."""
    if len(passes) < min(least, 2):
        return None
    for late in passes[-1].hops:
        # The first pass knows the weights as the program made them.
        hop = next((h for h in passes[0].hops if is_flat(h) and same(h, late)), None)
        if hop is None or hop.made is None or not is_flat(late):
            continue
        layer = layer_below(hop.made)
        if layer is None and max(hop.outgoing, default=1.0) <= FLAT * hop.incoming:
            layer = layer_below(hop.made, BETWEEN)
        if layer is None:
            if not is_shut(hop):
                continue
            layer = hop.made
        elif is_gate(layer, passes[0]):
            continue
        name = word(hop.made)
        line = lines.of(hop.made)
        steep = steep_weight(layer, passes[0]) or far_leaf(hop, passes[0])
        reason = "the weights are too large" if steep is not None else "the inputs are too large"
        share = "All" if is_shut(hop) else f"{round(100 * hop.stopped)} %"
        return Finding(
            "flow-saturated",
            f"{share} of a {name} is saturated: {reason}, and hardly any gradient gets through.",
            (steep.made.valued if steep is not None else None) or line,
            (f"The {name} of {line} passes on {passed(hop)} of the gradient.",),
            weight=weight,
        )
    return None


def is_flat(hop: Hop) -> bool:
    """Whether a bend stops nearly everything."""
    if hop.name.startswith(FUSED) and is_shut(hop):
        return True
    return hop.name in BENT and hop.incoming > 0 and hop.stopped >= 0.9


def is_shut(hop: Hop) -> bool:
    """Whether nothing worth mentioning comes out."""
    return hop.incoming > 0 and max(hop.outgoing, default=1.0) <= FADED * hop.incoming


def far_leaf(hop: Hop, measured: Measured) -> Reached | None:
    """A leaf that a bend is applied to itself, far from where it is steep."""
    found = hop.made.parents[:1] if hop.made is not None else ()
    numbers = {origin(parent).number for parent in found}
    return next((leaf for leaf in measured.leaves if leaf.made.number in numbers), None)


def is_gate(layer: Made, measured: Measured) -> bool:
    """Whether a large bias, and no large weight, opens or closes a gate on purpose."""
    numbers = {parent.number for parent in layer.parents}
    biases = [leaf for leaf in measured.leaves if leaf.made.number in numbers]
    wide = any(leaf.value > 2 for leaf in biases if len(leaf.shape) == 1)
    return wide and steep_weight(layer, measured) is None


def passed(hop: Hop) -> str:
    """Which share of a gradient comes out."""
    return f"{max(hop.outgoing, default=0.0) / hop.incoming:.1e}"


def steep_weight(layer: Made, measured: Measured) -> Reached | None:
    """A weight of a layer that lengthens its input much."""
    numbers = {origin(parent).number for parent in layer.parents}
    for leaf in measured.leaves:
        if leaf.made.number in numbers and leaf.gain > 3:
            return leaf
    return None


# Where it fades or grows


def vanishing(passes: Sequence[Measured], lines: Lines, least: int, weight: int) -> Finding | None:
    """Next to nothing is left for the first layers."""
    if len(passes) < min(least, 2):
        return None
    for measured in (passes[0], passes[-1]):
        weights = [leaf for leaf in measured.leaves if len(leaf.shape) > 1]
        if len(weights) < 4 or not 0 < min(leaf.gradient for leaf in weights) < math.inf:
            return None
        if not all(math.isfinite(leaf.gradient) for leaf in weights):
            return None
        if weights[-1].gradient > FADED * max(leaf.gradient for leaf in weights):
            return None
    first = passes[0]
    weights = [leaf for leaf in first.leaves if len(leaf.shape) > 1]
    short = [leaf for leaf in weights if 0 < leaf.gain < SHORT]
    line = short[-1].made.valued if len(short) > len(weights) / 2 else None
    line = line or strongest(first, lines, -1)
    return Finding(
        "flow-vanishing",
        "The gradient shrinks at each of these calls, so next to nothing reaches the first "
        "layers.",
        line,
        (
            f"Per weight it is {weights[0].gradient:.1e} in the last layer and "
            f"{weights[-1].gradient:.1e} in the first.",
        ),
        weight=weight,
    )


def strongest(measured: Measured, lines: Lines, sign: int) -> Place | None:
    """The line at which gradients shrink (-1) or grow (1) most, all its calls together."""
    total: dict[Place | None, float] = defaultdict(float)
    for hop in measured.hops:
        out = max(hop.outgoing, default=0.0)
        if hop.made is not None and hop.incoming > 0 and out > 0 and len(hop.outgoing) == 1:
            total[lines.of(hop.made)] += sign * math.log(out / hop.incoming)
    return max(total, key=lambda place: total[place]) if total else None


def exploding(passes: Sequence[Measured], lines: Lines, least: int, weight: int) -> Finding | None:
    """Every layer multiplies the gradient."""
    # Where nobody steps the weights are the same; a later sequence may be longer.
    first = passes[0] if lines.optimizer is not None else passes[-1]
    layers = [hop for hop in first.hops if is_layer(hop) and hop.incoming > 0]
    largest = max((leaf.norm for leaf in first.leaves), default=0.0)
    if len(layers) < 5 or largest < 1e3 or not math.isfinite(largest):
        return None
    if layers[-1].incoming < GROWN * layers[0].incoming:
        return None
    steep = [leaf for leaf in first.leaves if leaf.gain > 1.5]
    place = max(steep, key=lambda leaf: leaf.gain).made.valued if steep else None
    again = repeated(first, layers)
    if again is not None:
        change = again[-1].incoming / again[0].incoming
        return Finding(
            "flow-exploding",
            f"Each of {len(again)} repetitions multiplies the gradient by the same weight, by "
            f"{change:.0e} in all; make the weight smaller, or clip the gradient.",
            lines.of(again[0].made) if again[0].made is not None else None,
            (
                f"The largest gradient has norm {largest:.1e}.",
                *((f"The largest weight was set at {place}.",) if place is not None else ()),
            ),
            weight=weight,
        )
    if sum(map(is_linear, layers)) < 5:
        return None
    return Finding(
        "flow-exploding",
        f"Each of {len({hop.made for hop in layers})} layers multiplies the gradient, by "
        f"{GROWN:.0e} and more in all; start with smaller weights.",
        place or strongest(first, lines, 1),
        (f"The largest gradient has norm {largest:.1e}.",),
        weight=weight,
    )


def is_layer(hop: Hop) -> bool:
    """Whether a hop is a layer with weights, or a product with one weight."""
    if hop.made is None or word(hop.made) != "mul":
        return is_linear(hop)
    return any(not p.shape and p.recorded and not p.parents for p in hop.made.parents)


def repeated(measured: Measured, layers: Sequence[Hop]) -> list[Hop] | None:
    """The calls of one line with one weight, if the gradient grows on its way through them."""
    gains = {m.made.number: m.gain if m.shape else m.value for m in measured.leaves}
    calls: dict[tuple[int, object], dict[int, Hop]] = defaultdict(dict)
    for hop in layers:
        for parent in hop.made.parents if hop.made is not None else ():
            number = origin(parent).number
            if hop.made is not None and gains.get(number, 0) > 1:
                one = hop.made.number if word(hop.made) in LINEAR | {"mul"} else -1 - len(calls)
                calls[number, hop.made.spot].setdefault(one, hop)
    for _, found in sorted(calls.items(), key=lambda item: -gains[item[0][0]]):
        hops = list(found.values())
        if len(hops) >= 5 and hops[-1].incoming >= GROWN * hops[0].incoming:
            return hops
    return None


def recurrent(measured: Measured, lines: Lines, weight: int) -> Iterator[Finding]:
    """A call that is repeated many times and shrinks the gradient, or stretches it."""
    calls: dict[tuple[str, object], list[Hop]] = defaultdict(list)
    for hop in measured.hops:
        if hop.made is not None and hop.incoming > 0:
            calls[hop.name, hop.made.spot].append(hop)
    for hops in calls.values():
        if len(hops) < 10 or hops[0].made is None:
            continue
        change = hops[-1].incoming / hops[0].incoming
        if change < FADED:
            yield Finding(
                "flow-vanishing",
                f"Each of {len(hops)} repetitions shrinks the gradient, to {change:.0e} in all: "
                "the first ones learn nothing.",
                lines.of(hops[0].made),
                short_weight(measured, hops[0].made),
                weight=weight,
            )
            return
        if GROWN < change < math.inf:
            yield Finding(
                "flow-exploding",
                f"Each of {len(hops)} repetitions stretches the gradient, by {change:.0e} in all.",
                lines.of(hops[0].made),
                weight=weight,
            )
            return


def short_weight(measured: Measured, made: Made) -> tuple[str, ...]:
    """In a sentence, the matrix of a line that shortens most what it is multiplied with."""
    products = [h.made for h in measured.hops if h.made is not None and is_linear(h)]
    parents = [p for one in products if one.spot == made.spot for p in one.parents]
    parents += [p for one in all_above(made, 8, SHAPING | {"add"}) for p in one.parents]
    numbers = {origin(parent).number for parent in parents}
    short = [leaf for leaf in measured.leaves if leaf.made.number in numbers and leaf.gain]
    least = min(short, key=lambda leaf: leaf.gain, default=None)
    if least is None or least.gain >= 0.5:
        return ()
    at = f", made at {least.made.valued}," if least.made.valued is not None else ""
    shape = "x".join(map(str, least.shape))
    return (
        f"A {shape} weight{at} makes what it is multiplied with about {least.gain:.1g} as long.",
    )
