"""`compare`: the same function in PyTorch and here, up to the first operator that differs."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from typing import Any

import numpy as np

from seegrad.explain.brief import counted
from seegrad.explain.places import Place, here
from seegrad.explain.pytorch import Translation, pytorch
from seegrad.explain.quiet import rewritten
from seegrad.explain.report import Finding, Report
from seegrad.nn.modules.module import Module
from seegrad.overrides import resolve_name

__all__ = ["compare"]


@dataclass
class Call:
    """One call of a public function: what it is called, where, its values and gradients."""

    name: str
    place: Place | None
    values: list[Any]
    grads: dict[int, Any]


def compare(
    fn: Callable[..., Any],
    inputs: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
) -> Report:
    """Runs `fn` here and in PyTorch; reports the first operator whose values or gradients differ.

    Args:
        fn: a function, or a module, written against seegrad (or `import torch` of a program under
            `seegrad run`); what it uses of seegrad is PyTorch's in the other run. It starts both
            runs from the same random seed.
        inputs: a tensor or a tuple of them; gradients are compared for those that require one.
        rtol, atol: tolerances; those of `torch.testing.assert_close` for the dtype where None.

    Raises ModuleNotFoundError where PyTorch is not installed; what `fn` raises in one library only
    is a finding, what it raises in both is raised.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> def f(x):
    ...     return (x.exp() * 2).sum()
    >>> print(explain.compare(f, torch.ones(3, requires_grad=True)))  # doctest: +SKIP
    PyTorch 2.13.0 gives the same: 3 calls, their values and gradients
    """
    given = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    buffers = list(fn.buffers()) if isinstance(fn, Module) else []
    undo = [rewritten(buffer) for buffer in buffers]  # what batch norm counts
    with pytorch() as torch:
        translate = Translation(torch)
        other, others = translate(fn), tuple(map(translate, given))
        ours = run(sys.modules["seegrad"], resolve_name, fn, tuple(given))
        for step in undo:
            step()
        theirs = run(torch, real_name(torch), other, others)
        version = torch.__version__.partition("+")[0]
    if ours.error is not None and theirs.error is not None:
        raise ours.error
    found = first_difference(ours, theirs, rtol, atol)
    calls = counted(len(ours.calls), "call")
    healthy = f"PyTorch {version} gives the same: {calls}, their values and gradients"
    return Report([] if found is None else [found], healthy)


def real_name(torch: Any) -> Callable[[Any], str | None]:
    """PyTorch's names of its functions."""
    return lambda func: torch.overrides.resolve_name(func)


class Run:
    """What one library did: the calls, the gradients of what went in, and the error if any."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.grads: list[tuple[str, Any]] = []  # of inputs and parameters, by name
        self.error: Exception | None = None


def run(
    torch: Any, name_of: Callable[[Any], str | None], fn: Callable[..., Any], inputs: Any
) -> Run:
    """Runs `fn` forward and backward in one of the libraries and notes every call."""
    found = Run()

    class Noting(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            result = func(*args, **(kwargs or {}))
            name = name_of(func) or str(getattr(func, "__name__", "?"))
            if not name.endswith(("__get__", "__set__", "__delete__")):
                call = noted(torch, name, result)
                found.calls += [call] if call.values else []
            return result

    torch.manual_seed(0)
    try:
        with Noting():
            result = fn(*inputs)
        outputs = [one for one in flat(result) if isinstance(one, torch.Tensor)]
        wanted = [one for one in outputs if one.requires_grad]
        if wanted:
            found.grads = gradients(torch, fn, inputs, wanted)
    except Exception as error:
        found.error = error
    return found


def gradients(torch: Any, fn: Any, inputs: Any, wanted: list[Any]) -> list[tuple[str, Any]]:
    """Runs backward, to all leaves; the gradients of inputs and of a module's parameters."""
    names = {id(one): f"input {n}" for n, one in enumerate(flat(inputs))}
    if isinstance(fn, torch.nn.Module):
        names |= {id(one): name for name, one in fn.named_parameters()}
    ones = [torch.ones_like(one) for one in wanted]
    targets = leaves(torch, wanted)
    grads = torch.autograd.grad(wanted, targets, ones, allow_unused=True)
    pairs = [(names[id(t)], g) for t, g in zip(targets, grads, strict=True) if id(t) in names]
    return sorted((name, None if g is None else as_array(g)) for name, g in pairs)


def leaves(torch: Any, outputs: Sequence[Any]) -> list[Any]:
    """The leaves that outputs depend on."""
    found, seen, waiting = [], set(), [one.grad_fn for one in outputs]
    for one in outputs:
        if one.grad_fn is None:
            found.append(one)
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable)
        waiting += [following for following, _ in node.next_functions]
    return found


def noted(torch: Any, name: str, result: Any) -> Call:
    """A call with copies of its results, and with hooks that will note their gradients."""
    tensors = [one for one in flat(result) if isinstance(one, torch.Tensor)]
    call = Call(name.rpartition(".")[2], here(2), [as_array(one) for one in tensors], {})
    for index, tensor in enumerate(tensors):
        if tensor.requires_grad and not tensor.is_leaf:
            tensor.register_hook(
                lambda grad, index=index: call.grads.__setitem__(index, as_array(grad))
            )
    return call


