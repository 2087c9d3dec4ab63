"""Hooks on saved tensors: what they see and when, what they give back, what is refused."""

import gc
import re
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import seegrad

Log = list[Any]


def recording_hooks(torch: Any, log: Log) -> Any:
    """Hooks that pass the tensor on and write down what they saw."""

    def pack(tensor: Any) -> Any:
        node = type(tensor.grad_fn).__name__
        log.append(("pack", tensor.tolist(), tensor.requires_grad, node, torch.is_grad_enabled()))
        return tensor

    def unpack(packed: Any) -> Any:
        log.append(("unpack", packed.tolist(), torch.is_grad_enabled()))
        return packed

    return torch.autograd.graph.saved_tensors_hooks(pack, unpack)


def leaf(torch: Any, *values: float) -> Any:
    return torch.tensor(values, requires_grad=True)


def say(log: Log, function: Callable[[], Any]) -> None:
    """Writes down a value, or class and text of an error."""
    try:
        result = function()
        log.append(result.tolist() if hasattr(result, "tolist") else result)
    except Exception as error:
        text = re.sub(r"0x[0-9a-f]+", "0x", str(error))
        log.append(f"{type(error).__name__}: {text}")


def packing(torch: Any, log: Log) -> None:
    a, b = leaf(torch, 2.0), leaf(torch, 3.0)
    with recording_hooks(torch, log):
        product = a * b
        quotient = product / a
        quotient.exp()
        a * torch.tensor([3.0])
        torch.max(b, 0)
        torch.where(a > 0, a, b)
        product * 2.0
        a + b
        torch.cat([a, b])
    log.append("backward")
    quotient.backward(retain_graph=True)
    (grad,) = torch.autograd.grad(quotient, b, create_graph=True)
    log.append((grad.tolist(), a.grad.tolist(), b.grad.tolist()))


def writing(torch: Any, log: Log) -> None:
    a = leaf(torch, 0.5, 1.5)
    with recording_hooks(torch, log):
        b = a.clone()
        b.mul_(a)
        b.exp_()
        b.sin_()
        c = a.clone()
        view = c[1:]
        view.exp_()
        view *= view
        d = c[:1]
        d.copy_(view * view)
    log.append("backward")
    (b.sum() + c.sum()).backward()
    log.append(a.grad.tolist())


def views(torch: Any, log: Log) -> None:
    base = leaf(torch, 1.0, 2.0, 3.0).clone()
    with recording_hooks(torch, log):
        view = base[1:]
        square = view * view
    saved = square.grad_fn._saved_self
    log += [type(saved.grad_fn).__name__, saved._is_view(), saved.tolist()]


def custom(torch: Any, log: Log) -> None:
    class Product(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            out = a * b
            ctx.save_for_backward(a, out, None, b)
            return out

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            a, out, nothing, b = ctx.saved_tensors
            log.append((a.tolist(), type(out.grad_fn).__name__, nothing, b.tolist()))
            return grad * b, grad * a

    a = leaf(torch, 2.0)
    with recording_hooks(torch, log):
        out = Product.apply(a, a * 2)
    out.backward(retain_graph=True)
    (grad,) = torch.autograd.grad(out, a, create_graph=True)
    grad.backward()
    log += [a.grad.tolist(), len(out.grad_fn.saved_tensors), len(out.grad_fn._raw_saved_tensors)]
    plain = Product.apply(a, a)
    raw = plain.grad_fn._raw_saved_tensors
    say(log, lambda: raw[2].register_hooks(lambda t: t, lambda t: t))
    say(log, lambda: raw[0].register_hooks(lambda t: t * 3, lambda t: t))
    plain.backward()
    log.append(a.grad.tolist())


def modes(torch: Any, log: Log) -> None:
    a = leaf(torch, 2.0)

    @torch.enable_grad()  # type: ignore[untyped-decorator]
    def square() -> Any:
        return a * a

    with recording_hooks(torch, log):
        with torch.no_grad():
            log.append((a * a).requires_grad)
            square()
        a * a
        with torch.set_grad_enabled(False):
            log.append(torch.is_grad_enabled())
            with torch.enable_grad():
                a * a
    a * a
    with torch.no_grad(), recording_hooks(torch, log):
        log.append((a * a).requires_grad)
    a * a
    log.append("backward")
    with recording_hooks(torch, log):
        (grad,) = torch.autograd.grad(a * a, a, create_graph=True)
    grad.backward()
    log.append(a.grad.tolist())


def unpacking(torch: Any, log: Log) -> None:
    """What comes back has the history of what was saved, whatever the hook returned."""
    a = leaf(torch, 2.0)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
        y = (a * 1.0).exp() * a
    saved = y.grad_fn._saved_self
    log += [type(saved.grad_fn).__name__, saved.requires_grad]
    other = y.grad_fn._saved_other
    log += [other is a, other.is_leaf, other.requires_grad]
    (grad,) = torch.autograd.grad(y, a, create_graph=True)
    (second,) = torch.autograd.grad(grad, a, create_graph=True)
    second.backward()
    log += [grad.tolist(), second.tolist(), a.grad.tolist()]
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        b = a.clone()
        z = b * b
    b.add_(1)
    say(log, lambda: z.backward())
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t * 10):
        y = a * a
    log += [y.grad_fn._saved_self.grad_fn, y.grad_fn._saved_self.tolist()]


