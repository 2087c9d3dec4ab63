"""Which optimizer holds which parameter: what `ledger` sees now, and what the run's ledger says.

Planted faults decide; the corpus holds whole programs.
"""

import pathlib
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain, nn
from tests.explain.watched import run


def kinds(report: Any) -> list[str]:
    """The kinds of the findings."""
    return [finding.kind for finding in report]


HEAD = """
torch.manual_seed(0)
x, y = torch.randn(8, 3), torch.randn(8, 1)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
"""
LOOP = """
for _ in range(4):
    optimizer.zero_grad()
    loss = (model(x) - y).square().mean()
    loss.backward()
    optimizer.step()
"""


def test_now_everything_is_held() -> None:
    model = nn.Linear(2, 1)
    report = explain.ledger(model, torch.optim.SGD(model.parameters(), lr=0.1))
    assert not report
    assert "held" in str(report)


def test_now_a_parameter_is_not_held() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    report = explain.ledger(model, torch.optim.SGD(model[1].parameters(), lr=0.1))
    assert kinds(report) == ["not-in-optimizer"]
    assert "0.weight, 0.bias" in str(report)


def test_now_frozen_parameters_need_no_optimizer() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    model[0].requires_grad_(False)
    assert not explain.ledger(model, torch.optim.SGD(model[1].parameters(), lr=0.1))


def test_now_copies_are_held() -> None:
    model = nn.Linear(2, 1)
    copies = [p.detach().clone().requires_grad_() for p in model.parameters()]
    report = explain.ledger(model, torch.optim.SGD(copies, lr=0.1))
    assert kinds(report) == ["not-in-optimizer", "optimizer-holds-copies"]


def test_now_layers_stand_in_a_list_and_a_plain_tensor_is_no_parameter() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = [nn.Linear(2, 2)]
            self.scale = torch.ones(1, requires_grad=True)
            self.out = nn.Linear(2, 1)

    model = Net()
    report = explain.ledger(model, torch.optim.SGD(model.parameters(), lr=0.1))
    assert kinds(report) == ["layers-in-list", "buffer-not-parameter"]


def test_now_a_group_is_empty_and_a_rate_zero() -> None:
    model = nn.Linear(2, 1)
    groups = [{"params": []}, {"params": model.parameters(), "lr": 0.0}]
    report = explain.ledger(model, torch.optim.SGD(groups, lr=0.1))
    assert kinds(report) == ["optimizer-empty", "learning-rate-zero"]


def test_what_is_no_module_or_optimizer_is_refused() -> None:
    model = nn.Linear(2, 1)
    with pytest.raises(TypeError, match="needs a Module first, but got list"):
        explain.ledger([model])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="needs optimizers, but got generator"):
        explain.ledger(model, model.parameters())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one optimizer"):
        explain.ledger(model)


SGD = "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"


OWN = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {}
        self.out = nn.Linear(3, 1)

    def forward(self, x):
        return self.scale * self.out(x)


model = Net()
"""


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        (
            HEAD + "optimizer = torch.optim.SGD(model[2].parameters(), lr=0.1)" + LOOP,
            "not-in-optimizer",
            "optimizer = torch.optim.SGD(model[2].parameters(), lr=0.1)",
        ),
        (
            HEAD + SGD + LOOP.replace("    optimizer.step()\n", "    optimizer.step\n"),
            "step-never-called",
            "optimizer.step",
        ),
        (
            HEAD + SGD + LOOP.replace("    optimizer.zero_grad()\n", ""),
            "zero-grad-never-called",
            "optimizer.step()",
        ),
        (
            HEAD + SGD + LOOP.replace("backward()", "backward()\n    model.zero_grad()"),
            "zero-grad-before-step",
            "model.zero_grad()",
        ),
        (
            HEAD + SGD.replace("0.1", "1 // 10") + LOOP,
            "learning-rate-zero",
            SGD.replace("0.1", "1 // 10"),
        ),
        (
            HEAD + SGD.replace("model.", "nn.Linear(3, 1).") + "\nmodel = nn.Linear(3, 1)" + LOOP,
            "optimizer-holds-copies",
            "model = nn.Linear(3, 1)",
        ),
        (
            HEAD
            + "ps = model.parameters()\nprint(len(list(ps)))\noptimizer = torch.optim.SGD(ps)",
            "optimizer-empty",
            "print(len(list(ps)))",
        ),
        (
            HEAD + OWN.format("self.scale = torch.ones(1, requires_grad=True)") + SGD + LOOP,
            "buffer-not-parameter",
            "self.scale = torch.ones(1, requires_grad=True)",
        ),
        (
            HEAD
            + OWN.format("self.register_buffer('scale', torch.ones(1))")
            + SGD
            + LOOP
            + "assert model.scale != 1",
            "buffer-not-parameter",
            "self.register_buffer('scale', torch.ones(1))",
        ),
        (
            HEAD
            + OWN.format("self.scale = 1").replace("self.out(x)", "self.out(nn.Linear(3, 3)(x))")
            + SGD
            + LOOP,
            "layers-in-list",
            "return self.scale * self.out(nn.Linear(3, 3)(x))",
        ),
        (
            HEAD.replace("8, 1)", "8, 3)")
            + "model = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3))\n"
            + "model[2].weight = model[0].weight\n"
            + "model[2].weight = nn.Parameter(torch.ones(3, 3))\n"
            + SGD
            + LOOP,
            "tying-broken",
            "model[2].weight = nn.Parameter(torch.ones(3, 3))",
        ),
        (
            HEAD + SGD + "\nmodel[2] = nn.Linear(4, 1)" + LOOP,
            "replaced-parameter",
            "model[2] = nn.Linear(4, 1)",
        ),
    ],
)
def test_planted_faults(tmp_path: pathlib.Path, text: str, kind: str, line: str) -> None:
    assert run(tmp_path, text) == [(kind, line)]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + SGD + LOOP,
        HEAD + "model[0].requires_grad_(False)\n" + SGD + LOOP,
        HEAD + "model(x).sum().backward()",
        HEAD + SGD + LOOP.replace("range(4)", "range(1)"),
        HEAD
        + SGD
        + LOOP.replace("    loss.b", "    loss.backward(retain_graph=True)\n    loss.b"),
        HEAD + "with torch.no_grad(): print(model(x).mean())",
        HEAD
        + SGD.replace("model.", "model[0].")
        + "\nsecond = torch.optim.Adam(model[2].parameters())"
        + LOOP
        + "    optimizer.zero_grad()\n    second.step()\n    second.zero_grad()\n",
    ],
)
def test_healthy_programs(tmp_path: pathlib.Path, text: str) -> None:
    assert run(tmp_path, text) == []


BY_HAND = """
torch.manual_seed(0)
w = torch.zeros(2, requires_grad=True)
x = torch.randn(9, 2)
for _ in range(9):
    loss = (x @ w - x[:, 0]).square().mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        {}
