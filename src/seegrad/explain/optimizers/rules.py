"""What accounts of optimizers and parameters give away: the rules, one fault each."""

import ast
import builtins
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from types import CodeType

from seegrad.explain.gradients.chains import birth, selves
from seegrad.explain.optimizers.books import Books, Held, Leaf, Owner, Site
from seegrad.explain.places import Place
from seegrad.explain.record import Made, ancestors
from seegrad.explain.report import Finding
from seegrad.explain.source import text as text_of

__all__ = ["copied_ties", "fixed", "found_in", "kept_apart", "used_up"]

NOTHING = 1e-12  # a learning rate under which no float32 moves
CONSTANT = frozenset(["zeros", "ones", "full", "zeros_like", "ones_like", "full_like"])


def found_in(books: Books, looked: set[int], least: int, weight: int) -> Iterator[Finding]:
    """All faults of a run that went on for long enough.

    `looked`: numbers of the leaves whose values alone the program looked at; `least`: how often a
    thing must have happened.
    """
    found = [*ties(books, weight), *of_optimizers(books, least, weight)]
    found += never_zeroed_by_hand(books, least, weight)
    if not found:
        found = list(of_leaves(books, looked, least, weight))
    yield from found


def of_optimizers(books: Books, least: int, weight: int) -> Iterator[Finding]:
    """What optimizers did, or did not do."""
    found = [
        finding
        for rule in (made_of_others, never_stepped, thrown_away, rate_of_zero, all_frozen)
        for held in books.all_optimizers
        if (finding := rule(books, held, least, weight)) is not None
    ]
    found += [*sites_thrown(books, least, weight), *sites_kept_rarely(books)]
    if found and found[0].kind == "wrong-optimizer-stepped":
        # Whose optimizer never steps finds its gradients reset, or uses them twice.
        found = [one for one in found if one.kind == found[0].kind]
    # Who steps with the wrong optimizer uses the gradients of the right one twice, too.
    yield from found or filter(
        None, [never_zeroed(h, least, weight) for h in books.all_optimizers]
    )


def thrown_away(books: Books, held: Held, least: int, weight: int) -> Finding | None:
    """`zero_grad` between backward and step."""
    count = sum(held.thrown.values())
    if count < least or count < 0.8 * held.steps:
        return None
    ((place, _),) = held.thrown.most_common(1)
    return Finding(
        "zero-grad-before-step",
        f"The gradients are reset between backward and step, so {held.kind} has nothing to use; "
        "reset them before backward.",
        place,
        (f"{count} of {held.steps} steps found no gradient.", *stepped_at(held)),
        weight=weight,
    )


def sites_thrown(books: Books, least: int, weight: int) -> Iterator[Finding]:
    """Passes whose gradients never get to any step, although optimizers wait for them."""
    for site in books.sites.values():
        thrown = sum(site.thrown.values())
        if site.used or site.read or thrown < max(least, 2) or thrown < site.count - 1:
            continue
        holders = {
            held for leaf in books.all_leaves() if site in leaf.sites for held in leaf.holders
        }
        if not any(held.steps > held.empty_steps for held in holders):
            continue
        if any(held.steps == held.empty_steps for held, _ in site.followed):
            continue  # for whom the pass was, and who got nothing from it
        if any(held not in holders for held, _ in site.followed):
            continue  # another optimizer waits for these passes: an actor's, a generator's
        ((place, _),) = site.thrown.most_common(1)
        yield Finding(
            "zero-grad-before-step",
            "The gradients of a backward pass are reset before any step has used them.",
            place,
            (f"The pass of {site.place} ran {site.count} times, all in vain.",),
            weight=weight,
        )


