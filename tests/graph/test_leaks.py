"""With the collector off nothing that was dropped holds arrays; a cycle that a user made, the
collector frees.

Arrays are counted where NumPy allocates them: it tells tracemalloc of each.
"""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad.autograd import Function, graph

pytestmark = pytest.mark.filterwarnings("ignore:Using backward")


@pytest.fixture(autouse=True)
def _counted() -> Iterator[None]:
    tracemalloc.start(1)
    gc.collect()
    gc.disable()
    yield
    gc.enable()
    tracemalloc.stop()


def arrays() -> int:
    """How many pieces of memory of NumPy's are alive."""
    only = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
    return len(tracemalloc.take_snapshot().filter_traces([only]).traces)


def left_by(step: Callable[[], Any], times: int = 5) -> int:
    """How many arrays are left by calls of `step` after the first two."""
    step(), step()
    gc.collect()
    before = arrays()
    for _ in range(times):
        step()
    return arrays() - before


def leaf(*shape: int) -> Any:
    return torch.ones(shape or (3,), requires_grad=True)


def model() -> Any:
    nn = torch.nn
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2), nn.LogSoftmax(-1))


def test_arrays_are_counted() -> None:
    kept: list[Any] = []
    assert left_by(lambda: kept.append(torch.ones(3))) == 5
    assert left_by(lambda: kept.append(torch.ones(3)[1:])) == 5


OPTIMISERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.1),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
    "Adam": lambda p: torch.optim.Adam(p, weight_decay=0.1),
    "AdamW": lambda p: torch.optim.AdamW(p, amsgrad=True),
    "RMSprop": lambda p: torch.optim.RMSprop(p, momentum=0.9, centered=True),
    "Adagrad": lambda p: torch.optim.Adagrad(p),
}


@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize("name", OPTIMISERS)
def test_training(name: str, zero: bool) -> None:
    net, x, y = model(), torch.ones(5, 4), torch.tensor([0, 1, 0, 1, 1])
    optimiser = OPTIMISERS[name](net.parameters())

    def step() -> None:
        optimiser.zero_grad(set_to_none=zero)
        torch.nn.functional.nll_loss(net(x), y).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()

    assert left_by(step) == 0


@pytest.mark.parametrize("name", OPTIMISERS)
def test_whole_training_dropped(name: str) -> None:
    def train() -> None:
        net = model()
        optimiser = OPTIMISERS[name](net.parameters())
        for _ in range(2):
            optimiser.zero_grad()
            net(torch.ones(5, 4)).sum().backward()
            optimiser.step()

    assert left_by(train) == 0


class Saves(Function):
    """Saves inputs and its output, and sets attributes."""

    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        result = a * b
        ctx.save_for_backward(a, b, result)
        ctx.a, ctx.twice = a, a * 2
        return result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        a, b, _ = ctx.saved_tensors
        return grad * b, grad * a


