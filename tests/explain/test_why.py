"""`explain.why`: planted causes, named with their line under watch, and without it."""

import inspect
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain
from seegrad.explain.report import Report


def line() -> int:
    """The line of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def told(report: Report) -> tuple[str, int | None]:
    """The kind and the line of the only finding."""
    (finding,) = report
    return finding.kind, None if finding.place is None else finding.place.line


def test_a_gradient_that_is_there() -> None:
    w = torch.tensor([2.0], requires_grad=True)
    (w * 3).sum().backward()
    report = explain.why(w)
    assert not report
    assert str(report) == "the gradient of w is there, the largest value 3"


def test_not_a_leaf_is_told_without_watch() -> None:
    w = torch.ones(2, requires_grad=True)
    h = w * 3
    h.sum().backward()
    (finding,) = explain.why(h)
    assert finding.kind == "not-a-leaf"
    assert finding.says.startswith("h is the result of MulBackward0, not a leaf")


@pytest.mark.parametrize(
    ("cut", "kind"),
    [
        (lambda x: x.detach(), "cut-detach"),
        (lambda x: x.data, "cut-data"),
        (lambda x: x > 0, "cut-comparison"),
        (lambda x: x.argmax(), "cut-argmax"),
        (lambda x: x.sort().indices, "cut-argmax"),
        (lambda x: x.long(), "cut-integer-cast"),
        (lambda x: x.to(torch.int32), "cut-integer-cast"),
        (lambda x: x.bool(), "cut-bool-cast"),
        (lambda x: torch.no_grad()(torch.exp)(x), "cut-no-grad"),
        (lambda x: torch.inference_mode()(torch.exp)(x), "cut-inference-mode"),
        (lambda x: torch.tensor(x), "recreated-tensor"),
        (lambda x: torch.nn.Parameter(x * 2), "copied-not-linked"),
    ],
)
@pytest.mark.filterwarnings("ignore:To copy construct")
def test_cuts_are_named_with_their_line(cut: Any, kind: str) -> None:
    with explain.watch():
        w = torch.tensor([1.0, -2.0], requires_grad=True)
        other = torch.ones(1, requires_grad=True)
        h = cut(w)
        (h + other).sum().backward()
        report = explain.why(w)
    assert told(report) == (kind, cut.__code__.co_firstlineno)


def test_the_line_of_a_mode_is_where_it_was_switched_on() -> None:
    with explain.watch():
        w = torch.ones(2, requires_grad=True)
        other = torch.ones(2, requires_grad=True)
        with torch.no_grad():
            h = w.exp()
        entered = line() - 2
        (h * other).sum().backward()
        report = explain.why(w)
    assert told(report) == ("cut-no-grad", entered)


def test_a_tensor_that_takes_no_part() -> None:
    with explain.watch():
        w, made = torch.ones(2, requires_grad=True), line()
        other = torch.ones(2, requires_grad=True)
        (other * 2).sum().backward()
        report = explain.why(w)
    assert told(report) == ("never-used", made)


def test_a_gradient_that_was_reset() -> None:
    with explain.watch():
        layer = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        layer(torch.ones(1, 2)).sum().backward()
        optimizer.zero_grad()
        reset = line() - 1
        report = explain.why(layer.weight)
    assert told(report) == ("reset-by-zero-grad", reset)
    assert "layer.weight" in str(report)


def test_frozen_and_never_asked() -> None:
    with explain.watch():
        frozen = torch.nn.Parameter(torch.ones(2))
        frozen.requires_grad = False
        line_of_freezing = line() - 1
        plain, made = torch.ones(2), line()
        other = torch.ones(2, requires_grad=True)
        (frozen * plain * other).sum().backward()
        assert told(explain.why(frozen)) == ("frozen", line_of_freezing)
        assert told(explain.why(plain)) == ("requires-grad-never-set", made)


def test_no_backward_yet() -> None:
    with explain.watch():
        w = torch.ones(2, requires_grad=True)
        (w * 2).sum()
        assert told(explain.why(w))[0] == "backward-never-ran"


@pytest.mark.parametrize(
    ("zero", "kind"),
    [
        (lambda x: torch.relu(x - 9), "zero-dead-relu"),
        (lambda x: x.clamp(5, 6), "zero-clamp"),
        (lambda x: x * 0.0, "zero-multiplied"),
        (lambda x: x * torch.zeros(()), "zero-multiplied"),
        (lambda x: x * (x > 9).float(), "zero-mask"),
        (lambda x: torch.where(x > 9, x, 0.0), "zero-mask"),
        (lambda x: (x * 1).zero_(), "history-overwritten"),
        (lambda x: x.round(), "cut-rounding"),
        (lambda x: torch.stack([x, x.detach()])[1], "zero-unused-state"),
    ],
)
def test_zeros_are_followed_to_where_they_came_from(zero: Any, kind: str) -> None:
    with explain.watch():
        w = torch.tensor([1.5, -2.0], requires_grad=True)
        zero(w).sum().backward()
        report = explain.why(w)
    assert w.grad.tolist() == [0.0, 0.0]
    assert told(report) == (kind, zero.__code__.co_firstlineno)


def test_only_tensors_have_a_gradient() -> None:
    with pytest.raises(TypeError, match="gradient of a tensor, but got float"):
        explain.why(1.0)


def test_without_watch_it_says_so() -> None:
    w = torch.ones(2, requires_grad=True)
    (finding,) = explain.why(w)
    assert not finding.certain
    assert "explain.watch()" in str(finding)
    assert explain.why((w > 0).float()).findings[0].kind == "cut-comparison"
