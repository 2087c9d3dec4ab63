"""Graphs hold no cycles: what is dropped is freed at once, however deep, without the collector."""

import copy
import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad.autograd import Function
from tests import fresh

# What an operator of a chain may take: its node, with what that saves (bytes; 307 measured).
BYTES_PER_NODE = 450
DEEP = 200_000


@pytest.fixture(autouse=True)
def _collector_off() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


class Watch:
    """Weak references to arrays and tensors that must die."""

    def __init__(self) -> None:
        self.seen: list[weakref.ref[Any]] = []

    def __call__(self, tensor: Any) -> Any:
        self.seen += [weakref.ref(tensor), weakref.ref(tensor._array)]
        if tensor.grad_fn is not None:
            self.seen.append(weakref.ref(tensor.grad_fn))
        return tensor

    @property
    def alive(self) -> int:
        return sum(reference() is not None for reference in self.seen)


class Sine(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return grad * x.cos()


class SavesItsOutput(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * ctx.saved_tensors[0]


def leaf(*shape: int) -> Any:
    return torch.full(shape, 0.5, requires_grad=True)


def training_step(watch: Watch) -> None:
    w, b, x = leaf(3, 4), leaf(3), torch.ones(2, 4)
    hidden = watch(watch(x @ w.t() + b).tanh())
    loss = watch(torch.nn.functional.mse_loss(hidden, torch.zeros(2, 3)))
    loss.backward()
    watch(w.grad)


def never_run(watch: Watch) -> None:
    x = leaf(3)
    for made in (x.exp(), x.sigmoid(), x.softmax(0), x.sqrt(), x.relu(), x.cumprod(0), x.norm()):
        watch(made)


def custom_functions(watch: Watch) -> None:
    x = leaf(3)
    y = watch(SavesItsOutput.apply(watch(Sine.apply(x))))
    y.sum().backward()
    watch(SavesItsOutput.apply(x))


def views_and_writes(watch: Watch) -> None:
    y = watch(leaf(4) * 1)
    v = watch(y[1:3])
    v.sin_()
    y.view(2, 2)[0].mul_(2)
    watch(v * 2).sum().backward()
    watch(y[0])
    z = watch(leaf(4) * 1)
    z[1:3].sigmoid_()


def retained(watch: Watch) -> None:
    y = watch(leaf(2) * 2)
    y.retain_grad()
    z = watch(y.exp())
    z.retain_grad()
    z.sum().backward(retain_graph=True)
    watch(y.grad)


def hooked(watch: Watch) -> None:
    x = leaf(2)
    y = watch(x * 2)
    log: list[Any] = []
    y.register_hook(lambda grad: grad * 2)
    y.grad_fn.register_hook(lambda grads, _: log.append(grads[0].sum().item()))
    x.register_hook(lambda grad: None)
    y.sum().backward(retain_graph=True)


def second_derivative(watch: Watch) -> None:
    x = leaf(2)
    y = watch((x.exp() * x.tanh()).sum())
    (grad,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(watch(grad).sum(), x, create_graph=True)
    watch(second)


def second_derivative_of_a_function(watch: Watch) -> None:
    x = leaf(2)
    y = watch(SavesItsOutput.apply(x))
    (grad,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    watch(watch(grad).sum())


def several_outputs(watch: Watch) -> None:
    x = leaf(4)
    a, b = x.split(2)
    values, _ = x.topk(2)
    watch(a), watch(b), watch(values)
    (a * b).sum().backward()


def refused(watch: Watch) -> None:
    y = watch(leaf(2).exp())
    total = watch(y.sum())
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        total.backward()


STEPS: list[Callable[[Watch], None]] = [
    training_step, never_run, custom_functions, views_and_writes, retained, hooked,
    second_derivative, second_derivative_of_a_function, several_outputs,
]  # fmt: skip


@pytest.mark.parametrize("step", STEPS, ids=[step.__name__ for step in STEPS])
def test_dropped_is_freed(step: Callable[[Watch], None]) -> None:
    watch = Watch()
    step(watch)
    assert len(watch.seen) > 2
    assert watch.alive == 0


def test_freed_after_an_error() -> None:
    watch = Watch()
    refused(watch)  # pytest holds the traceback, in a cycle of its own
    gc.collect()
    assert watch.alive == 0


@pytest.mark.parametrize("name", ["mul", "exp", "tanh", "softmax", "getitem", "cat", "where"])
def test_no_garbage_in_many_steps(name: str) -> None:
    x = leaf(4)
    calls = {
        "mul": lambda: x * x,
        "exp": lambda: x.exp(),
        "tanh": lambda: x.tanh(),
        "softmax": lambda: x.softmax(0),
        "getitem": lambda: x[1:],
        "cat": lambda: torch.cat([x, x]),
        "where": lambda: torch.where(x > 0, x, 2 * x),
    }
    calls[name]().sum().backward()
    gc.collect()
    for _ in range(5):
        calls[name]().sum().backward()
    assert gc.collect() == 0


def test_backward_frees_what_was_saved() -> None:
    x = leaf(3)
    inner = x * 2
    saved = weakref.ref(inner._array)
    y = inner.sin().sum()
    del inner
    assert saved() is not None
    y.backward()
    assert saved() is None
    assert y.grad_fn is not None


def test_leaf_dies_although_its_gradient_was_accumulated() -> None:
    x = leaf(3)
    node = weakref.ref(x.view_as(x).grad_fn.next_functions[0][0])
    x.sum().backward()
    reference = weakref.ref(x)
    del x
    assert reference() is None
    assert node() is None


def test_gradient_is_freed_with_its_leaf() -> None:
    x = leaf(3)
    (x * x).sum().backward()
    grad = weakref.ref(x.grad._array)
    del x
    assert grad() is None


# Depth


def chain(length: int) -> tuple[Any, Any]:
    x = torch.ones((), requires_grad=True)
    y = x
    for _ in range(length):
        y = y * 1.0
    return x, y


def test_deep_graph_runs_and_is_freed() -> None:
    assert sys.getrecursionlimit() < DEEP
    x, y = chain(DEEP)
    last = weakref.ref(y.grad_fn)
    y.backward()
    del y
    assert x.grad.item() == 1.0
    assert last() is None


class KeepsAttribute(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.x = x
        return x * 1.0

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad


def hooked_once(y: Any) -> Any:
    y = y * 1.0
    y.register_hook(lambda grad: None)
    return y


def written_through_a_view(y: Any) -> Any:
    y[0:1].mul_(1.0)
    return y


# Links of a chain, each of which holds the one before in another way.
LINKS: dict[str, Callable[[Any], Any]] = {
    "saved input": Sine.apply,
    "saved output": SavesItsOutput.apply,
    "attribute": KeepsAttribute.apply,
    "view": lambda y: y.view(2),
    "slice": lambda y: y[:],
    "views and stack": lambda y: torch.stack(y.unbind()),
    "write through a view": written_through_a_view,
    "write": lambda y: y.mul_(1.0),
    "hook": hooked_once,
}


@pytest.mark.parametrize("run", [False, True])
@pytest.mark.parametrize("name", LINKS)
def test_deep_chain_is_freed(name: str, run: bool) -> None:
    x, link = torch.zeros(2, requires_grad=True), LINKS[name]
    y = x * 1
    nodes = [weakref.ref(y.grad_fn)]
    for _ in range(15_000):
        y = link(y)
        if name == "saved output":
            y = y * 0
    nodes.append(weakref.ref(y.grad_fn))
    if run:
        y.sum().backward()
    del y
    assert [node() for node in nodes] == [None, None]


def test_chain_of_views_takes_no_square() -> None:
    """Each view shares the steps of the one before: bytes a view, not bytes times their number."""
    x = torch.ones(2, requires_grad=True)
    views = [x[:]]
    tracemalloc.start()
    for _ in range(2_000):
        views.append(views[-1][:])
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held / len(views) < 2_000


BYTES_OF_A_NODE = """
import gc, json, tracemalloc
import seegrad as torch

def chain(length):
    x = torch.ones((), requires_grad=True)
    y = x
    for _ in range(length):
        y = y * 1.0
    return x, y

gc.disable()
chain(10)[1].backward()
tracemalloc.start()
x, y = chain(20_000)
held = tracemalloc.get_traced_memory()[0]
y.backward()
del x, y
print(json.dumps([held / 20_000, tracemalloc.get_traced_memory()[0]]))
"""


def test_bytes_of_a_node() -> None:
    """Counted in a new process: what else a large one does at the same time is not a node's."""
    of_a_node, left = fresh.answer(BYTES_OF_A_NODE)
    assert of_a_node < BYTES_PER_NODE
    assert left < 400_000  # what Python keeps for the next tuples, whatever the length


def test_deep_graph_is_freed_unrun() -> None:
    x, y = chain(20_000)
    last = weakref.ref(y.grad_fn)
    del y
    assert last() is None
    assert x.grad is None


def test_deep_second_derivative() -> None:
    x, y = torch.full((), 1.0, requires_grad=True), None
    y = x
    for _ in range(3000):
        y = y.tanh()
    (grad,) = torch.autograd.grad(y, x, create_graph=True)
    grad.backward()
    assert np.isfinite(x.grad.item())


def test_deep_chain_of_views_and_writes() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    for _ in range(3000):
        y[0:1].mul_(1.0)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_deep_graph_is_printed_and_walked() -> None:
    x, y = chain(5000)
    assert repr(y) == "tensor(1., grad_fn=<MulBackward0>)"
    assert repr(y.grad_fn).startswith("<MulBackward0 object at")
    node, length = y.grad_fn, 0
    while node.next_functions:
        node, length = node.next_functions[0][0], length + 1
    assert length == 5000
    assert node.variable is x


def test_deep_graph_is_no_obstacle_to_copies() -> None:
    x, y = chain(5000)
    assert copy.deepcopy(x).item() == 1.0
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(y)