def sites_kept_rarely(books: Books) -> Iterator[Finding]:
    """Passes of which only every n-th is stepped with, and the others are reset, not added up."""
    for site in books.sites.values():
        thrown, every = sum(site.thrown.values()), round(site.count / max(site.used, 1))
        if site.used < 2 or every < 2 or site.count != site.used + thrown:
            continue
        stepped = [place for _, place in site.followed if place is not None]
        counts = any(text_of.is_under_count(place) for place in stepped)
        if counts and 0 <= thrown - (every - 1) * site.used < every:
            ((place, _),) = site.thrown.most_common(1)
            yield Finding(
                "zero-grad-before-step",
                f"The gradients of {every} passes are meant to add up before a step, but are "
                "reset here before each of them: reset them after the step only.",
                place,
                (f"The pass of {site.place} ran {site.count} times, {thrown} of them in vain.",),
                weight=2,
            )


def never_stepped(books: Books, held: Held, least: int, weight: int) -> Finding | None:
    """An optimizer that never steps, or another one in its place."""
    if held.reached_passes < least or held.proper or any(leaf.moved for leaf in leaves_of(held)):
        return None
    instead: Counter[tuple[Held, Place | None]] = Counter()
    sites = {site for leaf in leaves_of(held) for site in leaf.sites}
    for site in sites:
        for (other, place), count in site.followed.items():
            if not other.leaves.keys() >= held.leaves.keys():
                instead[other, place] += count
    if instead and sum(instead.values()) >= 0.5 * held.reached_passes:
        return wrong_one(held, instead, weight)
    if held.steps or is_idle_by_design(held, sites):
        return None
    if held.reached_passes == 1 and held.place is not None:  # it failed before it came to that
        if next(text_of.calls_of("step", held.place.file), None) is not None:
            return None
    return Finding(
        "step-never-called",
        f"{held.kind} gets gradients from {held.reached_passes} passes, but its step() is never "
        "called.",
        where_step_belongs(held, sites),
        (f"It was made at {held.place}.",) if held.place else (),
        weight=weight,
    )


def is_idle_by_design(held: Held, sites: set[Site]) -> bool:
    """Whether the gradients are for looking at only: zeroed by nobody and all read, or read once
    after a reset, as where they are compared with others.
    """
    read = sum(site.read for site in sites)
    every = all(site.read >= site.count for site in sites)
    return (every and not held.zeroed) or (held.zeroed == 1 and read > 0)


def made_of_others(books: Books, held: Held, least: int, weight: int) -> Finding | None:
    """An optimizer with the parameters of another one, that steps after passes of strays."""
    if held.proper or held.steps < least or not held.leaves:
        return None
    twins = [
        one
        for one in books.all_optimizers
        if one is not held and one.proper and one.leaves.keys() == held.leaves.keys()
    ]
    sites = {site for site in books.sites.values() for one, _ in site.followed if one is held}
    strays = [
        leaf
        for leaf in books.all_leaves()
        if not leaf.held and not leaf.moved and leaf.passes >= least and leaf.sites & sites
    ]
    if not twins or not strays:
        return None
    return Finding(
        "wrong-optimizer-stepped",
        f"This {held.kind} steps after passes that reach {names_of(strays)}, but it holds "
        f"{names_of(leaves_of(held))}, as another optimizer does.",
        held.place,
        (*stepped_at(held), f"The other one was made at {twins[0].place}."),
        weight=weight,
    )


def wrong_one(
    held: Held, instead: Counter[tuple[Held, Place | None]], weight: int
) -> Finding | None:
    """Another optimizer steps after the passes of this one."""
    (((other, place), _),) = instead.most_common(1)
    if not other.proper and other.number < held.number and not other.leaves.keys() & held.leaves:
        text = f"The {other.kind} made at {other.place} steps, not the one that holds the model."
    else:
        text = "After this backward pass another optimizer steps than the one of its parameters."
    evidence = [f"{held.kind} of {held.place} holds {names_of(leaves_of(held))}."]
    evidence.append(f"It never stepped after one of its own {held.reached_passes} passes.")
    return Finding("wrong-optimizer-stepped", text, place, tuple(evidence), weight=weight)


