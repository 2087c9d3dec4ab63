"""check_function names the planted fault of a Function and its line; none in a right one."""

import inspect
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad import explain
from seegrad.autograd import Function
from seegrad.autograd.function import once_differentiable


def drawn(*shape: int) -> Any:
    """Values of a seed, float64, with a gradient."""
    values = np.random.default_rng(len(shape)).uniform(0.2, 1.5, shape)
    return torch.tensor(values, requires_grad=True)


def function(forward: Any, backward: Any, **attributes: Any) -> Any:
    """A Function of these two methods."""
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Planted", (Function,), methods | attributes)


def kinds(report: Any) -> list[str]:
    return [finding.kind for finding in report]


def line_of(report: Any) -> str:
    """The text of the line that the first finding names."""
    return next(iter(report)).place.text


class Cube(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * grad * x * x


class Linear(Function):
    @staticmethod
    def forward(ctx: Any, x: Any, weight: Any, bias: Any) -> Any:
        ctx.save_for_backward(x, weight)
        return x @ weight.t() + bias

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        x, weight = ctx.saved_tensors
        return grad @ weight, grad.t() @ x, grad.sum(0)


class WrongAxis(Linear):
    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        x, weight = ctx.saved_tensors
        grad_bias = grad.sum(1)
        return grad @ weight, grad.t() @ x, grad_bias


class Swapped(Function):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return a * b.exp()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        a, b = ctx.saved_tensors
        return grad * a * b.exp(), grad * b.exp()


class OneSided(Function):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        _, b = ctx.saved_tensors
        return grad * b, None


class Ignores(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return (x**2).sum()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x


class Half(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return 2 * grad.half()


class WritesInput(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2)
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2


class WritesGradient(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        grad.mul_(2)
        return grad


class SinhBad(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        up, down = ctx.saved_tensors
        return grad * (up + down) / 2


class OnCtx(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.slope = x.cos()
        return x.sin()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * ctx.slope


class Leaves(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return grad * torch.tensor(np.cos(x.detach().numpy()))


class Once(Leaves):
    backward = staticmethod(once_differentiable(Leaves.backward))


class Redraws(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * (torch.rand(x.shape) > 0.5)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * (torch.rand(grad.shape) > 0.5)


class OnClass(Function):
    slope: Any = None

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        OnClass.slope = 2 * x
        return x**2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * OnClass.slope


class Keeps(Function):
    seen: Any = []

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        Keeps.seen.append(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2


class NotReturned(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x.mul_(2))
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2


FAULTS = [
    (WrongAxis, (drawn(3, 2), drawn(3, 2), drawn(3)), "function-summed-axis", "grad_bias ="),
    (Swapped, (drawn(3), drawn(3)), "function-order", "return grad * a * b.exp(), grad"),
    (OneSided, (drawn(3), drawn(3)), "function-missing-gradient", "return grad * b, None"),
    (Ignores, (drawn(3),), "function-grad-ignored", "return 2 * x"),
    (Half, (drawn(3),), "function-dtype", "return 2 * grad.half()"),
    (WritesInput, (drawn(3),), "function-changed-input", "x.mul_(2)"),
    (WritesGradient, (drawn(3),), "function-grad-changed", "grad.mul_(2)"),
    (SinhBad, (drawn(3),), "function-saved-intermediate", "ctx.save_for_backward(up, down)"),
    (OnCtx, (drawn(3),), "function-kept-on-ctx", "ctx.slope = x.cos()"),
    (Leaves, (drawn(3),), "function-left-graph", "return grad * torch.tensor(np.cos("),
    (Redraws, (drawn(9),), "function-global-state", "return grad * (torch.rand(grad.shape)"),
    (OnClass, (drawn(3),), "state-on-class", "OnClass.slope = 2 * x"),
    (Keeps, (drawn(3),), "function-holds-memory", "Keeps.seen.append(x)"),
    (NotReturned, (drawn(3),), "function-dirty-not-returned", "return x.clone()"),
]


@pytest.mark.parametrize("planted, inputs, kind, line", FAULTS, ids=[f[2] for f in FAULTS])
def test_fault(planted: Any, inputs: Any, kind: str, line: str) -> None:
    report = explain.check_function(planted, *inputs)
    assert kinds(report)[0] == kind
    assert line_of(report).startswith(line)


RETURNED = [
    ("function-count", lambda ctx, g: g),
    ("function-needless-gradient", lambda ctx, g: (g * 2, g)),
    ("function-shape", lambda ctx, g: (torch.ones(7), None)),
    ("function-left-graph", lambda ctx, g: (2.0, None)),
]


@pytest.mark.parametrize("kind, backward", RETURNED, ids=[r[0] for r in RETURNED])
def test_what_pytorch_refuses(kind: str, backward: Any) -> None:
    planted = function(lambda ctx, x, k: x * k, backward)
    report = explain.check_function(planted, drawn(3), 2.0)
    assert kinds(report)[0] == kind
    assert next(iter(report)).place.line == backward.__code__.co_firstlineno


RIGHT = [
    (Cube, (drawn(3, 2),)),
    (Linear, (drawn(3, 3), drawn(3, 3), drawn(3))),
    (Once, (drawn(3),)),
    (function(lambda ctx, x: x.round(), lambda ctx, g: g), (drawn(5),)),
    (function(lambda ctx, x: x.view_as(x), lambda ctx, g: -0.5 * g), (drawn(5),)),
    (function(lambda ctx, x: x.clamp(0.5, 1), lambda ctx, g: g), (drawn(9),)),
    (function(lambda ctx, x: x * 3, lambda ctx, g: 3 * g.clamp(-0.1, 0.1)), (drawn(4),)),
]


@pytest.mark.parametrize("right, inputs", RIGHT)
def test_right_or_meant(right: Any, inputs: Any) -> None:
    assert kinds(explain.check_function(right, *inputs)) == []


def test_worst_element_is_a_formula() -> None:
    planted = function(lambda ctx, x: x * 2, lambda ctx, g: 3 * g)
    (finding,) = explain.check_function(planted, drawn(1))
    assert "1.5 times what it should be" in finding.says


def test_what_is_expected_is_no_fault() -> None:
    planted = function(lambda ctx, x: x.exp(), lambda ctx, g: g)
    assert kinds(explain.check_function(planted, drawn(3))) == ["function-first-derivative"]
    assert kinds(explain.check_function(planted, drawn(3), expect="surrogate")) == []


def test_the_caller_finds_everything_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    x = drawn(3)
    before = x.tolist()
    Keeps.seen[:] = [1]
    state = torch.get_rng_state().tolist()
    noisy = function(lambda ctx, x: (print("forward"), x * torch.rand(3))[1], lambda ctx, g: g)
    for planted in (Keeps, OnClass, WritesInput, noisy):
        explain.check_function(planted, x)
    assert (x.tolist(), x.grad, Keeps.seen, OnClass.slope) == (before, None, [1], None)
    assert torch.get_rng_state().tolist() == state
    assert capsys.readouterr().out == ""
    Keeps.seen.clear()


def test_bad_input_is_refused() -> None:
    with pytest.raises(TypeError, match="checks subclasses of"):
        explain.check_function(torch.sin, drawn(3))
    with pytest.raises(TypeError, match="no floating tensor"):
        explain.check_function(Cube, 3)
    with pytest.raises(ValueError, match="expect is None or"):
        explain.check_function(Cube, drawn(3), expect="right")


def test_errors_say_where_backward_is_defined() -> None:
    planted = function(lambda ctx, x, k: x * k, lambda ctx, g: g)
    with pytest.raises(RuntimeError, match="incorrect number of gradients") as caught:
        planted.apply(drawn(3), 2.0).sum().backward()
    line = inspect.getsourcelines(test_errors_say_where_backward_is_defined)[1] + 1
    (note,) = caught.value.__notes__
    assert note == (
        f'It was returned by Planted.<lambda>, defined in File "{__file__}", line {line}.'
    )
