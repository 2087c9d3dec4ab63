"""An error of the graph is never left without a word; gradients that were put away or hidden."""

import pathlib

import pytest

from seegrad.explain.detectives import ALL
from seegrad.explain.errors.last_word import LastWord
from seegrad.explain.report import Report
from seegrad.explain.session import Session
from tests.explain.programs import findings, marked


@pytest.mark.parametrize(
    ("text", "kind", "kinds"),
    [
        (
            "def features(x):\n    with torch.no_grad(): # <-\n        return x * 2\n"
            "features(torch.ones(1, requires_grad=True)).sum().backward()\n",
            "cut-no-grad",
            [LastWord],
        ),
        (
            "x = torch.ones(1, requires_grad=True)\ny = (x * 2).detach() # <-\ny.backward()\n",
            "cut-detach",
            [LastWord],
        ),
        (
            "x = torch.ones(2, requires_grad=True)\ny = x.argmax() # <-\ny.float().backward()\n",
            "cut-argmax",
            [LastWord],
        ),
        (
            "x = torch.ones(2) # <-\nw = torch.ones(1, requires_grad=True)\n"
            "torch.autograd.grad(x.sum() * w, x)\n",
            "requires-grad-never-set",
            [LastWord],
        ),
        (
            "x = torch.ones(2, requires_grad=True)\ny = x // 0.3 # <-\ny.sum().backward()\n",
            "cut-rounding",
            ALL,
        ),
    ],
)
def test_an_error_is_explained_by_its_own_note(
    tmp_path: pathlib.Path, text: str, kind: str, kinds: list[type[LastWord]]
) -> None:
    (found,) = findings(tmp_path, text, *kinds, fails=True)
    assert found.kind == kind
    assert marked(found)
    assert found.weight == 3


def test_a_report_of_an_error_does_not_say_that_all_is_well() -> None:
    session = Session([LastWord], {})
    with pytest.raises(ZeroDivisionError), session:
        raise ZeroDivisionError
    assert str(session.report()) == "the cause of this error was not found"
    assert str(Report([])) == "nothing wrong was seen"


FAULTS = {
    "reset-by-zero-grad": [
        # The sum of two passes is 3, and 2 is there.
        "x = torch.ones(1, requires_grad=True)\n(x * 1).backward()\nx.grad = None # <-\n"
        "(x * 2).backward()\nassert x.grad == 3\n",
    ],
    "history-overwritten": [
        "w = torch.nn.Parameter(torch.ones(3))\nfor _ in range(2):\n    y = w * 2\n"
        "    y.copy_(torch.zeros(3)) # <-\n    (y ** 2).sum().backward()\n",
        "w = torch.nn.Parameter(torch.ones(3))\nfor _ in range(2):\n    y = w * 2\n"
        "    y[:] = torch.zeros(3) # <-\n    (y ** 2).sum().backward()\n",
    ],
    "zero-multiplied": [
        # The square of 0 has no slope: it is the factor that is to blame.
        "w = torch.nn.Parameter(torch.ones(3))\n"
        "((w * torch.zeros(3)).sum() ** 2).backward() # <-\nassert w.grad.any()\n",
    ],
    "zero-grad-before-step": [
        "w = torch.nn.Parameter(torch.ones(3))\nopt = torch.optim.SGD([w], lr=0.1)\n"
        "for i in range(8):\n    opt.zero_grad() # <-\n    (w ** 2).sum().backward()\n"
        "    if i % 4 == 3:\n        opt.step()\n",
    ],
    "recreated-math": [
        "import math\nw, s = (torch.nn.Parameter(torch.tensor(0.3)) for _ in range(2))\n"
        "for _ in range(3):\n    factor = math.cos(w.item()) # <-\n    (s * factor).backward()\n"
        "    for p in (w, s):\n        if p.grad is not None:\n            p.grad = None\n"
        "print('at', w.item())\n",
    ],
}


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in FAULTS.items() for text in texts]
)
def test_faults(tmp_path: pathlib.Path, kind: str, text: str) -> None:
    found = findings(tmp_path, text, *ALL, fails="assert" in text)
    assert [(one.kind, marked(one)) for one in found] == [(kind, True)]


@pytest.mark.parametrize(
    "text",
    [
        # One gradient after another, each for itself.
        "x = torch.ones(1, requires_grad=True)\n(x * 1).backward()\nx.grad = None\n"
        "(x * 2).backward()\nprint(x.grad)\n",
        # Written over without a record: the history stays.
        "w = torch.nn.Parameter(torch.ones(3))\nfor _ in range(2):\n    y = w * 2\n"
        "    with torch.no_grad():\n        y.copy_(torch.ones(3))\n    y.sum().backward()\n",
        # Two of three steps are left out, because the gradient is too large.
        "w = torch.nn.Parameter(torch.ones(3))\nopt = torch.optim.SGD([w], lr=0.1)\n"
        "for size in [1, 9, 9, 1, 9, 9]:\n    opt.zero_grad()\n    (w ** 2).sum().backward()\n"
        "    if size > 1:\n        continue\n    opt.step()\n",
    ],
)
def test_what_is_done_on_purpose(tmp_path: pathlib.Path, text: str) -> None:
    assert findings(tmp_path, text, *ALL) == []