def where_step_belongs(held: Held, sites: set[Site]) -> Place | None:
    """A step that is named and not called, one that is never reached, or the backward pass."""
    if held.place is None:
        return None
    for line in text_of.idle("step", held.place.file):
        return text_of.at(held.place, line)
    names = names_given(held.place)
    for call in text_of.calls_of("step", held.place.file):
        name = text_of.spelled(call.func.value) if isinstance(call.func, ast.Attribute) else None
        if name is not None and name.split(".")[-1] in names:
            return text_of.at(held.place, call.lineno)
    places = [site.place for site in sites if site.place is not None]
    return places[0] if places else held.place


def names_given(place: Place) -> set[str]:
    """The variables, attributes included, that the statement of a line sets."""
    found = text_of.statement(place)
    return {name.split(".")[-1] for name in text_of.targets(found)} if found else set()


def all_frozen(books: Books, held: Held, least: int, weight: int) -> Finding | None:
    """Steps over parameters that require no gradient any more."""
    if held.frozen_steps < max(least, 2):
        return None
    tensors = [one for leaf in leaves_of(held) if (one := leaf.ref()) is not None]
    lines = [one._made for one in tensors if one._made and one._made.name == "requires_grad_"]
    if not lines or any(one.requires_grad for one in tensors):
        return None
    return Finding(
        "frozen",
        f"All that {held.kind} holds was frozen here and not unfrozen again, so its steps change "
        "nothing.",
        max(lines, key=lambda one: one.number).place,
        (f"{held.frozen_steps} of {held.steps} steps found nothing that requires a gradient.",),
        weight=weight,
    )


def rate_of_zero(books: Books, held: Held, least: int, weight: int) -> Finding | None:
    """Steps of length zero."""
    still = [
        sum(abs(rate) <= NOTHING for rate in rates)
        for rates, leaves in zip(held.rates, [held.leaves] * len(held.rates), strict=True)
        if rates and leaves
    ]
    if not still or not held.reached_passes:
        return None
    if weight == 3 and held.steps > 1 and min(still) < held.steps in still:
        return Finding(
            "learning-rate-zero",
            f"The learning rate of group {still.index(held.steps)} of the parameters is 0 in all "
            f"{held.steps} steps, so nothing of it moves.",
            where_rate_is_set(held),
            (f"{held.kind} has {len(still)} groups, counted from 0.",),
            weight=weight,
        )
    if min(still) < max(least, 0.5 * held.steps):
        return None
    if min(still) < held.steps and min(still) < 5:
        return None
    first = "all" if min(still) == held.steps else f"{min(still)}"
    return Finding(
        "learning-rate-zero",
        f"The learning rate is 0 in {first} of the {held.steps} steps, so nothing moves.",
        where_rate_is_set(held),
        (f"{held.kind} was made at {held.place} with lr={held.lr_first[0]:g}.",),
        weight=weight,
    )


def where_rate_is_set(held: Held) -> Place | None:
    """The scheduler, an assignment to the group, the variable with the rate, or the optimizer."""
    place = held.place
    if place is not None and any(abs(rate) > NOTHING for rate in held.lr_first):
        for line in text_of.stores_of_key("lr", place.file):
            return text_of.at(place, line)
    started = any(abs(rate) > NOTHING for rate in held.lr_first)
    scaled = held.scheduled is not None and (held.factors or started)
    if scaled or place is None:
        return text_of.whole_numbers(held.factors) or held.scheduled or place
    here = text_of.statement(place)
    for node in ast.walk(here) if here is not None else ():
        if isinstance(node, ast.keyword) and node.arg == "lr":
            name = text_of.spelled(node.value)
            made = text_of.last_assignment(name, place) if name else None
            computed = isinstance(getattr(made, "value", None), (ast.BinOp, ast.Call))
            if made is not None and computed:
                return text_of.at(place, made.lineno)
    return place


