"""`explain.steps`: the same gradients as `backward`, one node at a time, and no trace if left."""

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad import explain
from seegrad.graph.observed import OBSERVERS


def leaves(seed: int) -> list[Any]:
    torch.manual_seed(seed)
    shapes = [(3, 3), (3,), (1, 3), ()]
    return [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * x, y + 1

    @staticmethod
    def backward(ctx: Any, to_square: Any, to_sum: Any) -> Any:
        x, _ = ctx.saved_tensors
        return 2 * x * to_square, to_sum


def written(a: Any, b: Any) -> Any:
    base = a * 1
    base[0].mul_(b.sum())
    return base


OPERATORS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a.sin() * 2,
    lambda a, b: a.expand(3, 3) @ b.expand(3, 3),
    lambda a, b: torch.where(a > b, a, b),
    lambda a, b: a.exp().clamp(max=2.0) - b.mean(),
    lambda a, b: a.expand(3, 3).unbind(0)[1] + b.expand(3, 3).max(0).values,
    lambda a, b: torch.tanh(a).detach() * b,
    lambda a, b: sum(Square.apply(a, b.sum())),
    lambda a, b: written(a.expand(3, 3), b),
    lambda a, b: torch.utils.checkpoint.checkpoint(
        lambda x: (x * x).cos(), a, use_reentrant=False
    ),
    lambda a, b: torch.utils.checkpoint.checkpoint(lambda x: x.sin() * x, a, use_reentrant=True),
]


def program(seed: int) -> tuple[list[Any], Any]:
    """A random graph: leaves and a loss."""
    rng = np.random.default_rng(seed)
    found = leaves(seed)
    values = list(found)
    for number in rng.integers(0, len(OPERATORS), 12):
        first, second = (values[i] for i in rng.integers(0, len(values), 2))
        values.append(OPERATORS[number](first, second))
    kept = values[6].sum() + values[9].mean()
    if values[7].requires_grad:
        values[7].retain_grad()
        values[7].register_hook(lambda gradient: gradient * 2)
    return [*found, values[7]], values[-1].sum() * kept


def gradients(tensors: list[Any]) -> list[Any]:
    return [None if t.grad is None else t.grad.tolist() for t in tensors]


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_gradients_are_those_of_backward(seed: int, create_graph: bool) -> None:
    tensors, loss = program(seed)
    loss.backward(create_graph=create_graph)
    again, loss = program(seed)
    names = [step.name for step in explain.steps(loss, create_graph=create_graph)]
    assert names.count("AccumulateGrad") == sum(t.grad is not None for t in again[:4])
    assert gradients(again) == gradients(tensors)


def test_a_step_shows_what_arrives_and_what_goes_on() -> None:
    with explain.watch():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        scale = torch.tensor(3.0, requires_grad=True)
        y = x * scale
        place = y._made.place
        found = list(explain.steps(y, torch.tensor([1.0, 10.0])))
    product, to_scale, to_x = found if found[2].leaf is x else [found[0], found[2], found[1]]
    assert (product.name, product.place, product.call) == ("MulBackward0", place, "mul")
    assert [g.tolist() for g in product.incoming] == [[1.0, 10.0]]
    # The second is summed to the shape of its input: 1 * 1 + 2 * 10.
    assert [g.tolist() for g in product.outgoing] == [[3.0, 30.0], 21.0]
    assert {name: value.tolist() for name, value in product.saved.items()} == {
        "self": [1.0, 2.0],
        "other": 3.0,
    }
    assert to_x.incoming[0].tolist() == x.grad.tolist() == [3.0, 30.0]
    assert to_scale.incoming[0].tolist() == scale.grad.tolist() == 21.0
    assert to_x.leaf is x
    assert "MulBackward0 of test_stepping.py" in str(product)
    assert [(step.number, step.count) for step in found] == [(1, 3), (2, 3), (3, 3)]


def test_order_is_that_of_the_pass() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    loss = (y.sin() + y.cos()).sum()
    names = [step.name for step in explain.steps(loss)]
    wanted = ["SumBackward0", "AddBackward0", "CosBackward0", "SinBackward0", "ExpBackward0"]
    assert names == [*wanted, "AccumulateGrad"]


