"""`explain.first_bad`: the operator, line, element, values and local derivative of a birth."""

import inspect
import math
import re
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain
from seegrad.graph.observed import OBSERVERS


def line() -> int:
    """The line of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def leaf(*values: float) -> Any:
    return torch.tensor(values, requires_grad=True)


def test_raises_where_a_gradient_is_bad_and_names_the_line_of_the_birth() -> None:
    x = leaf(4.0, 0.0)
    with pytest.raises(explain.FirstBadError) as caught, explain.first_bad():
        root, here = torch.sqrt(x), line()
        torch.where(x > 0, root, 0.0).sum().backward()
    finding = caught.value.finding
    assert (finding.kind, finding.place.line) == ("nan-backward", here)
    assert "element [1]" in finding.evidence[0]
    assert any("the zero comes from where" in one for one in finding.evidence)
    assert any("double where" in one for one in finding.evidence)
    assert not OBSERVERS


def test_bad_loss_raises_at_backward() -> None:
    p = leaf(0.5, 0.0)
    with pytest.raises(explain.FirstBadError, match=r"the logarithm of 0 is -inf"):
        with explain.first_bad():
            loss = torch.log(p).sum()
            loss.backward()


def test_reports_without_raising_and_the_program_goes_on() -> None:
    x = leaf(0.0)
    with explain.first_bad(raises=False) as found:
        torch.sqrt(x).sum().backward()
    assert x.grad.tolist() == [math.inf]
    assert found.finding is not None
    assert found.finding.kind == "inf-backward"
    assert str(found) == str(found.finding)
    assert len(found.report()) == 1


@pytest.mark.parametrize(
    ("function", "at", "slope"),
    [
        (torch.sqrt, 0.0, "inf"),
        (torch.acos, 1.0, "-inf"),
        (torch.asin, -1.0, "inf"),
        (torch.reciprocal, 0.0, "-inf"),
        (torch.log, 0.0, "inf"),
        (torch.atanh, 1.0, "inf"),
        (lambda x: x**0.5, 0.0, "inf"),
    ],
)
def test_local_derivative_is_the_limit_of_difference_quotients(
    function: Any, at: float, slope: str
) -> None:
    step = -1e-12 if at == 1.0 else 1e-12
    point = torch.tensor(at, dtype=torch.float64)
    quotient = (function(point + 2 * step) - function(point + step)) / step
    assert abs(quotient.item()) > 1e4
    assert (quotient.item() < 0) == slope.startswith("-")
    x = leaf(0.25, at)
    with explain.first_bad(raises=False) as found:
        y = function(x)
        torch.where(y.isfinite() & (x == 0.25), y, 0.0).sum().backward()
    assert found.finding is not None
    assert re.search(rf"the slope of \w+ is {slope}\b", found.finding.says)


def test_bad_values_that_are_masked_are_none() -> None:
    scores = torch.zeros(3, 3, requires_grad=True)
    with explain.first_bad() as found:
        mask = torch.full((3, 3), -math.inf).triu(1)
        torch.softmax(scores + mask, -1).square().sum().backward()
        torch.tensor([0.0, 1.0]).log().clamp(min=-100)
        torch.nan_to_num(torch.tensor([0.0]) / 0)
    assert found.finding is None
    assert str(found) == "every value is finite, or masked"


def test_without_a_backward_pass_it_tells_at_the_end() -> None:
    with pytest.raises(explain.FirstBadError, match="division by zero"), explain.first_bad():
        ratio = torch.tensor([0.0, 1.0]) / torch.tensor([0.0, 2.0])
        ratio.sum()


def test_error_that_ends_the_block_gets_a_note() -> None:
    p = torch.tensor([0.5, math.nan])
    with pytest.raises(RuntimeError, match="between 0 and 1") as caught, explain.first_bad():
        torch.nn.functional.binary_cross_entropy(p * 1, torch.ones(2))
    assert any("nan" in note for note in caught.value.__notes__)


def test_custom_function_runs_once_and_is_told_of() -> None:
    calls = []

    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            calls.append(1)
            return grad / 0

    x = leaf(1.0)
    with explain.first_bad(raises=False) as found:
        y, here = Broken.apply(x), line()
        y.sum().backward()
    assert calls == [1]
    assert found.finding is not None
    assert found.finding.place.line in (here, here - 8)


def test_hooks_run_once() -> None:
    calls = []
    x = leaf(0.0)
    with explain.first_bad(raises=False) as found:
        y = torch.sqrt(x)
        y.register_hook(lambda grad: calls.append(1))
        y.sum().backward()
    assert (len(calls), found.finding is None) == (1, False)


def test_gradients_are_what_they_are_without() -> None:
    def gradients() -> list[Any]:
        torch.manual_seed(0)
        net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
        net(torch.randn(5, 3)).square().mean().backward()
        return [p.grad.tolist() for p in net.parameters()]

    with explain.first_bad():
        found = gradients()
    assert found == gradients()


def test_in_a_watch_it_uses_its_record() -> None:
    with explain.watch() as watched, explain.first_bad() as found:
        torch.ones(1, requires_grad=True).sum().backward()
    assert found.record is watched.record
    assert len(watched.record.passes) == 1


def test_argument_is_a_bool() -> None:
    with pytest.raises(TypeError, match="raises is True or False, not str"):
        explain.first_bad("report")  # type: ignore[arg-type]


def test_entered_in_a_pass_it_looks_at_later_ones() -> None:
    x = leaf(4.0)
    found = explain.first_bad(raises=False)
    y = x * 2
    y.register_hook(lambda grad: found.__enter__() and None)
    y.sum().backward()
    (x * 0).log().sum().backward()
    found.__exit__(None, None, None)
    assert found.finding is not None
    assert "the logarithm of 0 is -inf" in found.finding.says