def never_zeroed(held: Held, least: int, weight: int) -> Finding | None:
    """Steps with gradients that earlier steps have used already."""
    if held.kind == "LBFGS" and held.steps and not held.zeroed:
        sites = [site for leaf in leaves_of(held) for site in leaf.sites]
        if held.dirty >= max(least, 3, held.reached_passes - 1):
            return Finding(
                "zero-grad-never-called",
                "The closure never resets the gradients, so each call adds to those of all calls "
                "before; call zero_grad() in it.",
                sites[0].place,
                (f"{held.dirty} of {held.reached_passes} passes found gradients there.",),
                weight=weight,
            )
    if held.twice < max(least, 3) or held.twice < 0.5 * held.steps:
        return None
    place = held.where.most_common(1)[0][0]
    lines = text_of.idle("zero_grad", place.file) if place is not None else []
    if place is not None and lines:
        place = text_of.at(place, lines[0])
    return Finding(
        "zero-grad-never-called",
        "Gradients are not reset between steps, so every step uses the sum of all gradients so "
        "far; call zero_grad() once a step.",
        place,
        (f"{held.twice} of {held.steps} steps used gradients a second time.",),
        weight=weight,
    )


def never_zeroed_by_hand(books: Books, least: int, weight: int) -> Iterator[Finding]:
    """Leaves that the program moves itself, with gradients that it never resets."""
    found = [leaf for leaf in books.all_leaves() if keeps_gradient(leaf, least)]
    places = [site.place for site in (found[0].sites if found else ()) if site.place is not None]
    if not places:
        return
    name, place = names_of(found), min(places, key=lambda place: place.line)
    named = [*text_of.idle("zero_", place.file), *text_of.idle("zero_grad", place.file)]
    yield Finding(
        "zero-grad-never-called",
        f"The gradient of {name} is never reset between the updates, so every update uses the sum "
        "of all gradients so far; set it to zero once an update.",
        text_of.at(place, named[0]) if named else place,
        (f"{found[0].hand.twice} of {found[0].hand.moves} updates left the gradient as it was.",),
        weight=weight,
    )


def keeps_gradient(leaf: Leaf, least: int) -> bool:
    """Whether every change of a leaf by the program left its gradient as it was."""
    hand = leaf.hand
    return not leaf.held and hand.twice == hand.moves and hand.twice >= max(least, 3)


def ties(books: Books, weight: int) -> Iterator[Finding]:
    """Parameters that were one and are two."""
    for one, other, new, kept in books.broken:
        if new.passes and kept.passes:
            yield Finding(
                "tying-broken",
                f"{one} and {other} were one parameter until a new one was made here.",
                new.made.place,
                ("Now each gets a gradient of its own.",),
                weight=weight,
            )


def copied_ties(books: Books, pair: Sequence[Made], weight: int = 3) -> Iterator[Finding]:
    """Two parameters, one made as a copy of the other, that the program found to differ."""
    trained = {one: leaf for leaf in books.all_leaves() if leaf.passes for one in history(leaf)}
    found = [trained.get(plain(made)) for made in pair]
    for one, other in (found, found[::-1]) if len(found) == 2 else ():
        if one is None or other is None or one is other:
            continue
        for made in sorted(history(other), key=lambda one: one.number):
            if weight < 3 and (one.first, one.passes) != (other.first, other.passes):
                continue  # two trainings, which the program compares
            if made.name in COPIES | WRITTEN and history(one) & copied(made):
                apart = (
                    made.name in WRITTEN or not other.held or any(map(is_scaling, made.parents))
                )
                yield Finding(
                    "copied-not-linked" if apart else "tying-broken",
                    f"{other.name or 'This parameter'} is a copy of {one.name or 'another one'}: "
                    "it was made from those values once, but two parameters are trained; use one.",
                    made.place,
                    ("Each gets a gradient of its own.",),
                    weight=weight,
                )
                return


def history(leaf: Leaf) -> set[Made]:
    """What a leaf was when it was met first, before and since."""
    tensor = leaf.ref()
    return selves(leaf.made) | (selves(tensor._made) if tensor is not None else set())


