"""`flow(model)`: how large the gradients of a model are, layer by layer, and where they stop."""

import copy
import html
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from seegrad.explain.flows.detective import first_cut, leads_to
from seegrad.explain.flows.hops import size_of
from seegrad.explain.flows.losses import PROBABILITIES, SCORED, all_above, origin, twice
from seegrad.explain.flows.rules import Lines, flaws
from seegrad.explain.record import Made, PassRecord, made_of
from seegrad.explain.report import Finding
from seegrad.explain.watching import current_watch
from seegrad.graph.state import thread
from seegrad.nn.modules.module import Module
from seegrad.optim.optimizer import Optimizer

__all__ = ["Flow", "Row", "flow"]

FADED = 1e-6
MOST = 2000  # calls looked through for a loss
HUGE = 1e3


@dataclass(frozen=True)
class Row:
    """What `flow` says of one parameter; `norm` is None where it has no gradient.

    `zeros`: share of entries that are exactly zero; `ratio`: norm of the gradient by norm of the
    parameter; `update`: norm of the next step of the optimizer by norm of the parameter.
    """

    name: str
    shape: tuple[int, ...]
    norm: float | None
    mean: float | None
    max: float | None
    zeros: float | None
    ratio: float | None
    update: float | None


@dataclass(frozen=True)
class Flow:
    """The gradients of a model, in the order of its layers, and what is wrong with their flow."""

    rows: Sequence[Row]
    finding: Finding | None = None

    def __str__(self) -> str:
        width = max((len(row.name) for row in self.rows), default=4)
        lines = [f"{'':{width}}  " + " ".join(f"{title:>9}" for title in TITLES)]
        lines += [
            f"{row.name:{width}}  " + " ".join(map("{:>9}".format, cells(row)))
            for row in self.rows
        ]
        return "\n".join([*lines, str(self.finding) if self.finding else WELL])

    def __bool__(self) -> bool:
        return self.finding is None

    def to_dict(self) -> dict[str, Any]:
        """The numbers, and the finding, as plain values."""
        found = self.finding.to_dict() if self.finding else None
        return {"rows": [asdict(row) for row in self.rows], "finding": found}

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(*["parameter", *TITLES])
        for row in self.rows:
            table.add_row(row.name, *cells(row), style="bold" if not row.norm else "")
        return Group(table, Text(str(self.finding) if self.finding else WELL))

    def _repr_html_(self) -> str:
        lines = [("parameter", *TITLES), *((row.name, *cells(row)) for row in self.rows)]
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>"
            for line in lines
        )
        text = html.escape(str(self.finding) if self.finding else WELL)
        return f"<table>{rows}</table><p>{text}</p>"


TITLES = ("norm", "mean", "max", "zeros", "ratio", "update")
WELL = "gradients get to all parameters that require one"


def cells(row: Row) -> list[str]:
    """The numbers of a row as text."""
    shown = [number(row.norm), number(row.mean), number(row.max)]
    shown.append("-" if row.zeros is None else f"{row.zeros:.0%}")
    return [*shown, number(row.ratio), number(row.update)]


def number(value: float | None) -> str:
    """A number of two digits."""
    return "-" if value is None else f"{value:.1e}"


