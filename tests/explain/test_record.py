"""What a watched program leaves on record: lines, provenance, writes, passes."""

import inspect
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain
from seegrad.graph.observed import OBSERVERS, Observer, ignore, observe


def line() -> int:
    """The line of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def test_lines_of_what_was_made() -> None:
    with explain.watch():
        x = torch.ones(2, requires_grad=True)
        y, here = torch.nn.functional.softplus(x * 2), line()
    made = y._made
    assert (made.name, made.place.line, made.place.file) == ("softplus", here, __file__)
    assert [parent.name for parent in made.parents] == ["mul"]
    assert made.parents[0].parents[0] is x._made
    assert y.grad_fn._made is made


def test_provenance_runs_on_where_the_graph_ends() -> None:
    with explain.watch():
        x = torch.ones(2, requires_grad=True)
        cut = x.detach()
        with torch.no_grad():
            unrecorded = (x * 2).exp()
        entered = line() - 2
        mask = (cut + unrecorded) > 3
    assert (cut._made.is_cut, cut._made.undone) == (True, None)
    name, place = unrecorded._made.undone
    assert (name, place.line) == ("no_grad", entered)
    found, names = [mask._made], []
    while found:
        made = found.pop()
        names.append(made.name)
        found += made.parents
    assert sorted(names) == ["add", "detach", "exp", "gt", "mul", "ones", "ones"]


def test_writes_are_found_by_memory() -> None:
    with explain.watch() as watched:
        x = torch.zeros(3)
        row = x[1:]
        row.add_(1)
        x[0] = 5
    writes = watched.record.writes_to(row)
    assert [(w.name, w.version) for w in writes] == [("add_", 1), ("__setitem__", 2)]


def test_passes_know_their_losses_and_leaves() -> None:
    with explain.watch() as watched:
        x, y = (torch.ones(1, requires_grad=True) for _ in range(2))
        loss = (x * 2).sum()
        loss.backward()
    (made,) = watched.record.passes
    assert made.roots == (loss._made,)
    assert made.leaves == {id(x)}
    assert id(y) not in made.leaves
    assert loss.grad_fn.next_functions[0][0]._freed_by is made


def test_functions_of_the_user_are_calls_too() -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    with explain.watch():
        x = torch.ones(1, requires_grad=True)
        y = Square.apply(x)
    assert (y._made.name, y._made.parents) == ("apply", (x._made,))


def test_a_call_that_fails_is_told() -> None:
    with explain.watch() as watched, pytest.raises(RuntimeError):
        torch.ones(2) @ torch.ones(3)
    entry, _, error, place = watched.record.failures[-1]
    assert (entry.name, type(error)) == ("matmul", RuntimeError)
    assert place is not None
    assert place.text.startswith("torch.ones(2) @")


def test_nobody_hears_afterwards() -> None:
    with explain.watch():
        pass
    assert not OBSERVERS
    assert (torch.ones(1) * 2)._made is None


def test_only_outermost_calls_are_told() -> None:
    names: list[str] = []

    class Listening(Observer):
        def listener(self, entry: Any) -> Any:
            return lambda entry, *_: names.append(entry.name)

    observer = Listening()
    observe(observer)
    try:
        torch.nn.functional.cross_entropy(torch.zeros(2, 3), torch.zeros(2, dtype=torch.int64))
        abs(torch.ones(1)) + 1
    finally:
        ignore(observer)
    assert names == ["zeros", "zeros", "cross_entropy", "ones", "abs", "add"]


def test_steps_are_told_to_who_asks_for_them() -> None:
    told: list[tuple[str, str]] = []

    class Stepping(Observer):
        def began(self, current: Any) -> bool:
            return True

        def before(self, node: Any, grad: Any, current: Any) -> None:
            told.append(("before", node.name()))

        def after(self, node: Any, grad: Any, outs: Any, current: Any) -> None:
            told.append(("after", node.name()))

    observer = Stepping()
    x = torch.tensor([2.0], requires_grad=True)
    loss = (x * x).sum()
    observe(observer)
    try:
        loss.backward()
    finally:
        ignore(observer)
    nodes = ["SumBackward0", "MulBackward0", "torch::autograd::AccumulateGrad"]
    assert told == [(when, node) for node in nodes for when in ("before", "after")]
    assert x.grad.tolist() == [4.0]


def test_frames_of_observed_functions_can_be_read() -> None:
    class Reading(Observer):
        def listener(self, entry: Any) -> Any:
            return self.read

        def read(self, *_: Any) -> None:
            frame = inspect.currentframe()
            while frame is not None:  # those with variables from outside too
                names.update(frame.f_locals)
                frame = frame.f_back

    class Stepping(torch.optim.SGD):
        def step(self, closure: Any = None) -> Any:
            return super().step(closure)

    names: dict[str, Any] = {}
    weight = torch.ones(2, requires_grad=True)
    optimizer = Stepping([weight], lr=0.1)
    observer = Reading()
    observe(observer)
    try:
        weight.sum().backward()
        optimizer.step()
    finally:
        ignore(observer)
    assert names["optimizer"] is optimizer