def plain(made: Made) -> Made:
    """What something was before it was turned around or cut off."""
    while made.parents and (made.name in SEEN or is_scaling(made)):
        made = made.parents[0]
    return made


def is_scaling(made: Made) -> bool:
    """Whether something is multiplied by a number."""
    return made.name in ("mul", "div", "truediv", "neg") and len(made.parents) == 1


def copied(made: Made) -> set[Made]:
    """What a copy was made from."""
    found: set[Made] = set()
    waiting = list(made.parents)
    while waiting and len(found) < 50:
        one = waiting.pop()
        found.add(one)
        if one.name in COPIES | SEEN or is_scaling(one):
            waiting += one.parents
    return found


# Leaves


def of_leaves(books: Books, looked: set[int], least: int, weight: int) -> Iterator[Finding]:
    """Parameters that get gradients while nobody holds them."""
    strays = [leaf for leaf in books.all_leaves() if is_stray(leaf, looked)]
    counts = Counter((leaf.made.spot, leaf.shape) for leaf in strays for _ in range(leaf.passes))
    strays = [
        leaf
        for leaf in strays
        if leaf.passes >= least
        or (leaf.made.place in books.built and counts[leaf.made.spot, leaf.shape] >= least)
    ]
    done: set[tuple[str, Place | None]] = set()
    for leaf in strays:
        finding = of_stray(books, leaf, strays, weight)
        if finding is not None and finding.kind == "not-in-optimizer" and weight < 3:
            seen = any(one.number in looked for one in strays)
            if not seen and are_means(books, strays):
                finding = None
        if finding is not None and (finding.kind, finding.place) not in done:
            done.add((finding.kind, finding.place))
            yield finding


def are_means(books: Books, strays: list[Leaf]) -> bool:
    """Whether gradients only go through a model, to an input or a prompt that is optimised."""
    active = [held for held in books.all_optimizers if held.steps]
    if not active or any(leaf.owner is None for leaf in strays):
        return False
    if not any(held.owned for held in active):
        return True
    size = sum(math.prod(leaf.shape) for held in active for leaf in leaves_of(held))
    given = [text_of.statement(held.place) for held in active if held.place is not None]
    whole = any("parameters" in ast.unparse(one) for one in given if one is not None)
    return not whole and 4 * size < sum(math.prod(leaf.shape) for leaf in strays)


def is_stray(leaf: Leaf, looked: set[int]) -> bool:
    """Whether a leaf was meant to be trained as far as one can see, and is not."""
    if leaf.held or leaf.moved or leaf.loaded or not leaf.passes:
        return False
    if is_computed(leaf.made) and not is_built_in(leaf):
        return False
    if leaf.owner is not None:
        return leaf.training
    if leaf.is_parameter:
        return True
    if leaf.read or leaf.wanted:
        return False
    return leaf.number in looked or leaf.made.name in CONSTANT


def is_built_in(leaf: Leaf) -> bool:
    """Whether a parameter was made, once, where its module was."""
    spot = leaf.made.spot
    is_one = leaf.is_parameter and leaf.owner is not None
    return is_one and spot is not None and spot[0].co_name == "__init__"


WRITTEN = frozenset(["copy_", "data.__set__", "set_"])
SEEN = frozenset(
    ["t", "T.__get__", "mT.__get__", "transpose", "detach", "data.__get__", "view", "reshape"]
    + ["contiguous", "permute", "flatten", "numpy", "cpu"]
)
COPIES = frozenset(
    [
        "clone",
        "data.__get__",
        "detach",
        "Parameter",
        "to",
        "float",
        "double",
        "half",
        "__setitem__",
    ]
)


def is_computed(made: Made) -> bool:
    """Whether a leaf holds the result of a computation with what has gradients."""
    while made.live and made.parents:
        written = made.name.endswith("_") and not made.name.endswith("__")
        if made.name == "data.__set__" or not (written or made.name in COPIES):
            return any(parent.live for parent in made.parents)
        made = made.parents[0]
    return False