def flow(model: Module, optimizer: Optimizer | None = None) -> Flow:
    """How large the gradient of each parameter is after a backward pass, and where the flow stops.

    Given the optimizer, also how far its next step would move each parameter; nothing is moved.
    Under `explain.watch()` the reason is looked for in the pass itself, with its line. Raises
    TypeError for what is no Module or no Optimizer, ValueError before any backward pass.

    >>> import seegrad as torch
    >>> model = torch.nn.Sequential(
    ...     torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1))
    >>> _ = torch.nn.init.zeros_(model[2].weight)
    >>> model(torch.ones(1, 2)).sum().backward()
    >>> print(flow(model).finding)
    0.bias and what lies before it gets a gradient of zero: the weight 2.weight after it is zero.
    """
    if not isinstance(model, Module):
        raise TypeError(f"flow() needs a Module, but got {type(model).__name__}")
    if optimizer is not None and not isinstance(optimizer, Optimizer):
        raise TypeError(f"flow() needs an optimizer second, but got {type(optimizer).__name__}")
    named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    if not any(p.grad is not None for _, p in named):
        raise ValueError("no parameter has a gradient: flow() looks at a model after backward()")
    heard, thread.state.heard = thread.state.heard, True
    try:
        steps = {} if optimizer is None else next_step(optimizer)
        rows = [row_of(name, p, steps.get(id(p))) for name, p in named]
    finally:
        thread.state.heard = heard
    finding = next(from_pass(named), None)
    if finding is not None:
        return Flow(rows, stops_at(finding, rows))
    return Flow(rows, next(from_rows(named, rows), None))


def row_of(name: str, parameter: Any, update: float | None) -> Row:
    """The numbers of one parameter."""
    values = parameter._array
    size = size_of(values) * values.size**0.5
    shape = tuple(values.shape)
    if parameter._grad is None:
        return Row(name, shape, None, None, None, None, None, update)
    grad = parameter._grad._array
    norm = size_of(grad) * grad.size**0.5
    ratio = norm / size if size else None
    if not grad.size:
        return Row(name, shape, norm, 0.0, 0.0, 0.0, ratio, update)
    zeros = float((grad == 0).mean())
    mean, most = float(abs(grad).mean()), float(abs(grad).max())
    return Row(name, shape, norm, mean, most, zeros, ratio, update)


def next_step(optimizer: Optimizer) -> dict[int, float]:
    """How far the next step would move each parameter, by its norm: a copy takes that step."""
    twin = copy.deepcopy(optimizer)
    pairs = [
        (p, q)
        for group, other in zip(optimizer.param_groups, twin.param_groups, strict=True)
        for p, q in zip(group["params"], other["params"], strict=True)
    ]
    for p, q in pairs:
        q.grad = None if p.grad is None else p.grad.detach().clone()
    twin.step()
    found = {}
    for p, q in pairs:
        size = size_of(p._array)
        if size:
            found[id(p)] = size_of(q._array - p._array) / size
    return found


def from_pass(named: list[tuple[str, Any]]) -> Iterator[Finding]:
    """What the last pass over the model under watch shows."""
    watch = current_watch()
    if watch is None:
        return
    numbers = {id(p) for _, p in named}
    for passes in reversed(list(watch.hops.measured.values())):
        reached = {id(leaf.ref()) for leaf in passes[-1].leaves}
        if numbers & reached:
            lines = Lines(lambda made: made.place, None)
            yield from flaws(passes[-1:], lines, 1, 1)
            break
    yield from normalised_twice(watch.record.passes)
    lost = {made_of(p).number: name for name, p in named if p._grad is None}
    for ran in reversed(watch.record.passes) if lost else ():
        cut = first_cut(ran.roots, set(lost))
        if cut is not None:
            yield cut_off(cut, lost)
            return


def normalised_twice(passes: Sequence[PassRecord]) -> Iterator[Finding]:
    """A loss of scores that was given probabilities, in the last pass."""
    for root in passes[-1].roots if passes else ():
        for made in all_above(root, MOST):
            source = origin(made.parents[0]) if made.name in SCORED and made.parents else None
            if source is not None and source.name in PROBABILITIES:
                if made.name != "nll_loss" or source.name == "softmax":
                    text = f"{made.name}|{source.name}|{made.place}"
                    yield twice("flow-double-softmax", source.place, text, 1)