def nesting(torch: Any, log: Log) -> None:
    hooks = torch.autograd.graph.saved_tensors_hooks
    a = leaf(torch, 2.0)
    with hooks(lambda t: t * 2, lambda t: t), hooks(lambda t: t + 1, lambda t: t):
        y = a * a
    with hooks(lambda t: t * 2, lambda t: t):
        with hooks(lambda t: t + 1, lambda t: t):
            pass
        z = a * a
    log += [y.grad_fn._saved_self.tolist(), z.grad_fn._saved_self.tolist()]


def refusals(torch: Any, log: Log) -> None:
    graph = torch.autograd.graph
    hooks = graph.saved_tensors_hooks
    a = leaf(torch, 2.0)

    def under(pack: Any, unpack: Any = lambda t: t, operand: Any = a) -> Any:
        with hooks(pack, unpack):
            return operand * operand

    def disabled() -> Any:
        with graph.disable_saved_tensors_hooks("outer"):
            with graph.disable_saved_tensors_hooks("inner"):
                say(log, lambda: under(lambda t: t))
            y = a * a
            y.grad_fn._raw_saved_self.register_hooks(lambda t: t * 2, lambda t: t)
            log.append(y.grad_fn._saved_self.tolist())
            return under(lambda t: t)

    def disabling_late() -> None:
        with hooks(lambda t: t, lambda t: t), graph.disable_saved_tensors_hooks("too late"):
            pass

    say(log, lambda: under(lambda t: 1).backward())
    say(log, lambda: under(lambda t: 1 / 0))
    say(log, lambda: under(lambda t: t.mul_(2), operand=a.clone()))
    say(log, lambda: under(1, 2))
    say(log, disabled)
    say(log, disabling_late)
    say(log, lambda: under(lambda t: t))


def registering(torch: Any, log: Log) -> None:
    a = leaf(torch, 2.0)
    say(log, lambda: (a**2).grad_fn._raw_saved_self.register_hooks(lambda t: 1 / 0, lambda t: t))
    y = a * a

    def register(saved: str, *hooks: Any) -> None:
        say(log, lambda: getattr(y.grad_fn, saved).register_hooks(*hooks))

    register("_raw_saved_self", 1, 2)
    register("_raw_saved_self", 1)
    register("_raw_saved_self", lambda t: t + 1, lambda t: t)
    register("_raw_saved_self", lambda t: t + 1, lambda t: t)
    log.append(y.grad_fn._raw_saved_self.data.tolist())
    y.backward()
    log.append(a.grad.tolist())
    register("_raw_saved_self", lambda t: t, lambda t: t)
    y = a * torch.tensor([3.0])
    register("_raw_saved_self", lambda t: t, lambda t: t)
    y = a.exp()
    register("_raw_saved_result", lambda t: t * 0, lambda t: t)
    y.mul_(2)
    y.backward()
    log.append(a.grad.tolist())