def of_stray(books: Books, leaf: Leaf, strays: list[Leaf], weight: int) -> Finding | None:
    """Why nobody holds a leaf."""
    owner = leaf.owner
    holder = holder_of(books, leaf)
    if holder is None:
        return None
    if leaf.made.place in books.built and leaf.passes > 1 and leaf.owner is not None:
        return Finding(
            "not-in-optimizer",
            f"{names_of([leaf])} is made in the first forward, after {holder.kind} had got its "
            "parameters, so no optimizer holds it; make it in __init__, or the optimizer later.",
            leaf.made.place,
            (f"{holder.kind} was made at {holder.place}.",) if holder.place else (),
            weight=weight,
        )
    if leaf.made.place in books.built:
        return built_anew(leaf, books.built[leaf.made.place], weight)
    if owner is not None and (owner.how == "listed" or owner.inside is not None):
        return listed(owner, leaf, holder, strays, weight)
    if owner is not None and owner.how in ("buffer", "attribute"):
        return no_parameter(owner, leaf, weight)
    other = held_copy(books, holder, leaf, strays, weight)
    if other is not None:
        return other
    if holder.stack:
        used = next(filter(None, map(text_of.consumed, holder.stack)), None)
        if used is not None:
            return used_up(used[0], used[1], holder, weight)
    followed = next((one for one in leaves_of(holder) if history(one) & copied(leaf.made)), None)
    if followed is not None and is_built_in(leaf):
        return Finding(
            "copied-not-linked",
            f"{leaf.name or 'This parameter'} is made from the values of "
            f"{followed.name or 'another one'} once and does not follow it, and no optimizer "
            "holds it; compute it from the other one in forward.",
            leaf.made.place,
            (f"{holder.kind} was made at {holder.place}.",) if holder.place else (),
            weight=weight,
        )
    verb, them = ("gets", "it") if len(strays) == 1 else ("get", "them")
    return Finding(
        "not-in-optimizer",
        f"{names_of(strays)} {verb} gradients, but no optimizer holds {them}; give {them} to "
        f"{holder.kind}.",
        holder.place,
        (f"Each of {leaf.passes} passes reached {leaf.name or 'it'}.", made_at(leaf)),
        weight=weight,
    )


def holder_of(books: Books, leaf: Leaf) -> Held | None:
    """The optimizer that trains what a stray leaf is used with."""
    near = [held for held in leaf.together if held.steps > held.empty_steps]
    near += [
        held
        for site in leaf.sites
        for (held, _) in site.followed
        if held not in near and held.steps and not held.only_zeros
    ]
    return min(near, key=lambda held: held.number) if near else None


def listed(
    owner: Owner, leaf: Leaf, holder: Held, strays: list[Leaf], weight: int
) -> Finding | None:
    """Layers that no module knows of."""
    if owner.how == "listed":
        inside, name = owner.kind, owner.attribute
    else:
        inside, name = owner.inside or "", owner.list_name or ""
    place = owner.place
    if name:
        found = kept_apart(inside, name, owner.code)
        text, place = found.says, found.place or place
    else:
        text = (
            f"{inside} uses a layer ({owner.kind}) that is registered nowhere, so parameters() "
            "does not contain it; make it an attribute in __init__."
        )
    evidence = (f"No optimizer holds {names_of(strays)}.", f"{holder.kind}: {holder.place}.")
    return Finding("layers-in-list", text, place, evidence, weight=weight)


def kept_apart(inside: str, name: str, code: CodeType | None) -> Finding:
    """A plain container with layers."""
    text = (
        f"{inside}.{name} keeps its layers in a plain container, so parameters() does not contain "
        "them; use nn.ModuleList."
    )
    return Finding("layers-in-list", text, attribute_line(code, inside, name), weight=3)


def built_anew(leaf: Leaf, inside: str, weight: int) -> Finding:
    """A layer of every forward."""
    return Finding(
        "layers-in-list",
        f"{inside} makes a new layer in every forward, which is registered nowhere; make it once, "
        "in __init__.",
        leaf.made.place,
        weight=weight,
    )