def cut_off(cut: Made, lost: dict[int, str]) -> Finding:
    """Parameters that lead to the loss through a cut only, and those that do not at all."""
    how = cut.undone[0] if cut.undone is not None else cut.name
    place = cut.undone[1] if cut.undone is not None and cut.undone[1] else cut.place
    behind = [name for number, name in lost.items() if leads_to(cut, {number})]
    unused = [name for name in lost.values() if name not in behind]
    evidence = (f"{listed(unused)} not used on the way to the loss.",) if unused else ()
    text = f"{how}() cuts {listed(behind).rpartition(' ')[0]} off the loss."
    return Finding("flow-detached", text, place, evidence)


def listed(names: list[str]) -> str:
    """Names as the beginning of a sentence: "a.weight and a.bias are"."""
    if len(names) > 3:
        names = [*names[:2], f"{len(names) - 2} more"]
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"


def stops_at(finding: Finding, rows: list[Row]) -> Finding:
    """A finding about the flow, with the parameters at which it is seen best."""
    sizes = {r.name: r.norm / math.prod(r.shape) ** 0.5 for r in rows if r.norm is not None}
    most, least = max(sizes, key=lambda n: sizes[n]), min(sizes, key=lambda n: sizes[n])
    text = ""
    if finding.kind == "flow-exploding":
        text = f"It is largest at {most}."
    elif finding.kind == "flow-saturated":
        text = f"It is smallest at {least}."
    elif finding.kind != "flow-double-softmax":
        bound = FADED * sizes[most] if finding.kind == "flow-vanishing" else 0.0
        faint = [name for name, size in sizes.items() if size <= bound]
        what = "less than a millionth of the largest" if bound else "zero"
        text = f"From the loss on, {faint[-1]} is the first where it is {what}." if faint else ""
    return replace(finding, evidence=(*finding.evidence, text)) if text else finding


def from_rows(named: list[tuple[str, Any]], rows: list[Row]) -> Iterator[Finding]:
    """What the numbers alone show: the parameter nearest to the output where the flow stops."""
    below = list(zip(named, rows, strict=True))
    behind: list[tuple[str, Any]] = []
    for (name, parameter), row in reversed(below):
        if row.norm is not None and not math.isfinite(row.norm):
            yield Finding("flow-exploding", f"The gradient of {name} is not finite.")
            return
        if row.norm == 0:
            yield zero_at(name, behind)
            return
        behind.append((name, parameter))
    missing = [row.name for row in rows if row.norm is None]
    if missing:
        text = f"{missing[-1]} has no gradient: it is not used, or was cut off before the loss."
        yield Finding("flow-detached", text)
        return
    yield from by_size([row for row in rows if len(row.shape) > 1])


def zero_at(name: str, behind: list[tuple[str, Any]]) -> Finding:
    """Why a gradient is zero, as far as the values of the later layers tell."""
    start = f"{name} and what lies before it gets a gradient of zero: "
    zero = [other for other, p in behind if p._array.ndim > 1 and not p._array.any()]
    if zero:
        return Finding("flow-zero-init", f"{start}the weight {zero[-1]} after it is zero.")
    return Finding(
        "flow-dead-relu", f"{start}a ReLU after it may be dead; explain.watch() shows which."
    )


def by_size(rows: list[Row]) -> Iterator[Finding]:
    """Gradients that fade or blow up from layer to layer."""
    sizes = [(row, (row.norm or 0.0) / math.prod(row.shape) ** 0.5) for row in rows]
    if len(sizes) < 2:
        return
    first, most = sizes[0], max(sizes, key=lambda pair: pair[1])
    if first[1] < FADED * most[1]:
        stops = next(row for row, size in reversed(sizes) if size < FADED * most[1])
        text = f"The gradient fades: at {stops.name} it is less than a millionth of the largest."
        yield Finding("flow-vanishing", text)
    for row, _ in reversed(sizes):
        if (row.norm or 0.0) > HUGE and (row.ratio or 0.0) > HUGE / 10:
            text = f"The gradient blows up: at {row.name} its norm is {row.norm:.1e}."
            yield Finding("flow-exploding", text)
            return
