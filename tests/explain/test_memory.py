"""`explain.memory`: bytes by formula and by tracemalloc, and the chains of who keeps what."""

import functools
import html
import importlib.util
import inspect
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain

KEPT: dict[str, Any] = {}


def line() -> int:
    """The line of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def test_bytes_by_line_and_by_operator() -> None:
    with explain.watch():
        x = torch.ones(10, 20)
        w = torch.ones(20, 30, requires_grad=True)
        y = x @ w
        made = line() - 1
        loss = (y.exp() * y).sum()
    found = explain.memory(loss)
    # matmul keeps x (800 bytes), exp its result, mul that result and y.
    assert (found.nodes, found.saved, found.leaves) == (4, 800 + 2 * 1200, 0)
    name = f"test_memory.py:{made}: y = x @ w"
    assert {share.what: share.bytes for share in found.by_line} == {
        name: 800,
        f"test_memory.py:{made + 2}: loss = (y.exp() * y).sum()": 2400,
    }
    assert {(share.what, share.bytes, share.nodes) for share in found.by_operator} == {
        ("MmBackward0", 800, 1),
        ("ExpBackward0", 1200, 1),
        ("MulBackward0", 1200, 1),
    }


def test_leaves_are_counted_apart() -> None:
    x, w = torch.ones(10, 20, requires_grad=True), torch.ones(20, 30, requires_grad=True)
    found = explain.memory((x @ w).exp())
    assert (found.saved, found.leaves) == (1200, 800 + 2400)
    assert "and 3.1 KiB of leaves, which stay anyway" in str(found)


def test_a_storage_counts_once() -> None:
    x = torch.ones(100, requires_grad=True)
    y = x * 2
    once = explain.memory(y.sin())
    views = [y.view(10, 10), y.view(4, 25), y]
    assert once.saved == 400
    assert explain.memory(sum(view.sin().sum() for view in views)).saved == 400


def test_values_that_hooks_packed_and_custom_functions_keep() -> None:
    class Keeping(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mask = x > 0
            ctx.save_for_backward(x.clone())
            return x * ctx.mask

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.mask

    x = torch.ones(100, requires_grad=True)
    found = explain.memory(Keeping.apply(x * 2))
    assert (found.saved, found.by_operator[0].what) == (400 + 100, "KeepingBackward")
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.half(), lambda t: t.float()):
        y = (x * 2).exp()
    assert explain.memory(y).saved == 200


def test_what_is_freed_and_what_goes_on() -> None:
    with explain.watch():
        x = torch.ones(100, requires_grad=True)
        total = 0
        for _ in range(3):
            loss = x.sin().sum()
            loss.backward()
            freed = line() - 1
            total = total + loss
    found = explain.memory(total)
    assert (found.saved, found.passes, found.freed_at) == (0, 3, f"test_memory.py:{freed}")
    assert "3 backward passes ran through parts of it" in str(found)
    assert explain.memory(loss).passes == 1


@pytest.mark.parametrize("depth", [1, 8])
@pytest.mark.parametrize("operator", [torch.exp, torch.tanh, torch.sin, lambda x: x * x])
def test_peak_is_what_tracemalloc_measures(operator: Callable[[Any], Any], depth: int) -> None:
    x = torch.rand(50_000, dtype=torch.float64, requires_grad=True)
    (operator(x) * 0.5).sum().backward()  # compiles what is compiled once
    x.grad = None
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        y = x
        for _ in range(depth):
            y = operator(y) * 0.5
        loss = y.sum()
        del y
        found = explain.memory(loss)
        tracemalloc.reset_peak()
        loss.backward()
        measured = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    # What an operator needs for itself is at most two more arrays of that size.
    assert measured - 2.2 * 400_000 <= found.peak <= measured + 10_000
    assert found.gradients == 400_000


def test_variables_and_containers_that_keep_a_loss() -> None:
    x = torch.ones(3, requires_grad=True)
    loss = (x * 2).sum()
    history = {"train": [], "valid": [1.0, loss]}  # noqa: F841

    class Meter:
        def __init__(self) -> None:
            self.last = loss

    meter = Meter()  # noqa: F841
    total = loss + 1  # noqa: F841
    KEPT["loss"] = loss
    try:
        links = [chain.links for chain in explain.memory(loss).kept_by]
    finally:
        KEPT.clear()
    assert ("loss",) in links
    assert ("history['valid'][0]",) in links
    assert ("meter.last",) in links
    assert ("KEPT['loss']",) in links
    assert ("total, by its graph", "AddBackward0", "SumBackward0") in links


def test_lists_parameters_parts_and_states_that_keep_a_graph() -> None:
    cell, x = torch.nn.RNNCell(2, 3), torch.ones(1, 2)
    hidden = torch.zeros(1, 3)
    kept = []
    with explain.watch():
        for _ in range(4):
            hidden = cell(x, hidden)
            kept.append(hidden.sum())
    found = explain.memory(kept[-1])
    links = [chain.links for chain in found.kept_by]
    assert ("kept[3]",) in links
    assert ("hidden", "a part of its graph") in links
    assert found.carried is None  # the sum itself is carried nowhere
    assert "again and again (4 nodes)" in str(explain.memory(hidden))
    links = [chain.links for chain in explain.memory(kept).kept_by]
    assert ("kept[0] and 3 more there",) in links
    kept[-1].backward()
    assert "at its peak" not in str(explain.memory(kept[-1]))
    assert ("cell.weight_hh",) in [one.links for one in explain.memory(cell.weight_hh).kept_by]
    grads = [one.links for one in explain.memory(cell.weight_hh.grad).kept_by]
    assert grads == [("cell.weight_hh.grad",)]


def test_values_that_hooks_packed_are_told() -> None:
    x = torch.ones(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(id, lambda _: x):
        y = x.exp()
    assert explain.memory(y).packed == 1
    assert "1 value packed by hooks (checkpoint) not counted" in str(explain.memory(y))


def test_graphs_that_keep_a_leaf() -> None:
    def graph() -> Any:
        weight = torch.ones(3, requires_grad=True)
        return weight, (weight * 2).exp().sum()

    weight, loss = graph()
    found = explain.memory(weight)
    assert "a tensor without a graph" in str(found)
    chains = {str(chain) for chain in found.kept_by}
    assert "weight" in chains
    way = "SumBackward0 -> ExpBackward0 -> MulBackward0 -> AccumulateGrad"
    assert f"loss, by its graph -> {way}" in chains
    batch = torch.ones(3)
    kept = weight * batch  # noqa: F841
    chains = {str(chain) for chain in explain.memory(batch).kept_by}
    assert "kept, by its graph -> MulBackward0 -> saved as other" in chains


@functools.lru_cache
def remembered(n: int) -> Any:
    return (torch.ones(n, requires_grad=True) * 2).sum()


def test_what_no_variable_keeps_is_found_by_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    # The suite's process is large.
    monkeypatch.setattr("seegrad.explain.held.holding.SECONDS", 60.0)
    remembered(3)
    try:
        (chain,) = explain.memory(remembered(3)).kept_by
    finally:
        remembered.cache_clear()
    assert chain.links[0].endswith("test_memory.remembered")
    assert "_lru_cache_wrapper" in chain.links[-1]


@pytest.mark.filterwarnings("ignore:Using backward")
def test_cycles() -> None:
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.result = x.exp()
            return ctx.result

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.result

    x = torch.ones(3, requires_grad=True)
    y = Exp.apply(x)
    (cycle,) = (chain for chain in explain.memory(y).kept_by if chain.is_cycle)
    assert cycle.links == ("ExpBackward", "ctx.result", "ExpBackward")
    (x * x).sum().backward(create_graph=True)
    cycles = [chain for chain in explain.memory(x.sin()).kept_by if chain.is_cycle]
    assert [chain.links[1] for chain in cycles] == [".grad"]
    assert "only the garbage collector frees it" in str(cycles[0])
    x.grad = None
    assert not any(chain.is_cycle for chain in explain.memory(x.sin()).kept_by)


def test_forms_of_the_report() -> None:
    x = torch.ones(1000, requires_grad=True)
    found = explain.memory((x * 2).exp())
    text = str(found)
    assert text.startswith("2 nodes, 3.9 KiB saved for backward\nby line\n")
    assert "unknown line (run under explain.watch()) (1 node)" in text
    assert html.unescape(found._repr_html_()).count("</div>") == len(text.splitlines()) + 1
    values = found.to_dict()
    assert values["by_operator"] == [{"what": "ExpBackward0", "bytes": 4000, "nodes": 1}]
    assert values["peak"] == 4000 + 2 * 4000
    if importlib.util.find_spec("rich") is not None:
        assert found.__rich__().plain == text + "\n"


def test_several_tensors_and_what_is_none() -> None:
    x = torch.ones(100, requires_grad=True)
    y = x.exp()
    both = explain.memory([y.sin(), y.cos()])
    assert (both.nodes, both.saved) == (3, 400)
    with pytest.raises(TypeError, match="wants a tensor or a sequence of them, not 3"):
        explain.memory(3)
    with pytest.raises(TypeError, match="wants a tensor"):
        explain.memory([y, None])