def no_parameter(owner: Owner, leaf: Leaf | None, weight: int) -> Finding:
    """A tensor of a module that is no Parameter."""
    what = "a buffer" if owner.how == "buffer" else "a plain tensor"
    made = leaf.made.place if leaf is not None else None
    return Finding(
        "buffer-not-parameter",
        f"{owner.kind}.{owner.attribute} is {what}, not an nn.Parameter, so parameters() does not "
        "contain it and no optimizer moves it.",
        attribute_line(owner.code, owner.kind, owner.attribute) or made,
        (f"{leaf.passes} passes gave it a gradient.",) if leaf is not None else (),
        weight=weight,
    )


def fixed(books: Books, exits: list[tuple[Made, Place | None]], weight: int) -> Iterator[Finding]:
    """Tensors of modules that the program expects to change, and that nothing can change."""
    if not any(held.steps for held in books.all_optimizers):
        return
    counts: Counter[tuple[int, Place | None]] = Counter()
    for made, place in exits:
        for one in values_above(made):
            if one in books.fixed:
                counts[one, place] += 1
    numbers = {one for (one, _), count in counts.items() if count >= (1 if weight == 3 else 2)}
    for number, owner in (books.fixed | books.missed).items():
        if number in numbers or number in books.missed:
            yield no_parameter(owner, None, weight)


def values_above(made: Made) -> list[int]:
    """Numbers of what a value that needs no gradient was made from, itself among them.

    Only its own where parameters have a part in it: such a value moves all the same.
    """
    if made.live or any(one.live for one in ancestors(made, 20)):
        return [made.number]
    return [one.number for one in ancestors(made, 6)]


def held_copy(
    books: Books, holder: Held, leaf: Leaf, strays: list[Leaf], weight: int
) -> Finding | None:
    """The optimizer holds another tensor of the same shape that no pass reaches any more."""
    idle = [one for one in leaves_of(holder) if one.last < leaf.first and not is_frozen(one)]
    fitting = [one for one in idle if one.shape == leaf.shape]
    copied = next((place for one in fitting if (place := link(one.made, leaf.made))), None)
    if copied is not None and leaf.passes > 1:
        return Finding(
            "optimizer-holds-copies",
            f"{holder.kind} holds copies of the parameters that the model uses, so its steps "
            "change nothing of the model.",
            copied,
            (f"It was made at {holder.place}.", f"Passes reach {names_of(strays)}."),
            weight=weight,
        )
    is_older = birth(leaf.made).number < holder.born
    if leaf.passes > 1 and is_older and are_twins(holder, strays):
        return Finding(
            "optimizer-holds-copies",
            f"{holder.kind} holds other tensors of the same shapes than the model uses, a copy "
            "most likely, so its steps change nothing of the model.",
            holder.place,
            (f"Passes reach {names_of(strays)}.",),
            weight=weight,
        )
    idle = [one for one in idle if not books.has_both(one, leaf)]
    if not idle or leaf.passes < 2 or is_older:
        return None
    return replaced(books, holder, leaf, idle, weight)


def is_frozen(leaf: Leaf) -> bool:
    """Whether a leaf gets no gradient because the program wants none for it."""
    tensor = leaf.ref()
    return tensor is not None and not tensor.requires_grad


def are_twins(holder: Held, strays: list[Leaf]) -> bool:
    """Whether no pass reaches what an optimizer holds, and what passes reach is shaped alike."""
    held, used = ([one.shape for one in some] for some in (leaves_of(holder), strays))
    apart = all(not one.passes for one in leaves_of(holder))
    return apart and len(held) > 1 and held == used


