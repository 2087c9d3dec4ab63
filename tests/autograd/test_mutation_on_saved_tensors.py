"""allow_mutation_on_saved_tensors: backward with the values of before, and only inside."""

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import seegrad
from seegrad.autograd.graph import allow_mutation_on_saved_tensors

OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the "
    "graph was originally recorded."
)


def _said(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except (AssertionError, RuntimeError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def _leaf_of_three() -> Any:
    torch: Any = seegrad
    return torch.tensor([3.0], requires_grad=True)


def _in_place(torch: Any, a: Any, b: Any) -> Any:
    out = b.sin()
    b.sin_().mul_(b)
    return out + b


def _view(torch: Any, a: Any, b: Any) -> Any:
    out = b * b
    b[:1].mul_(3)
    return out


def _base(torch: Any, a: Any, b: Any) -> Any:
    out = b * b
    b[0] = 7
    return out


def _result(torch: Any, a: Any, b: Any) -> Any:
    return b.exp().mul_(b)


def _leaf(torch: Any, a: Any, b: Any) -> Any:
    out = a * a
    with torch.no_grad():
        a.mul_(5)
    return out


def _detached(torch: Any, a: Any, b: Any) -> Any:
    factor = torch.ones(2)
    out = a * factor
    factor.detach().add_(1)
    factor.data.add_(1)
    return out


def _out(torch: Any, a: Any, b: Any) -> Any:
    factor = torch.ones(2)
    out = a * factor
    torch.add(factor, 1, out=factor)
    return out


def _custom(torch: Any, a: Any, b: Any) -> Any:
    class Square(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return 2 * grad * ctx.saved_tensors[0]

    out = Square.apply(b)
    b.add_(1)
    return out


def _second(torch: Any, a: Any, b: Any) -> Any:
    out = b**3
    (grad,) = torch.autograd.grad(out.sum(), b, create_graph=True)
    b.zero_()
    return grad


def _unchanged(torch: Any, a: Any, b: Any) -> Any:
    return (b * b).exp()


PROGRAMS = [
    _in_place, _view, _base, _result, _leaf, _detached, _out, _custom, _second, _unchanged,
]  # fmt: skip


def _gradient(torch: Any, program: Callable[..., Any]) -> Any:
    a = torch.tensor([0.5, 1.5], requires_grad=True)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        program(torch, a, a.clone()).sum().backward()
    return a.grad.tolist()


@pytest.mark.oracle
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_pytorch(program: Callable[..., Any]) -> None:
    torch = pytest.importorskip("torch")
    assert _gradient(seegrad, program) == pytest.approx(_gradient(torch, program), rel=1e-5)


def _refusals(torch: Any) -> list[Any]:
    graph = torch.autograd.graph
    allow = graph.allow_mutation_on_saved_tensors
    a, log = torch.tensor([2.0], requires_grad=True), list[Any]()

    def enter() -> None:
        with allow():
            pass

    with allow():
        y = a * a
        log.append((y.grad_fn._saved_self.tolist(), y.grad_fn._saved_self is a))
    log.append(_said(lambda: y.grad_fn._saved_self))
    log.append(_said(y.backward))
    with allow() as context:
        log.append(_said(y.backward))
        z = a * a
        context.clear()
        log.append(_said(z.backward))
        log += [type(context).__name__, type(context).__module__]
    with graph.disable_saved_tensors_hooks("not here"):
        log.append(_said(enter))
    with allow():
        log.append(_said(enter))
    log += [_said(lambda: allow(1)), _said((a * a).backward), a.grad.tolist()]
    return log


@pytest.mark.oracle
def test_refusals_as_pytorch() -> None:
    torch = pytest.importorskip("torch")
    assert _refusals(seegrad) == _refusals(torch)


def test_texts() -> None:
    log = _refusals(seegrad)
    assert log[1:5] == [f"AssertionError: {OUTSIDE}"] * 4
    assert log[7:9] == [
        "RuntimeError: not here",
        "RuntimeError: allow_mutation_on_saved_tensors contexts cannot be nested",
    ]


def test_a_view_keeps_its_own_part() -> None:
    """By hand: PyTorch overlooks these writes, because the views begin elsewhere than the base."""
    a = _leaf_of_three()
    with allow_mutation_on_saved_tensors():
        b = a.expand(2).clone()
        view = b[1:]
        out = view * view
        b.mul_(3)
        out.backward()
    assert a.grad.tolist() == [6.0]
    with allow_mutation_on_saved_tensors():
        b = a.expand(2).clone()
        out = b * b
        b[1:].mul_(3)
        out.sum().backward()
    assert a.grad.tolist() == [6.0 + 12.0]


def test_a_refused_nesting_harms_nothing() -> None:
    a = _leaf_of_three()
    with allow_mutation_on_saved_tensors():
        b = a.clone()
        out = b * b
        with pytest.raises(RuntimeError, match="nested"), allow_mutation_on_saved_tensors():
            pass
        b.zero_()
        out.backward()
    assert a.grad.tolist() == [6.0]


def test_off_again_after_an_error() -> None:
    a = _leaf_of_three()
    with pytest.raises(KeyError), allow_mutation_on_saved_tensors():
        raise KeyError
    b = a.clone()
    out = b * b
    b.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.backward()


def test_other_threads_are_others() -> None:
    a, log = _leaf_of_three(), list[Any]()

    def work() -> None:
        log.append((a * a).grad_fn._saved_self is a)
        with allow_mutation_on_saved_tensors():
            log.append((a * a).grad_fn._saved_self is a)

    with allow_mutation_on_saved_tensors():
        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
    assert log == [True, False]


def test_copies_die_with_their_nodes() -> None:
    a = _leaf_of_three()
    gc.disable()
    try:
        with allow_mutation_on_saved_tensors() as context:
            out = a * a
            copies = [weakref.ref(copy) for copy in context.copies.values()]
            out.backward()
            assert len(copies) == 1
            assert [copy() for copy in copies] == [None]
    finally:
        gc.enable()
