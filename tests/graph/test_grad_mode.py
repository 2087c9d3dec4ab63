"""Recording on and off: blocks, decorators, generators, classes, errors, nesting."""

import inspect
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import seegrad as torch
from seegrad.graph.state import INFERRING


def records() -> bool:
    """Whether an operator really records, not only what the flag says."""
    x = torch.ones(1, requires_grad=True)
    recorded = (x * 2).grad_fn is not None
    assert recorded == torch.is_grad_enabled()
    return recorded


@pytest.fixture(autouse=True)
def _unchanged() -> Iterator[None]:
    assert records()
    yield
    assert records()


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_blocks(mode: Any) -> None:
    with mode():
        assert not records()
        with torch.enable_grad():
            assert torch.is_grad_enabled()
        assert not records()


def test_nested_blocks_restore_what_was() -> None:
    with torch.no_grad():
        with torch.set_grad_enabled(True):
            with torch.no_grad():
                assert not records()
            assert records()
            with torch.set_grad_enabled(False):
                assert not records()
            assert records()
        assert not records()


def test_one_object_used_twice() -> None:
    guard = torch.no_grad()
    with guard:
        assert not records()
    assert records()
    with guard:
        assert not records()


def test_error_leaves_the_block() -> None:
    with pytest.raises(ZeroDivisionError):
        with torch.no_grad():
            1 / 0
    with pytest.raises(ZeroDivisionError):
        torch.no_grad()(lambda: 1 / 0)()


def test_set_grad_enabled_acts_at_once() -> None:
    torch.set_grad_enabled(False)
    assert not records()
    torch.set_grad_enabled(True)
    assert records()
    guard = torch.set_grad_enabled(False)
    assert not records()
    with guard:
        assert not records()


DECORATORS = [torch.no_grad, torch.no_grad(), torch.enable_grad(), torch.inference_mode()]


@pytest.mark.parametrize("decorator", DECORATORS)
def test_decorated_function(decorator: Any) -> None:
    @decorator
    def work(a: int, *, b: int = 2) -> tuple[int, int, bool]:
        "What it does."
        return a, b, records()

    with torch.no_grad():
        assert work(1, b=3) == (1, 3, isinstance(decorator, torch.enable_grad))
    assert work.__name__ == "work"
    assert work.__doc__ == "What it does."
    assert list(inspect.signature(work).parameters) == ["a", "b"]


def test_decorated_method_and_recursion() -> None:
    class Counter:
        @torch.no_grad()
        def down(self, n: int) -> list[bool]:
            return [records(), *(self.down(n - 1) if n else [])]

    assert Counter().down(3) == [False] * 4


def test_decorated_generator() -> None:
    @torch.no_grad()
    def values() -> Iterator[bool]:
        for _ in range(3):
            yield records()

    for inside in values():
        assert not inside
        assert records()  # the caller's own mode between the values


def test_generator_is_resumed_in_the_mode_of_its_decorator() -> None:
    @torch.no_grad()
    def values() -> Iterator[bool]:
        yield records()
        with torch.enable_grad():
            yield records()
            yield records()
        yield records()

    assert list(values()) == [False, True, False, False]


def test_generator_takes_values_and_errors() -> None:
    @torch.no_grad()
    def echo() -> Any:
        got = None
        while True:
            try:
                got = yield (got, records())
            except KeyError:
                got = "caught"

    talk = echo()
    assert next(talk) == (None, False)
    assert talk.send(5) == (5, False)
    assert talk.throw(KeyError()) == ("caught", False)
    talk.close()


def test_generator_returns() -> None:
    @torch.no_grad()
    def inner() -> Any:
        yield 1
        return "end"

    def outer() -> Any:
        result = yield from inner()
        yield result

    assert list(outer()) == [1, "end"]


def test_decorated_class_warns_or_wraps_its_maker() -> None:
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):

        @torch.no_grad()
        class Made:
            def __init__(self) -> None:
                self.inside = records()

    assert not Made().inside


def test_backward_in_a_block_that_does_not_record() -> None:
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    with torch.no_grad():
        y.backward()
        assert not records()
    assert x.grad.tolist() == [2.0, 2.0]
    assert not x.grad.requires_grad


@pytest.mark.parametrize("create_graph", [False, True])
def test_mode_inside_backward(create_graph: bool) -> None:
    seen: list[bool] = []
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad: seen.append(torch.is_grad_enabled()))
    for block in (torch.enable_grad, torch.no_grad):
        with block():
            torch.autograd.grad(y, x, retain_graph=True, create_graph=create_graph)
    assert seen == [create_graph, create_graph]


def test_hook_cannot_change_the_mode_of_the_caller() -> None:
    x = torch.ones(1, requires_grad=True)
    y = x * 2

    def hook(grad: Any) -> None:
        torch.set_grad_enabled(True)
        raise ValueError("in the hook")

    y.register_hook(hook)
    with torch.no_grad():
        with pytest.raises(ValueError, match="in the hook"):
            y.backward()
        assert not records()


def test_factories_and_leaves_in_a_block() -> None:
    with torch.no_grad():
        x = torch.ones(2, requires_grad=True)
        y = torch.zeros(2).requires_grad_()
        assert x.requires_grad
        assert y.is_leaf
        assert not (x + y).requires_grad
        x.add_(1)
    (x * y).sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]
    assert y.grad.tolist() == [2.0, 2.0]


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError):
        torch.set_grad_enabled()
    with pytest.raises(TypeError):
        torch.set_grad_enabled("yes")


def test_inference_mode_of_another_thread() -> None:
    inside, done = threading.Event(), threading.Event()
    seen: list[bool] = []

    def infer() -> None:
        with torch.inference_mode():
            inside.set()
            assert done.wait(60)
            seen.append(torch.ones(1).is_inference())

    worker = threading.Thread(target=infer)
    worker.start()
    assert inside.wait(60)
    with torch.inference_mode():
        assert torch.ones(1).is_inference()
    x = torch.ones(1)
    assert not x.is_inference()
    assert not (x > x).is_inference()
    done.set()
    worker.join()
    assert seen == [True]
    assert INFERRING.threads == 0