class Several(Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        twice, power, place = a * 2, a.exp(), a.argmax()
        ctx.save_for_backward(power, a)
        ctx.mark_non_differentiable(place)
        return twice, power, place

    @staticmethod
    def backward(ctx: Any, first: Any, second: Any, _: Any) -> Any:
        return first * 2 + second * ctx.saved_tensors[0]


class Writes(Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.mark_dirty(a)
        return a.mul_(2)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2


class Same(Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        return a

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad


class Inner(Function):
    """Runs a backward pass inside of its own."""

    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        with torch.enable_grad():
            ctx.x = a.detach().requires_grad_()
            ctx.y = ctx.x.exp()
        return ctx.y.detach()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        ctx.y.backward(grad)
        return ctx.x.grad


class Fails(Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        return a * 1

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        raise ValueError("in backward")


def functions() -> None:
    Saves.apply(leaf() * 1, leaf()).sum().backward()
    Saves.apply(leaf() * 1, leaf())
    first, second, _ = Several.apply(leaf())
    first.sum().backward()
    Several.apply(leaf() * 1)
    Same.apply(leaf() * 1).sum().backward()
    Same.apply(leaf())


def functions_that_write() -> None:
    Writes.apply(leaf() * 1).sum().backward()
    Writes.apply(leaf() * 1)
    Writes.apply((leaf() * 1)[1:]).sum().backward()


def functions_twice() -> None:
    a, b = leaf(), leaf()
    (grad,) = torch.autograd.grad(Saves.apply(a, b).sum(), a, create_graph=True)
    grad.sum().backward()


def backward_inside() -> None:
    Inner.apply(leaf()).sum().backward()
    Inner.apply(leaf())


def hooks() -> None:
    x = leaf()
    y = x * 2
    x.register_post_accumulate_grad_hook(lambda t: setattr(t, "grad", None))
    y.register_hook(lambda grad: grad * 2)
    y.grad_fn.register_hook(lambda outs, grads: None)
    y.grad_fn.register_prehook(lambda grads: (grads[0] * 2,))
    graph.register_multi_grad_hook([x, y], lambda grads: None)
    y.sum().backward()


def lent_gradients() -> None:
    kept: list[Any] = []
    x = leaf(2, 2)
    x.register_hook(lambda grad: kept.append(grad.t()[0].detach()))
    x.backward(torch.ones(2, 2))
    kept[0].add_(1)


def module_hooks() -> None:
    net = model()
    net.register_full_backward_hook(lambda module, ins, outs: None)
    net[0].register_forward_hook(lambda module, ins, out: None)
    net[0].register_full_backward_pre_hook(lambda module, outs: None)
    net(leaf(2, 4)).sum().backward()
    net(leaf(2, 4))


def saved_tensors_hooks() -> None:
    with graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t / 2):
        (leaf().exp() * leaf()).tanh().sum().backward()
        leaf().exp()
    with graph.save_on_cpu():
        (leaf().exp() * leaf()).tanh().sum().backward()
        leaf().exp()
    y = leaf().exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: t)


def written_after_saving() -> None:
    with graph.allow_mutation_on_saved_tensors():
        y = leaf() * 1
        z = y * y
        y.add_(1)
        z.sum().backward()
        (y * y).exp()


def views() -> None:
    y = leaf(4) * 1
    part = y[1:3]
    part.sin_()
    y.view(2, 2)[0].mul_(2)
    (part * 2).sum().backward()
    z = leaf(4) * 1
    z[1:3].sigmoid_()
    z[0] = z[1]


def edges() -> None:
    x = leaf()
    y = x * 2
    torch.autograd.grad(graph.get_gradient_edge(y), x, torch.ones(3))
    y.retain_grad()
    graph.get_gradient_edge(x)


def errors() -> None:
    bad = Fails.apply((leaf() * 1).exp()).sum()
    with pytest.raises(ValueError):
        bad.backward()
    y = leaf().exp()
    z = y.sum()
    y.add_(1)
    with pytest.raises(RuntimeError):
        z.backward()


@pytest.mark.filterwarnings("ignore:Error detected")
def anomalies() -> None:
    with torch.autograd.set_detect_anomaly(True):
        x = leaf()
        (grad,) = torch.autograd.grad((x.exp() * x).sum(), x, create_graph=True)
        grad.sum().backward()


FREED = [
    functions, functions_that_write, functions_twice, backward_inside, hooks, lent_gradients,
    module_hooks, saved_tensors_hooks, written_after_saving, views, edges, anomalies,
]  # fmt: skip


@pytest.mark.parametrize("step", FREED, ids=lambda step: step.__name__)
def test_freed_at_once(step: Callable[[], None]) -> None:
    assert left_by(step) == 0


def test_errors_hold_no_graph() -> None:
    left_by(errors)
    gc.collect()  # pytest keeps each traceback in a cycle of its own
    before = arrays()
    errors()
    gc.collect()
    assert arrays() == before


# Cycles that users make


class KeepsItsOutput(Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.result = a.exp()
        return ctx.result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * ctx.result


def output_on_the_context() -> None:
    KeepsItsOutput.apply(leaf()).sum().backward()


def hook_over_its_tensor() -> None:
    y = leaf() * 2
    y.register_hook(lambda grad: grad * y.detach())
    y.sum().backward()


def hook_over_its_leaf() -> None:
    x = leaf()
    x.register_hook(lambda grad: grad * x.detach())
    (x * 2).sum().backward()


def callback_over_a_tensor() -> None:
    y = leaf() * 2
    queue = torch.autograd.Variable._execution_engine.queue_callback
    y.register_hook(lambda grad: queue(lambda: y.detach()))
    y.sum().backward()


def gradient_with_a_graph() -> None:
    x = leaf()
    (x**3).sum().backward(create_graph=True)
    x.grad.sum().backward()


def model_with_gradients_of_gradients() -> None:
    model()(torch.ones(2, 4)).sum().backward(create_graph=True)


def result_packed_as_itself() -> None:
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        leaf().exp()


def note_on_a_node() -> None:
    y = leaf() * 2
    y.grad_fn.metadata["tensor"] = y


CYCLES = [
    output_on_the_context, hook_over_its_tensor, hook_over_its_leaf, callback_over_a_tensor,
    gradient_with_a_graph, model_with_gradients_of_gradients, result_packed_as_itself,
    note_on_a_node,
]  # fmt: skip


@pytest.mark.parametrize("step", CYCLES, ids=lambda step: step.__name__)
def test_freed_by_the_collector(step: Callable[[], None]) -> None:
    step()
    gc.collect()
    before = arrays()
    step()
    assert arrays() > before, "no cycle any more: then it belongs to FREED"
    gc.collect()
    assert arrays() == before
