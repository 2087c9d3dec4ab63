"""The checks catch wrong rules: a factor, a sign, a forgotten term, a forgotten reduction."""

from collections.abc import Callable
from typing import Any

import pytest

import seegrad
from seegrad.autograd import GradcheckError
from seegrad.operators import nodes
from seegrad.rules.spec import REGISTRY

Plant = Callable[[str, str, Any], None]


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Puts a wrong formula into the node of an operator until the test is over."""

    def put(name: str, operand: str, formula: Any) -> None:
        cls = nodes.node_class(REGISTRY[name])
        for method in ("_run", "_read"):
            monkeypatch.setitem(getattr(cls, method).__globals__, f"rule_{operand}", formula)

    return put


def leaf(*shape: int) -> Any:
    return (seegrad.arange(6.0, dtype=seegrad.float64)[: shape[0]] / 3 + 0.4).requires_grad_()


def check(call: Any) -> None:
    assert seegrad.autograd.gradcheck(call, [leaf(3)])


def test_the_right_rules_pass() -> None:
    check(seegrad.sin)
    check(lambda x: x * x)
    check(seegrad.tanh)
    check(lambda x: seegrad.softmax(x, 0))


def test_a_factor(plant: Plant) -> None:
    plant("sin", "self", lambda xp, grad, self: 2 * grad * xp.cos(self))
    with pytest.raises(GradcheckError):
        check(seegrad.sin)


def test_a_sign(plant: Plant) -> None:
    plant("cos", "self", lambda xp, grad, self: grad * xp.sin(self))
    with pytest.raises(GradcheckError):
        check(seegrad.cos)


def test_a_forgotten_term(plant: Plant) -> None:
    plant("sigmoid", "self", lambda xp, grad, result: grad - grad * result)
    with pytest.raises(GradcheckError):
        check(seegrad.sigmoid)


def test_a_forgotten_reduction(plant: Plant) -> None:
    check(lambda x: seegrad.var(x, 0))
    plant("var", "self", lambda xp, grad, self, dim, correction, keepdim: grad * self)
    with pytest.raises(GradcheckError):
        check(lambda x: seegrad.var(x, 0))


def test_a_rule_that_is_not_differentiable(plant: Plant) -> None:
    """First order right, second order wrong: only gradgradcheck sees it."""
    plant("exp", "self", lambda xp, grad, result: grad * xp.sgn(result) * xp.abs(frozen(result)))
    check(seegrad.exp)
    with pytest.raises(GradcheckError):
        seegrad.autograd.gradgradcheck(seegrad.exp, [leaf(3)])


def frozen(value: Any) -> Any:
    """The same numbers without history."""
    return value.detach() if hasattr(value, "detach") else value


def test_the_planted_rules_are_gone() -> None:
    check(seegrad.sin)
    check(seegrad.exp)
