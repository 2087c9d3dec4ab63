"""Checks that a program wants to fail are no faults; checks that it shows are."""

import pathlib

from seegrad.explain.functions.detective import FunctionDetective
from seegrad.explain.functions.gradcheck import GradcheckDetective
from seegrad.explain.gradients.gradientless import Gradientless
from tests.explain.programs import findings

KINDS = (GradcheckDetective, FunctionDetective)

WRONG = """
    from seegrad.autograd import gradcheck
    from seegrad.autograd.gradcheck import GradcheckError

    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sin()

        @staticmethod
        def backward(ctx, g):
            return g * 3

    def raises(function, *args):
        try:
            function(*args)
        except RuntimeError:
            return True
        return False

    x = torch.tensor([0.3, 1.0], dtype=torch.double, requires_grad=True)
"""

WANTED = [
    "assert not gradcheck(Wrong.apply, x, raise_exception=False)",
    "ok = gradcheck(Wrong.apply, x, raise_exception=False)\n    assert not ok",
    "assert raises(gradcheck, Wrong.apply, x)",
    "try:\n        gradcheck(Wrong.apply, x)\n    except GradcheckError:\n        print('found')\n"
    "    else:\n        raise ValueError",
    "if gradcheck(Wrong.apply, x, raise_exception=False):\n        raise ValueError",
]
SHOWN = [
    ("print(gradcheck(Wrong.apply, x, raise_exception=False))", False),
    ("ok = gradcheck(Wrong.apply, x, raise_exception=False)\n    print(ok)", False),
    (
        "try:\n        gradcheck(Wrong.apply, x)\n    except RuntimeError as e:\n        print(e)",
        False,
    ),
    ("assert gradcheck(Wrong.apply, x, raise_exception=False)", True),
    ("assert not raises(gradcheck, Wrong.apply, x)", True),
    ("assert gradcheck(Wrong.apply, x)", True),
]


def test_failures_that_a_program_wants(tmp_path: pathlib.Path) -> None:
    for number, end in enumerate(WANTED):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert findings(folder, f"{WRONG}    {end}\n", *KINDS) == [], end


def test_failures_that_a_program_shows(tmp_path: pathlib.Path) -> None:
    for number, (end, fails) in enumerate(SHOWN):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = findings(folder, f"{WRONG}    {end}\n", *KINDS, fails=bool(fails))
        assert [one.kind for one in found] == ["function-first-derivative"], end


FED = """
    w = torch.nn.Parameter(torch.ones(2))
    opt = torch.optim.SGD([w], lr=0.1)
    h = w * 2
    h.retain_grad()
    print(h.grad, w.grad)
    h.sum().backward()
    for _ in range(3):
        opt.zero_grad()
        (w.grad,) = torch.autograd.grad(w.pow(2).sum(), w)
        opt.step()
"""


def test_gradients_filled_in_by_hand_or_looked_at_early(tmp_path: pathlib.Path) -> None:
    assert findings(tmp_path, FED, Gradientless) == []