"""


def test_updates_by_hand_that_keep_the_gradient(tmp_path: pathlib.Path) -> None:
    found = run(tmp_path, BY_HAND.format(""))
    assert found == [("zero-grad-never-called", "loss.backward()")]


def test_updates_by_hand_with_a_reset_that_is_not_called(tmp_path: pathlib.Path) -> None:
    found = run(tmp_path, BY_HAND.format("w.grad.zero_"))
    assert found == [("zero-grad-never-called", "w.grad.zero_")]


@pytest.mark.parametrize(
    "reset",
    ["w.grad.zero_()", "w.grad = None", "w.grad.sub_(w.grad)", "w.grad *= 0.5", "del w.grad"]
    + ["w.grad.numpy()[:] = 0"],
)
def test_updates_by_hand_that_reset_the_gradient(tmp_path: pathlib.Path, reset: str) -> None:
    assert run(tmp_path, BY_HAND.format(reset)) == []


def test_optimizer_of_anothers_parameters(tmp_path: pathlib.Path) -> None:
    text = """
torch.manual_seed(0)
one, two, x = nn.Linear(3, 1), nn.Linear(3, 1), torch.randn(8, 3)
first = torch.optim.SGD({}.parameters(), 0.1)
second = torch.optim.SGD(two.parameters(), 0.1)
for _ in range(4):
    for model, optimizer in ((one, first), (two, second)):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
"""
    wrong = ("wrong-optimizer-stepped", "first = torch.optim.SGD(two.parameters(), 0.1)")
    assert run(tmp_path, text.format("two")) == [wrong]
    assert run(tmp_path, text.format("one")) == []


def test_steps_taken_crosswise_are_no_matter_of_zero_grad(tmp_path: pathlib.Path) -> None:
    text = """
torch.manual_seed(0)
models, x = [nn.Linear(3, 1), nn.Linear(3, 1)], torch.randn(8, 3)
optimizers = [torch.optim.SGD(model.parameters(), 0.1) for model in models]
for turn in range(6):
    for optimizer in optimizers:
        optimizer.zero_grad()
    models[turn % 2](x).square().mean().backward()
    optimizers[1 - turn % 2].step()
"""
    line = "optimizers[1 - turn % 2].step()"
    assert run(tmp_path, text) == [("wrong-optimizer-stepped", line)]


TIED = """
torch.manual_seed(0)
a, b, x = nn.Linear(4, 4), nn.Linear(4, 4), torch.randn(9, 4)
{}
optimizer = torch.optim.SGD([*a.parameters(), *b.parameters()], 0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = (b(a(x).tanh()) - x).square().mean()
    loss.backward()
    optimizer.step()
assert {}
"""


@pytest.mark.parametrize("test", ["torch.equal(a.weight.t(), b.weight)", "b.weight is a.weight"])
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("b.weight = nn.Parameter(a.weight.t().clone())", "tying-broken"),
        ("b.weight.data = a.weight.data.T.clone()", "copied-not-linked"),
    ],
)
def test_a_copy_that_was_to_be_a_tie(
    tmp_path: pathlib.Path, line: str, kind: str, test: str
) -> None:
    assert run(tmp_path, TIED.format(line, test)) == [(kind, line)]


def test_a_copy_that_nobody_compares(tmp_path: pathlib.Path) -> None:
    line = "b.weight = nn.Parameter(a.weight.clone()); assert torch.equal(a.weight, b.weight)"
    assert run(tmp_path, TIED.format(line, "loss < 0")) == []