def replaced(books: Books, holder: Held, leaf: Leaf, idle: list[Leaf], weight: int) -> Finding:
    """A new parameter, layer or model stands where an optimizer's old one was."""
    around = leaf.owner.made if leaf.owner is not None else []
    later = [place for born, place in around if born > holder.born]
    whole = bool(later) and len(later) == len(around)
    what = "The model" if whole else leaf.name or "The parameter"
    place = books.where_made(later[-1], holder.born) if later else leaf.made.place
    return Finding(
        "optimizer-holds-copies" if whole else "replaced-parameter",
        f"{what} was made after {holder.kind} had got its parameters, and it still holds those.",
        text_of.installed(place) if place is not None else None,
        (f"{holder.kind} was made at {holder.place}.", f"No pass reaches {names_of(idle)}."),
        weight=weight,
    )


def link(one: Made, other: Made) -> Place | None:
    """The line that made one of two tensors from the values of the other."""
    for source, copy in ((other, one), (one, other)):
        seen: set[int] = set()
        found = [copy]
        while found:
            made = found.pop()
            if made is source:
                return copy.place
            if made.number not in seen and len(seen) < 200:
                seen.add(made.number)
                found += made.parents
    return None


def used_up(name: str, place: Place, holder: Held | None, weight: int) -> Finding:
    """An iterator had nothing left."""
    return Finding(
        "optimizer-empty",
        f"{name} is an iterator and was used up here, so the optimizer gets nothing from it; make "
        "it a list.",
        place,
        (f"{holder.kind} was made at {holder.place}.",) if holder is not None else (),
        weight=weight,
    )


# Texts


def leaves_of(held: Held) -> list[Leaf]:
    """The leaves of an optimizer."""
    return list(held.leaves.values())


def stepped_at(held: Held) -> tuple[str, ...]:
    """Where an optimizer steps."""
    place = held.where.most_common(1)[0][0] if held.where else None
    return (f"It steps at {place}.",) if place is not None else ()


def names_of(leaves: list[Leaf]) -> str:
    """The first names of some leaves."""
    names = [name for leaf in leaves if (name := leaf.name) is not None]
    if not names:
        return f"{len(leaves)} tensors" if len(leaves) > 1 else "a parameter"
    more = f" and {len(leaves) - 2} more" if len(leaves) > 2 else ""
    return ", ".join(names[:2]) + more


def made_at(leaf: Leaf) -> str:
    """Where a leaf was made."""
    return f"It was made at {leaf.made.place}." if leaf.made.place else "It is older than the run."


def attribute_line(code: CodeType | None, kind: str, name: str) -> Place | None:
    """The line of a class that fills an attribute: not the one that makes an empty list."""
    if code is None:
        return None
    place = Place(code, code.co_firstlineno)
    classes = [
        node
        for node in ast.walk(text_of.tree(place.file))
        if isinstance(node, ast.ClassDef) and node.name == kind
    ]
    for node in (inner for one in classes for inner in ast.walk(one)):
        if fills(node, name):
            return text_of.at(place, node.lineno)  # type: ignore[attr-defined]
    return None


def fills(node: ast.AST, name: str) -> bool:
    """Whether a node is `self.name = [...]`, `self.name.append(...)`, `register_buffer(name)`."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        listed = getattr(node.value, "elts", None), getattr(node.value, "keys", None)
        empty = isinstance(node.value, (ast.List, ast.Dict, ast.Tuple)) and not any(listed)
        made = isinstance(node.value, ast.Call) and not node.value.args
        empty = empty or (
            made
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Name)
            and hasattr(builtins, node.value.func.id)
        )
        given = node.targets if isinstance(node, ast.Assign) else [node.target]
        inner = [one.value for one in given if isinstance(one, ast.Subscript)]
        return not empty and any(
            isinstance(one, ast.Attribute) and one.attr == name for one in [*given, *inner]
        )
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in ("append", "extend", "insert", "add", "update", "setdefault"):
        return isinstance(node.func.value, ast.Attribute) and node.func.value.attr == name
    first = node.args[0] if node.args else None
    return (
        node.func.attr in ("register_buffer", "__setattr__", "setattr")
        and isinstance(first, ast.Constant)
        and first.value == name
    )