PROGRAMS = [
    packing, writing, views, custom, modes, unpacking, nesting, refusals, registering,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_pytorch(program: Callable[[Any, Log], None]) -> None:
    torch = pytest.importorskip("torch")
    theirs: Log = []
    ours: Log = []
    program(torch, theirs)
    program(seegrad, ours)
    assert same(ours, theirs), (ours, theirs)


def same(a: Any, b: Any) -> bool:
    """Equality, of numbers to six digits."""
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-5 * max(abs(a), abs(b), 1)
    if isinstance(a, (list, tuple)):
        pairs = zip(a, b, strict=False)
        return type(a) is type(b) and len(a) == len(b) and all(same(x, y) for x, y in pairs)
    return bool(a == b)


def test_texts() -> None:
    log: Log = []
    refusals(seegrad, log)
    assert log[:4] == [
        "TypeError: Output of saved tensor unpack_hook expected to be a Tensor but got result of "
        "type int",
        "ZeroDivisionError: division by zero",
        "RuntimeError: A saved tensor pack hook is modifying its input in place. Tensors provided "
        "as input to pack hook cannot be modified by in-place operations as this can lead to "
        "unexpected side-effects. Please open an issue if you need to perform in-place operations "
        "on the input to a pack hook.",
        "TypeError: _push_saved_tensors_default_hooks(): incompatible function arguments. The "
        "following argument types are supported:\n    1. (arg0: collections.abc.Callable, arg1: "
        "collections.abc.Callable) -> None\n\nInvoked with: 1, 2",
    ]
    assert log[4:] == [
        "RuntimeError: inner", [4.0], "RuntimeError: outer", "RuntimeError: too late", [4.0],
    ]  # fmt: skip


def test_leaf_is_packed_itself() -> None:
    x = leaf(seegrad, 2.0)
    seen: list[Any] = []
    with seegrad.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t), lambda t: x):
        y = x * x
    assert seen[0] is x
    assert y.grad_fn._saved_self is not x


def test_careful_nodes() -> None:
    """Complex numbers, half precision, and a Python number beside a packed tensor."""
    log: Log = []
    z = seegrad.tensor([1.0 + 2.0j], requires_grad=True)
    h = seegrad.tensor([2.0], dtype=seegrad.float16, requires_grad=True)
    with recording_hooks(seegrad, log):
        total = (z * z).abs().sum() + h.sigmoid().pow(2).sum()
    assert len(log) >= 4
    total.backward()
    assert z.grad.tolist() == pytest.approx((2 * z.detach()).tolist())  # of abs(z) ** 2
    s = h.detach().float().sigmoid()
    assert h.grad.item() == pytest.approx((2 * s * s * (1 - s)).item(), rel=2e-3)


def test_save_on_cpu() -> None:
    x = leaf(seegrad, 1.0, 1.0)
    with seegrad.autograd.graph.save_on_cpu(pin_memory=True):
        y = (x * x).exp()
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx([2 * 2.718281828] * 2)


def test_hooks_belong_to_a_thread() -> None:
    x = leaf(seegrad, 2.0)
    log: Log = []
    with recording_hooks(seegrad, log):
        worker = threading.Thread(target=lambda: x * x)
        worker.start()
        worker.join()
    assert log == []


def test_hooks_go_along_into_deep_backward() -> None:
    """A backward inside of thirty others runs in a new thread, with the hooks of the first."""
    log: Log = []

    class Deep(seegrad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, depth: int) -> Any:
            ctx.depth = depth
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            with seegrad.enable_grad():
                x = seegrad.ones(1, requires_grad=True)
                if ctx.depth:
                    Deep.apply(x, ctx.depth - 1).backward()
                else:
                    x * x
            return grad, None

    with recording_hooks(seegrad, log):
        Deep.apply(leaf(seegrad, 1.0), 35).backward()
    assert [entry[0] for entry in log] == ["pack", "pack"]


def test_after_backward_nothing_holds_what_was_packed() -> None:
    x = leaf(seegrad, 2.0)
    held: list[Any] = []

    def pack(tensor: Any) -> Any:
        copy = tensor.clone()
        held.append(weakref.ref(copy))
        return copy

    gc.disable()
    try:
        with seegrad.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            y = (x * x).exp()
        y.backward()
        assert len(held) == 3
        assert all(reference() is None for reference in held)
    finally:
        gc.enable()


def test_off_again_after_an_error() -> None:
    x = leaf(seegrad, 2.0)
    with (
        pytest.raises(KeyError),
        seegrad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t),
    ):
        raise KeyError
    assert (x * x).grad_fn._saved_self is x
