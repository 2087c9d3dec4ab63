"""Threads: modes are each thread's own, backward passes at once add exactly."""

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import seegrad as torch


def together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """The results of `work(0)` ... in threads that start at the same moment."""
    start = threading.Barrier(count)
    results: list[Any] = [None] * count
    errors: list[BaseException] = []

    def body(index: int) -> None:
        try:
            start.wait()
            results[index] = work(index)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    return results


def test_four_threads_accumulate_exactly() -> None:
    x = torch.ones(50, dtype=torch.float64, requires_grad=True)

    def work(index: int) -> None:
        for _ in range(200):
            (x * float(index + 1)).sum().backward()

    together(4, work)
    assert x.grad.tolist() == [200.0 * (1 + 2 + 3 + 4)] * 50


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("create_graph", [False, True])
def test_large_gradients_are_added_exactly(create_graph: bool) -> None:
    """So large that NumPy releases the GIL inside an addition."""
    x, w = (torch.zeros(20_000, requires_grad=True) for _ in range(2))
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        together(4, lambda _: [(x * 1 + w * 2).sum().backward(create_graph=create_graph)
                               for _ in range(50)])  # fmt: skip
    finally:
        sys.setswitchinterval(often)
    assert set(x.grad.tolist()) == {200.0}
    assert set(w.grad.tolist()) == {400.0}
    x.grad = w.grad = None


@pytest.mark.filterwarnings("ignore:Using backward")
def test_recorded_and_plain_gradients_at_once() -> None:
    x = torch.zeros(20_000, requires_grad=True)
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        together(4, lambda i: [(x * 1).sum().backward(create_graph=i % 2 == 0)
                               for _ in range(50)])  # fmt: skip
    finally:
        sys.setswitchinterval(often)
    assert set(x.grad.tolist()) == {200.0}
    x.grad = None


@pytest.mark.filterwarnings("ignore:Using backward")
def test_no_thread_waits_for_another_for_ever() -> None:
    """A recorded sum may call code of the user's, which goes on to another leaf's gradient."""
    leaves = [torch.zeros(2, requires_grad=True) for _ in range(2)]
    meeting = threading.Barrier(2)

    def work(index: int) -> None:
        mine, other = leaves[index], leaves[1 - index]
        mine.grad = torch.ones(2)
        meeting.wait()

        def pack(value: Any) -> Any:
            with torch.enable_grad():
                (other * 2).sum().backward()
            return value

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda value: value):
            (mine * mine).sum().backward(create_graph=True)

    together(2, work)
    assert all(leaf.grad is not None for leaf in leaves)
    for leaf in leaves:
        leaf.grad = None


def test_one_graph_run_by_many() -> None:
    x = torch.ones(8, dtype=torch.float64, requires_grad=True)
    total = (x * x).sin().sum()
    total.backward()
    once = x.grad.clone()
    x.grad = None
    total = (x * x).sin().sum()
    together(4, lambda _: [total.backward(retain_graph=True) for _ in range(50)])
    assert torch.allclose(x.grad, 200 * once, rtol=1e-12)


def test_gradients_by_return_do_not_mix() -> None:
    x = torch.arange(1.0, 5.0, requires_grad=True)

    def work(index: int) -> list[list[float]]:
        return [torch.autograd.grad((x * (index + 1)).sum(), x)[0].tolist() for _ in range(100)]

    for index, found in enumerate(together(4, work)):
        assert found == [[index + 1.0] * 4] * 100
    assert x.grad is None


def test_new_thread_records() -> None:
    with torch.no_grad():
        assert together(1, lambda _: torch.is_grad_enabled()) == [True]
        assert not torch.is_grad_enabled()


def test_modes_do_not_leak_between_threads() -> None:
    x = torch.ones(2, requires_grad=True)
    inside = threading.Barrier(2)

    def work(index: int) -> bool:
        with torch.set_grad_enabled(index == 0):
            inside.wait()
            flags = {(x * 2).requires_grad for _ in range(200)}
            inside.wait()
        assert torch.is_grad_enabled()
        return flags.pop() if len(flags) == 1 else "mixed"  # type: ignore[return-value]

    assert together(2, work) == [True, False]


def test_error_in_one_thread_leaves_the_others() -> None:
    x = torch.ones(3, requires_grad=True)

    def work(index: int) -> None:
        for _ in range(50):
            y = x.exp()
            if index:
                y.add_(1)
                with pytest.raises(RuntimeError, match="modified by an inplace"):
                    y.sum().backward()
            else:
                y.sum().backward()

    together(3, work)
    assert torch.allclose(x.grad, 50 * x.detach().exp())


def test_hooks_run_in_the_thread_that_called() -> None:
    x = torch.ones(1, requires_grad=True)
    seen: list[tuple[int, int]] = []

    def work(_: int) -> None:
        y = x * 2
        me = threading.get_ident()
        y.register_hook(lambda grad: seen.append((me, threading.get_ident())))
        y.backward()

    together(3, work)
    assert len(seen) == 3
    assert all(caller == runner for caller, runner in seen)


def test_numbers_of_nodes_are_unique() -> None:
    x = torch.ones(1, requires_grad=True)
    numbers = together(4, lambda _: [(x * 1).grad_fn._sequence_nr() for _ in range(300)])
    flat = [number for part in numbers for number in part]
    assert len(set(flat)) == len(flat)
    assert all(part == sorted(part) for part in numbers)


def test_accumulate_grad_is_one_for_all_threads() -> None:
    x = torch.ones(1, requires_grad=True)
    held = [x.view_as(x)]
    nodes = together(4, lambda _: x.view_as(x).grad_fn.next_functions[0][0])
    assert {id(node) for node in nodes} == {id(held[0].grad_fn.next_functions[0][0])}
