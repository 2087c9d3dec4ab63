"""Gradients that lack a part, or were kept and zeroed: said where the program found them wrong."""

import pathlib

import pytest

from seegrad.explain.gradients.kept import KeptGradients
from seegrad.explain.gradients.partial import PartialCuts
from tests.explain.programs import findings, marked

UNIT = """
    import math
    def unit(v):
        {norm}  # <-
        return v / norm
    a = torch.tensor([3.0, 4.0], requires_grad=True)
    unit(a)[0].backward()
    right = torch.tensor([0.128, -0.096])  # (1 - 0.36) / 5 and -0.48 / 5
    {check}
"""
CUTS = [
    ("norm = v.norm().detach()", "cut-detach"),
    ("norm = v.norm().data", "cut-data"),
    ("norm = v.norm().item()", "recreated-item"),
    ("norm = math.sqrt(v.pow(2).sum().item())", "recreated-math"),
    ("norm = torch.from_numpy(v.detach().numpy()).norm()", "recreated-numpy"),
]
CHECKS = [
    ("assert torch.allclose(a.grad, right)", True),
    ("torch.testing.assert_close(a.grad, right)", True),
    ("print('got', a.grad, 'expected', right)", False),
]


@pytest.mark.parametrize(("norm", "kind"), CUTS)
def test_one_way_of_two_is_cut(tmp_path: pathlib.Path, norm: str, kind: str) -> None:
    for number, (check, fails) in enumerate(CHECKS):
        (tmp_path / f"{number}").mkdir()  # what was read of a file is remembered
        text = UNIT.format(norm=norm, check=check)
        (found,) = findings(tmp_path / f"{number}", text, PartialCuts, fails=fails)
        assert marked(found)
        assert (found.kind, found.weight, found.certain) == (kind, 3 if fails else 2, True)


@pytest.mark.parametrize("check", [
    "print(a.grad, right)",  # nobody says that it should be the same
    "print('stopped', a.grad, 'full', right)",
    "assert not torch.allclose(a.grad, right)",
])  # fmt: skip
def test_a_gradient_stopped_on_purpose(tmp_path: pathlib.Path, check: str) -> None:
    text = UNIT.format(norm="norm = v.norm().detach()", check=check)
    assert findings(tmp_path, text, PartialCuts) == []


def test_a_largest_element_may_be_cut_off(tmp_path: pathlib.Path) -> None:
    text = """
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        top = x.max().detach()
        (top + (x - top).exp().sum().log()).backward()
        assert x.grad.sum() == 2
    """
    assert findings(tmp_path, text, PartialCuts, fails=True) == []


def test_what_failed_may_have_failed_of_a_cut(tmp_path: pathlib.Path) -> None:
    text = """
        w = torch.tensor([2.0], requires_grad=True)
        for _ in range(3):
            loss = (w * w.detach()).sum()  # <-
            loss.backward()
        assert loss < 1
    """
    (found,) = findings(tmp_path, text, PartialCuts, fails=True)
    assert marked(found)
    assert (found.kind, found.weight, found.certain) == ("cut-detach", 1, False)


KEPT = """
    net = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    history = []
    for _ in range(4):
        net(torch.ones(1, 2)).sum().backward()
        history.append(net.weight.grad{copy})
        {reset}  # <-
    {check}
"""
RESETS = [
    "optimizer.zero_grad(set_to_none=False)",
    "net.zero_grad(set_to_none=False)",
    "net.weight.grad.zero_()",
]


@pytest.mark.parametrize("reset", RESETS)
def test_a_gradient_that_was_kept_and_zeroed(tmp_path: pathlib.Path, reset: str) -> None:
    for check, fails in [("assert history[0].any()", True), ("print(history)", False)]:
        (tmp_path / f"{fails}").mkdir()
        text = KEPT.format(copy="", reset=reset, check=check)
        (found,) = findings(tmp_path / f"{fails}", text, KeptGradients, fails=fails)
        assert marked(found)
        assert (found.kind, found.weight) == ("reset-by-zero-grad", 3 if fails else 2)


@pytest.mark.parametrize(("copy", "reset"), [
    (".clone()", RESETS[0]), ("", "optimizer.zero_grad()"),
])  # fmt: skip
def test_gradients_kept_well(tmp_path: pathlib.Path, copy: str, reset: str) -> None:
    text = KEPT.format(copy=copy, reset=reset, check="assert not history[0].any()")
    assert findings(tmp_path, text, KeptGradients, fails=True) == []