def test_left_early_nothing_has_happened() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    x.grad = torch.tensor([5.0, 6.0])
    before = x.grad
    y = x * w
    y.retain_grad()
    loss = y.exp().sum()
    threads, observers = threading.active_count(), list(OBSERVERS)
    for step in explain.steps(loss):
        if step.leaf is x or step.number == step.count:
            break
    del step
    assert x.grad is before
    assert (x.grad.tolist(), w.grad, y.grad) == ([5.0, 6.0], None, None)
    assert (threading.active_count(), OBSERVERS) == (threads, observers)
    loss.backward()
    assert x.grad.tolist() == (torch.tensor([5.0, 6.0]) + w * y.exp()).tolist()


def test_left_by_an_error_of_the_loop() -> None:
    x = torch.ones(2, requires_grad=True)
    loss = (x * 2).sum()
    with pytest.raises(ZeroDivisionError), explain.steps(loss) as found:
        for _ in found:
            1 / 0
    assert x.grad is None
    assert not OBSERVERS
    loss.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_errors_are_those_of_backward() -> None:
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            raise KeyError("here")

    x, w = (torch.ones(2, requires_grad=True) for _ in range(2))
    loss = (Broken.apply(x) + w).sum()
    with pytest.raises(KeyError, match="here"):
        list(explain.steps(loss))
    assert not OBSERVERS
    assert w.grad.tolist() == [1.0, 1.0]  # as after `backward`, which stopped there too
    x = torch.ones(2, requires_grad=True)
    loss = x.exp().sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="a second time"):
        list(explain.steps(loss))
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        explain.steps(x * 2)
    with pytest.raises(RuntimeError, match="does not require grad"):
        explain.steps(torch.ones(()))
    with pytest.raises(TypeError, match="a breakpoint is an operator"):
        explain.steps(loss, at=1.5)


def test_loop_may_use_the_engine_itself() -> None:
    x = torch.tensor([2.0], requires_grad=True)
    inside = []
    for step in explain.steps((x * x).sum()):
        assert torch.is_grad_enabled()
        z = torch.tensor([3.0], requires_grad=True)
        (z * step.incoming[0].sum()).sum().backward()
        inside.append(z.grad.item())
    assert inside == [1.0, 1.0, 4.0]
    assert x.grad.tolist() == [4.0]


def test_modes_of_the_caller_reach_hooks() -> None:
    x = torch.ones(1, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t):
        y = x.sin()
    seen = []
    y.register_hook(lambda gradient: seen.append(torch.is_grad_enabled()))
    list(explain.steps(y.sum()))
    assert seen == [False]
    assert x.grad.item() == pytest.approx(np.cos(2.0))


@pytest.mark.parametrize("at", ["tanh", "TanhBackward0", ["tanh"], lambda s: "result" in s.saved])
def test_breakpoints(at: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    loss = (x.tanh() * 2 + x).sum()
    assert [step.name for step in explain.steps(loss, at=at)] == ["TanhBackward0"]
    assert x.grad is not None


def test_breakpoints_at_lines() -> None:
    with explain.watch():
        x = torch.ones(2, requires_grad=True)
        y = x.tanh() * 2
        line = y._made.place.line
        loss = y.sum()
        places = [f"test_stepping.py:{line}", line, str(line)]
        for at in places:
            found = explain.steps(loss, at=at, retain_graph=True)
            assert [step.name for step in found] == ["MulBackward0", "TanhBackward0"]
        assert not list(explain.steps(loss, at=f"other.py:{line}"))


def test_nothing_is_held_afterwards() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    alive = weakref.ref(y)
    gc.collect()
    gc.disable()
    try:
        for _ in explain.steps(y.sum()):
            pass
        walk = explain.steps(y.sum())
        del walk, y
        assert alive() is None
    finally:
        gc.enable()


def test_inputs_are_those_of_backward() -> None:
    x, w = (torch.ones(2, requires_grad=True) for _ in range(2))
    list(explain.steps((x * w).sum(), inputs=[x]))
    assert (x.grad.tolist(), w.grad) == ([1.0, 1.0], None)
    with pytest.raises(RuntimeError, match="cannot be empty"):
        explain.steps((x * w).sum(), inputs=[])


def test_hooks_and_leaves_are_named() -> None:
    def tenfold(grad: Any) -> Any:
        return grad * 10

    weight = torch.ones(6, requires_grad=True)
    h = weight * 3
    h.register_hook(tenfold)
    through, at_leaf = list(explain.steps(h.sum()))[1:]
    assert through.hooks[0].startswith("tenfold of test_stepping.py:")
    assert "runs on it first" in str(through)
    assert str(at_leaf).splitlines() == [
        "[3/3] AccumulateGrad (weight)",
        "  in    (6,) float32: all 30",
    ]
