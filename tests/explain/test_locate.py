"""locate names the part of a function that is random, bends, or has the wrong derivative."""

import inspect
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain
from seegrad.autograd import Function


class Right(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return grad * x.cos()


class Wrong(Right):
    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return grad * x.sin()


def point() -> Any:
    """Nothing special."""
    return torch.tensor([[0.3, 1.1], [0.7, -0.4]], dtype=torch.float64, requires_grad=True)


def cut_part(x: Any) -> Any:
    y = x.exp()
    return y * x.detach()


def noisy_part(x: Any) -> Any:
    y = x * 2
    return torch.nn.functional.dropout(y, 0.5)


def kinked_part(x: Any) -> Any:
    y = x - 1.1
    return (3 * y).relu().sum()


def wrong_function(x: Any) -> Any:
    return Right.apply(Wrong.apply(Right.apply(x))).sum()


def hooked(x: Any) -> Any:
    y = x * 2
    y.register_hook(lambda grad: grad * 3)
    return y.sin()


def numbered(x: Any) -> Any:
    scale = x.abs().max().item()
    return x.sin() / scale


def endless(x: Any) -> Any:
    y = x - 5
    return y.log()


FOUND = [
    (numbered, "gradcheck-wrong-part", numbered, 1),
    (endless, "nan-forward", endless, 2),
    (cut_part, "gradcheck-wrong-part", cut_part, 2),
    (noisy_part, "gradcheck-noise", noisy_part, 2),
    (kinked_part, "gradcheck-kink", kinked_part, 2),
    (wrong_function, "gradcheck-wrong-part", Wrong.backward, 3),
    (hooked, "gradcheck-wrong-part", hooked, 2),
]


@pytest.mark.parametrize("function, kind, where, line", FOUND, ids=[f[0].__name__ for f in FOUND])
def test_part(function: Any, kind: str, where: Any, line: int) -> None:
    (finding,) = explain.locate(function, point())
    assert finding.kind == kind
    assert finding.place.line == inspect.getsourcelines(where)[1] + line


def looked_at(x: Any) -> Any:
    x.register_hook(lambda grad: None)
    assert x.sum().item() < 100
    return x.sin()


def test_numbers_and_hooks_that_change_nothing_are_none() -> None:
    assert not explain.locate(looked_at, point())


def everything(x: Any) -> Any:
    y = torch.softmax(x @ x.t(), dim=1) + x.max() * (x > 0)
    return torch.cat([y, Right.apply(x)]).logsumexp(0)


def test_a_right_function_has_no_wrong_part() -> None:
    assert not explain.locate(everything, point())


def test_nothing_is_left_behind() -> None:
    x = point()
    before = x.tolist()
    state = torch.get_rng_state().tolist()
    explain.locate(noisy_part, x)
    assert (x.tolist(), x.grad, torch.get_rng_state().tolist()) == (before, None, state)


def test_an_input_has_to_require_a_gradient() -> None:
    with pytest.raises(ValueError, match="requires a gradient"):
        explain.locate(everything, torch.ones(2))


def test_only_functions_have_parts() -> None:
    with pytest.raises(TypeError, match="locate needs a function, not 5"):
        explain.locate(5, point())
