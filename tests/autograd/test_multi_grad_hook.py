"""register_multi_grad_hook: once a pass, with the gradients that this pass computes."""

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import seegrad
from seegrad.autograd.graph import register_multi_grad_hook


def _leaf(torch: Any, value: float) -> Any:
    return torch.tensor(value, requires_grad=True)


def _numbers(given: Any) -> Any:
    if isinstance(given, list):
        return [_numbers(g) for g in given]
    return None if given is None else given.item()


def _graph(torch: Any) -> dict[str, Any]:
    """z = (2 a) (3 b) of a = 2 and b = 3."""
    a, b = _leaf(torch, 2.0), _leaf(torch, 3.0)
    x, y = a * 2, b * 3
    return {"a": a, "b": b, "x": x, "y": y, "z": x * y, "other": _leaf(torch, 1.0)}


def _seen(torch: Any, names: str, mode: str, act: Callable[[Any, Any], Any]) -> Any:
    tensors, log = _graph(torch), list[Any]()
    torch.autograd.graph.register_multi_grad_hook(
        [tensors[name] for name in names], lambda g: log.append(_numbers(g)), mode=mode
    )
    try:
        act(torch, tensors)
    except RuntimeError as error:
        log.append(str(error))
    return log


PASSES: dict[str, Callable[[Any, Any], Any]] = {
    "backward": lambda torch, t: (t["z"] * 1).backward(),
    "twice": lambda torch, t: [(t["z"] * 1).backward(retain_graph=True) for _ in range(2)],
    "towards a": lambda torch, t: t["z"].backward(inputs=(t["a"],)),
    "towards b": lambda torch, t: t["z"].backward(inputs=t["b"]),
    "towards x": lambda torch, t: t["z"].backward(inputs=t["x"]),
    "towards x, a": lambda torch, t: t["z"].backward(inputs=(t["x"], t["a"])),
    "towards another": lambda torch, t: t["z"].backward(inputs=t["other"]),
    "two roots": lambda torch, t: torch.autograd.backward((t["z"], t["x"])),
    "grad of a": lambda torch, t: torch.autograd.grad(t["z"], t["a"]),
    "grad of x": lambda torch, t: torch.autograd.grad(t["z"], t["x"]),
    "grad of x, y": lambda torch, t: torch.autograd.grad(t["z"], (t["x"], t["y"])),
    "grad of y, a": lambda torch, t: torch.autograd.grad(t["z"], (t["y"], t["a"])),
    "recorded": lambda torch, t: torch.autograd.grad(t["z"], t["y"], create_graph=True),
}


@pytest.mark.oracle
@pytest.mark.parametrize("mode", ["all", "any"])
@pytest.mark.parametrize("names", ["a", "x", "ab", "xy", "ax", "xb", "abxy"])
@pytest.mark.parametrize("act", PASSES)
def test_as_pytorch(act: str, names: str, mode: str) -> None:
    torch = pytest.importorskip("torch")
    assert _seen(seegrad, names, mode, PASSES[act]) == _seen(torch, names, mode, PASSES[act])


def test_gradients_by_hand() -> None:
    tensors, log = _graph(seegrad), list[Any]()
    a, b, z = tensors["a"], tensors["b"], tensors["z"]
    handle = register_multi_grad_hook((a, b), lambda grads: log.append(_numbers(grads)))
    z.backward(retain_graph=True)
    z.backward(inputs=[a], retain_graph=True)
    handle.remove()
    handle.remove()
    z.backward()
    assert log == [[18.0, 12.0], [18.0, None]]


def test_a_root_counts() -> None:
    def root(torch: Any, t: Any) -> None:
        t["z"].backward()

    assert _seen(seegrad, "xyz", "all", root) == [[9.0, 4.0, 1.0]]


@pytest.mark.oracle
@pytest.mark.parametrize("torch_mode", ["first", "whenever", 3])
def test_modes(torch_mode: Any) -> None:
    torch = pytest.importorskip("torch")
    texts = []
    for module in (seegrad, torch):
        with pytest.raises(ValueError) as caught:
            module.autograd.graph.register_multi_grad_hook((), print, mode=torch_mode)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


def test_what_fn_returns_is_ignored() -> None:
    for mode in ("all", "any"):
        a = _leaf(seegrad, 1.0)
        register_multi_grad_hook((a,), lambda g: _leaf(seegrad, 100.0), mode=mode)
        (a * 2).backward()
        assert a.grad.item() == 2.0


def test_undefined_gradients_arrive_too() -> None:
    class FirstOnly(seegrad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return x * 1, y * 1

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return grads[0], None

    a, b, log = _leaf(seegrad, 1.0), _leaf(seegrad, 1.0), list[Any]()
    register_multi_grad_hook((a, b), lambda grads: log.append(_numbers(grads)))
    p, q = FirstOnly.apply(a, b)
    (p + q).backward()
    assert log == [[1.0, None]]


def test_a_pass_that_fails_leaves_nothing_behind() -> None:
    a, b, log, fails = _leaf(seegrad, 1.0), _leaf(seegrad, 1.0), list[Any](), [True]

    def fail(grad: Any) -> None:
        if fails[0]:
            raise ZeroDivisionError

    x = a * 2
    x.register_hook(fail)
    register_multi_grad_hook((a, b), lambda grads: log.append(_numbers(grads)))
    z = x * b
    with pytest.raises(ZeroDivisionError):
        z.backward(retain_graph=True)
    fails[0] = False
    z.backward()
    assert log == [[2.0, 2.0]]


def test_a_pass_inside_of_a_pass() -> None:
    a, b, log = _leaf(seegrad, 1.0), _leaf(seegrad, 1.0), list[Any]()

    def inner(grad: Any) -> None:
        with seegrad.enable_grad():
            (a * 7).backward()

    x = a * 2
    x.register_hook(inner)
    register_multi_grad_hook((a, b), lambda grads: log.append(_numbers(grads)))
    (x * b).backward()
    assert log == [[7.0, None], [2.0, 2.0]]


def test_removal_inside() -> None:
    a, log = _leaf(seegrad, 1.0), list[Any]()

    def fn(grads: Any) -> None:
        log.append(_numbers(grads))
        handle.remove()

    handle = register_multi_grad_hook((a,), fn)
    (a * 2).backward()
    (a * 3).backward()
    assert log == [[2.0]]


def test_threads_do_not_mix() -> None:
    a, b, log = _leaf(seegrad, 1.0), _leaf(seegrad, 1.0), list[Any]()
    register_multi_grad_hook((a, b), lambda grads: log.append(_numbers(grads)))
    start = threading.Barrier(4)

    def work(factor: float) -> None:
        start.wait()
        for _ in range(20):
            (a * factor + b * factor).backward()

    threads = [threading.Thread(target=work, args=(float(k),)) for k in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(log) == sorted([[float(k)] * 2 for k in range(1, 5)] * 20)


def test_no_cycle_keeps_the_tensors() -> None:
    gc.disable()
    try:
        a, b = _leaf(seegrad, 1.0), _leaf(seegrad, 1.0)
        x = a * 2
        register_multi_grad_hook((a, b, x), lambda grads: None)
        (x * b).backward()
        references = [weakref.ref(t) for t in (a, b, x)]
        del a, b, x
        assert [reference() for reference in references] == [None] * 3
    finally:
        gc.enable()
