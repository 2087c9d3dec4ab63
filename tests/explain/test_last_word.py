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
        # The norms are read when they are zero.
        "w, rows = torch.nn.Parameter(torch.ones(2)), []\nopt = torch.optim.SGD([w], lr=0.1)\n"
        "for _ in range(2):\n    (w * w).sum().backward()\n    opt.step()\n"
        "    opt.zero_grad(set_to_none=False) # <-\n    rows.append(w.grad.norm().item())\n"
        "assert sum(rows) > 0\n",
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
    "zero-mask": [
        # Rows that were joined to others get no gradient, because they are masked.
        "w = torch.nn.Parameter(torch.ones(1, 2))\nkeep = torch.tensor([[0.0], [1.0]])\n"
        "rows = torch.cat([w, torch.ones(1, 2)]) * keep # <-\n"
        "(rows ** 2).sum().backward()\nassert w.grad.any()\n",
        # A loss of 0 is met by everything, but not where it was multiplied by zeros.
        "w = torch.nn.Parameter(torch.ones(3))\nmask = torch.zeros(3)\nfor _ in range(2):\n"
        "    ((w - 2) * mask).abs().sum().backward() # <-\n",
    ],
    "zero-unused-state": [
        "x = torch.ones(4, 3, requires_grad=True)\nout = torch.tanh(x * 2)\nlast = out[-1] # <-\n"
        "last.sum().backward()\nassert x.grad.all()\n",
    ],
    "backward-never-ran": [
        "w = torch.nn.Parameter(torch.ones(1))\nopt = torch.optim.SGD([w], lr=0.1)\n"
        "for _ in range(3):\n    loss = (w * w).sum()\n    if loss < 9: # <-\n"
        "        print(loss.item())\n        continue\n    loss.backward()\n    opt.step()\n",
        "w = torch.nn.Parameter(torch.ones(1))\nopt = torch.optim.SGD([w], lr=0.1)\n"
        "loss = (w * w).sum()\nif not loss.isnan: # <-\n    loss.backward()\n    opt.step()\n"
        "assert w.item() != 1\n",
        "net = torch.nn.Linear(1, 1)\ndef fit(net):\n    for _ in range(2):\n"
        "        loss = net(torch.ones(1, 1)).sum()\n        loss.backward()\n"
        "        yield loss.item()\nbefore = net(torch.ones(1, 1)).item()\nfit(net) # <-\n"
        "assert net(torch.ones(1, 1)).item() < before\n",
    ],
    "never-used": [
        "net = torch.nn.Linear(2, 2)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "x = torch.ones(1, 2)\nout = net(x)\nloss = (x - 1).square().sum() # <-\n"
        "loss.backward() # fails with no assert\n",
    ],
    "not-a-leaf": [
        "w = torch.ones(2, requires_grad=True) * 0.1 # <-\nassert torch.optim.SGD([w], lr=0.1)\n",
    ],
    "cut-detach": [
        "w, v = (torch.ones(2, requires_grad=True) for _ in range(2))\n"
        "cut = (w * 2).detach() # <-\n"
        "grads = torch.autograd.grad((cut * v).sum(), [w, v], allow_unused=True)\n"
        "assert None not in grads\n",
    ],
    "recreated-tensor": [
        "w = torch.ones(2, requires_grad=True)\n"
        "both = torch.tensor([one.item() for one in w]) # <-\n"
        "assert both.sum().backward() is None\n",
    ],
    "loss-missing-sigmoid": [
        "scores = torch.tensor([2.0, -1.0], requires_grad=True)\nbce = torch.nn.BCELoss()\n"
        "assert bce(scores, torch.ones(2)) # <-\n",
    ],
    "recreated-item": [
        "w = torch.ones(1, requires_grad=True)\nparts = {}\n"
        "for k in 'ab':\n    parts[k] = (w * 2).sum().item() # <-\n"
        "total = sum(2 * v for v in parts.values())\ntotal.backward() # fails with no assert\n",
    ],
    "forced-requires-grad": [
        "w = torch.nn.Parameter(torch.ones(1))\nopt = torch.optim.SGD([w], lr=0.1)\n"
        "for _ in range(2):\n    value = (w * w).sum().item()\n"
        "    loss = torch.tensor(value).requires_grad_() # <-\n    loss.backward()\n"
        "    opt.step()\nprint(w.grad)\n",
    ],
    "requires-grad-never-set": [
        "at = torch.ones(2) # <-\ndef energy(x):\n    scale = torch.ones(2)\n"
        "    return (x * scale).sum()\nassert torch.autograd.grad(energy(at), [at])\n",
    ],
    "frozen": [
        "a, b = torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)\n"
        "opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (a, b)]\n"
        "b.requires_grad_(False) # <-\nfor _ in range(3):\n"
        "    a(b(torch.ones(1, 1))).sum().backward()\n    for opt in opts:\n"
        "        opt.step()\nprint(b.weight)\n",
        "net = torch.nn.Linear(2, 2)\nnet.requires_grad_(False) # <-\n"
        "assert torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=1.0)\n",
    ],
    "copied-not-linked": [
        "hyper, net = torch.nn.Linear(1, 1), torch.nn.Linear(1, 1, bias=False)\n"
        "params = [*hyper.parameters(), *net.parameters()]\n"
        "opt = torch.optim.SGD(params, lr=0.1)\nfor _ in range(3):\n"
        "    net.weight = torch.nn.Parameter(hyper(torch.ones(1, 1))) # <-\n"
        "    net(torch.ones(1, 1)).sum().backward()\n    opt.step()\n",
        "one = torch.nn.Linear(2, 2, bias=False)\nother = torch.nn.Linear(2, 2, bias=False)\n"
        "fast = {'weight': one.weight * 2}\nopt = torch.optim.SGD(one.parameters(), lr=0.1)\n"
        "for _ in range(2):\n    other.load_state_dict(fast) # <-\n"
        "    other(torch.ones(1, 2)).sum().backward()\n    opt.step()\nprint(one.weight.grad)\n",
        "w = torch.nn.Parameter(torch.ones(2))\ncopy = torch.nn.Parameter(w * 0.5) # <-\n"
        "opt = torch.optim.SGD([w, copy], lr=0.1)\n(w * copy).sum().backward()\nopt.step()\n"
        "assert torch.equal(copy, w * 0.5)\n",
    ],
    "cut-no-grad": [
        "d = torch.distributions\nmu = torch.nn.Parameter(torch.zeros(2))\n"
        "opt = torch.optim.SGD([mu], lr=0.1)\ns = torch.nn.Parameter(torch.ones(2))\n"
        "for _ in range(2):\n    action = d.Normal(mu, 1.0).sample() # <-\n"
        "    (action * s).sum().backward()\n    opt.step()\nprint(mu.grad)\n",
        # What is remembered was cut, too, but behind that is another cut.
        "inner, outer = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)\nmemory = torch.zeros(1, 2)\n"
        "opt = torch.optim.SGD([*inner.parameters(), *outer.parameters()], lr=0.1)\n"
        "for _ in range(3):\n    with torch.no_grad(): # <-\n        h = inner(torch.ones(1, 2))\n"
        "    z = outer(h)\n    (z * memory).sum().backward()\n    memory = z.detach()\n"
        "    opt.step()\nprint(inner.weight.grad)\n",
    ],
    "view-regenerated": [
        "x = torch.ones(4, requires_grad=True) * 2\na, b = x.split(2)\n"
        "assert a.add_(b) is a # <-\n",
        "x = torch.ones(4, requires_grad=True) * 2\nview = x[:2]\nloss = view.sum()\n"
        "x.mul_(2) # <-\nassert torch.autograd.grad(loss, view)\n",
    ],
    "replaced-parameter": [
        "net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\ndef grow(net):\n"
        "    new = torch.nn.Linear(2, 3)\n    net.head = new # <-\n"
        "grow(net)\nnet[1] = torch.nn.Identity()\nold = net.head.weight.clone()\n"
        "for _ in range(3):\n    net(torch.ones(1, 2)).sum().backward()\n    opt.step()\n"
        "assert not torch.equal(old, net.head.weight)\n",
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
    assert [(one.kind, marked(one)) for one in found[:1]] == [(kind, True)]


@pytest.mark.parametrize(
    "text",
    [
        # One gradient after another, each for itself.
        "x = torch.ones(1, requires_grad=True)\n(x * 1).backward()\nx.grad = None\n"
        "(x * 2).backward()\nprint(x.grad)\n",
        # Written over without a record: the history stays.
        "w = torch.nn.Parameter(torch.ones(3))\nfor _ in range(2):\n    y = w * 2\n"
        "    with torch.no_grad():\n        y.copy_(torch.ones(3))\n    y.sum().backward()\n",
        # What is read after the reset is shown beside what was there before.
        "w = torch.ones(2, requires_grad=True)\nfor _ in range(4):\n    (w * w).sum().backward()\n"
        "    print(w.grad)\n    with torch.no_grad():\n        w -= 0.1 * w.grad\n"
        "    w.grad.zero_()\n    print(w.grad)\n",
        # The policy learns from the logarithm of the probability, not through the sample.
        "mu = torch.nn.Parameter(torch.zeros(2))\nopt = torch.optim.SGD([mu], lr=0.1)\n"
        "for _ in range(3):\n    d = torch.distributions.Normal(mu, 1.0)\n    x = d.sample()\n"
        "    (d.log_prob(x) * (x - 1).abs()).sum().backward()\n    opt.step()\n",
        # Who reads a loss does not put it into the next one.
        "w, v = (torch.nn.Parameter(torch.ones(1)) for _ in range(2))\n"
        "opt = torch.optim.SGD([w, v], lr=0.1)\ndef step(x):\n    opt.zero_grad()\n"
        "    loss = (w * x + v * x).square().sum()\n    loss.backward()\n    opt.step()\n"
        "    return loss.item()\nlosses = [step(torch.ones(1) * i) for i in range(3)]\n",
        # Two of three steps are left out, because the gradient is too large.
        "w = torch.nn.Parameter(torch.ones(3))\nopt = torch.optim.SGD([w], lr=0.1)\n"
        "for size in [1, 9, 9, 1, 9, 9]:\n    opt.zero_grad()\n    (w ** 2).sum().backward()\n"
        "    if size > 1:\n        continue\n    opt.step()\n",
    ],
)
def test_what_is_done_on_purpose(tmp_path: pathlib.Path, text: str) -> None:
    assert findings(tmp_path, text, *ALL) == []