def as_array(tensor: Any) -> Any:
    """A tensor's values as an array of NumPy's, wide where NumPy lacks the dtype."""
    tensor = tensor.detach()
    if "bfloat16" in str(tensor.dtype):
        tensor = tensor.float()
    return np.array(tensor.resolve_conj().resolve_neg().numpy())


def flat(value: Any) -> Iterator[Any]:
    """The tensors of nested lists and dicts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from flat(one)
    else:
        yield value


def first_difference(
    ours: Run, theirs: Run, rtol: float | None, atol: float | None
) -> Finding | None:
    """The first call, forward and then backward, where the libraries part."""
    pairs = aligned(ours.calls, theirs.calls)
    for mine, other in pairs:
        found = parted(mine, mine.values, other.values, "forward", rtol, atol)
        if found is not None:
            return found
    ways = lines(ours.calls), lines(theirs.calls)
    if ways[0] != ways[1] and ours.error is None and theirs.error is None:
        return other_way(*ways)
    if ours.error or theirs.error:
        return only_one_raises(ours.calls, ours.error, theirs.error)
    for mine, other in reversed(pairs):
        mine_grads = [mine.grads.get(i) for i in range(len(mine.values))]
        other_grads = [other.grads.get(i) for i in range(len(other.values))]
        found = parted(mine, mine_grads, other_grads, "backward", rtol, atol)
        if found is not None:
            return found
    last = ours.calls[0].place if ours.calls else None
    for (name, a), (_, b) in zip(ours.grads, theirs.grads, strict=False):
        found = parted(Call(name, last, [], {}), [a], [b], "backward", rtol, atol)
        if found is not None:
            return found
    return None


def aligned(ours: list[Call], theirs: list[Call]) -> list[tuple[Call, Call]]:
    """The calls that both made: what a library calls for itself may have no counterpart."""
    mine = [(call.name, call.place) for call in ours]
    other = [(call.name, call.place) for call in theirs]
    blocks = SequenceMatcher(None, mine, other, autojunk=False).get_matching_blocks()
    return [(ours[b.a + n], theirs[b.b + n]) for b in blocks for n in range(b.size)]


def lines(calls: list[Call]) -> list[Place | None]:
    """The lines of the program that made calls, one after another."""
    return [place for place, _ in groupby(call.place for call in calls)]


def other_way(ours: list[Place | None], theirs: list[Place | None]) -> Finding:
    """The finding where the program ran other lines."""
    here, there = next((a, b) for a, b in zip_longest(ours, theirs) if a != b)
    says = (
        f"the program went another way: {here or 'its end'} comes next here, and "
        f"{there or 'its end'} in PyTorch"
    )
    return Finding("compare-calls", says, here or there)


def parted(
    call: Call, mine: list[Any], theirs: list[Any], way: str, rtol: Any, atol: Any
) -> Finding | None:
    """What is different in the results, or in the gradients at the results, of one call."""
    what = f"{call.name} gives" if way == "forward" else f"the gradient at {call.name} has"
    subject = f"{way}: {what}"
    for index, (a, b) in enumerate(zip(mine, theirs, strict=False)):
        if (a is None) != (b is None):
            there = "here" if b is None else "in PyTorch"
            says = f"{way}: only {there} a gradient arrives at {call.name}"
            return Finding(f"compare-{way}", says, call.place)
        if a is None:
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            found = f"{a.dtype}{list(a.shape)} here and {b.dtype}{list(b.shape)} in PyTorch"
            says = f"{subject} {found}"
            return Finding(f"compare-{way}", says, call.place)
        apart = ~np.isclose(a, b, *tolerances(a.dtype, rtol, atol), equal_nan=True)
        if apart.any():
            place = tuple(int(i) for i in np.argwhere(apart)[0])
            return Finding(
                f"compare-{way}",
                f"{subject} {a[place]!s} here and {b[place]!s} in PyTorch, at {list(place)}"
                + (f" of result {index}" if index else ""),
                call.place,
                (f"{int(apart.sum())} of {apart.size} elements differ",),
            )
    return None


def tolerances(kind: Any, rtol: float | None, atol: float | None) -> tuple[float, float]:
    """Those of `assert_close` for a dtype."""
    usual = {2: (1e-3, 1e-5), 4: (1.3e-6, 1e-5), 8: (1e-7, 1e-7), 16: (1e-7, 1e-7)}
    size = kind.itemsize // 2 if kind.kind == "c" else kind.itemsize
    wanted = usual[size] if kind.kind in "fc" else (0.0, 0.0)
    return wanted[0] if rtol is None else rtol, wanted[1] if atol is None else atol


def only_one_raises(
    calls: list[Call], ours: Exception | None, theirs: Exception | None
) -> Finding:
    """The finding where one library raises and the other does not."""
    where = calls[-1].place if calls else None
    raised = ours or theirs
    there = "seegrad" if ours is not None else "PyTorch"
    return Finding(
        "compare-error", f"only {there} raises {type(raised).__name__}: {raised}", where
    )
