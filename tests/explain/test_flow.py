"""Where gradients stop: planted faults, and the numbers of `flow` against their formulas."""

import json
import pathlib
from collections.abc import Callable

import numpy as np
import pytest

import seegrad as torch
from seegrad import explain, nn
from seegrad.explain.report import Finding
from tests.explain.watched import run

TRAIN = """
x, y = torch.randn(32, 4), torch.randn(32, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(4):
    optimizer.zero_grad()
    loss = (net(x) - y).square().mean()
    loss.backward()
    optimizer.step()
"""
RELU = "net = nn.Sequential(nn.Linear(4, 9), nn.ReLU(), nn.Linear(9, 1))"
TANH = "net = nn.Sequential(nn.Linear(4, 9), nn.Tanh(), nn.Linear(9, 1))"
DEEP = "net = nn.Sequential(*[m for _ in range(10) for m in (nn.Linear(4, 4), nn.Sigmoid())])"
WIDE = "net = nn.Sequential(*[nn.Linear(4, 4) for _ in range(12)])"


@pytest.mark.parametrize(
    ("lines", "kind", "line"),
    [
        ([RELU, "nn.init.constant_(net[0].bias, -50.0)"], "flow-dead-relu", -1),
        ([TANH, "nn.init.normal_(net[0].weight, std=400.0)"], "flow-saturated", -1),
        ([RELU, "for p in net.parameters():", "    nn.init.zeros_(p)"], "flow-zero-init", -1),
        ([DEEP], "flow-vanishing", 0),
        ([WIDE, "for p in net.parameters():", "    p.data.mul_(20)"], "flow-exploding", -1),
    ],
)
def test_planted_faults(tmp_path: pathlib.Path, lines: list[str], kind: str, line: int) -> None:
    text = "\n".join(["torch.manual_seed(0)", *lines]) + TRAIN
    assert (kind, lines[line].strip()) in run(tmp_path, text)


@pytest.mark.parametrize(
    "lines",
    [
        [RELU],
        [TANH],
        [RELU, "nn.init.zeros_(net[2].weight)"],
        [RELU, "with torch.no_grad():", "    net[0].bias[:4] -= 50"],
        ["net = nn.Sequential(*[m for _ in range(8) for m in (nn.Linear(4, 4), nn.ReLU())])"],
    ],
)
def test_healthy_networks(tmp_path: pathlib.Path, lines: list[str]) -> None:
    assert run(tmp_path, "\n".join(["torch.manual_seed(0)", *lines]) + TRAIN) == []


RECURRENT = """
torch.manual_seed(0)
w = nn.Parameter(2.0 * torch.eye(4))
for _ in range(2):
    h = torch.ones(3, 4)
    for _ in range(40):
        h = h @ w
    loss = h.mean()
    loss.backward()
"""


def test_one_weight_many_times_is_named_where_it_is_used(tmp_path: pathlib.Path) -> None:
    assert run(tmp_path, RECURRENT) == [("flow-exploding", "h = h @ w")]
    assert run(tmp_path, RECURRENT.replace("2.0", "1.0")) == []


def test_sequences_that_become_longer_explode_at_last(tmp_path: pathlib.Path) -> None:
    longer = RECURRENT.replace("range(2)", "(5, 5, 10, 20)").replace("range(40)", "range(_)")
    assert run(tmp_path, longer) == [("flow-exploding", "h = h @ w")]


FADING = """
torch.manual_seed(0)
w = (0.02 * torch.randn(4, 4)).requires_grad_()
steps = torch.ones(30, 3, 4, requires_grad=True)
for _ in range(2):
    h = torch.zeros(3, 4)
    for step in steps:
        h = torch.tanh(step + h @ w)
    h.sum().backward()
"""


def test_a_gradient_that_fades_is_told_where_somebody_looks(tmp_path: pathlib.Path) -> None:
    look = "print(steps.grad[0].norm().item())"
    found = [("flow-vanishing", "h = torch.tanh(step + h @ w)")]
    assert run(tmp_path, f"{FADING}{look}") == found
    assert run(tmp_path, FADING) == []
    assert run(tmp_path, f"{FADING}{look}".replace("0.02", "0.5")) == []


def test_tables_of_zeros(tmp_path: pathlib.Path) -> None:
    text = """
one, other = nn.Embedding(4, 3), nn.Embedding(4, 3)
nn.init.zeros_(one.weight)
nn.init.zeros_(other.weight)
for _ in range(3):
    picked = torch.arange(4)
    loss = ((one(picked) * other(picked)).sum(1) - 1).square().mean()
    loss.backward()
"""
    assert [kind for kind, _ in run(tmp_path, text)] == ["flow-zero-init"]


def under_watch(model: nn.Module, loss: Callable[[torch.Tensor], torch.Tensor]) -> Finding:
    """What `flow` finds after a pass under watch."""
    with explain.watch():
        loss(model(torch.randn(16, 4))).backward()
        finding = explain.flow(model).finding
    assert finding is not None
    return finding


def test_the_parameters_at_which_the_flow_stops_are_named() -> None:
    torch.manual_seed(0)
    dead = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
    nn.init.constant_(dead[0].bias, -50.0)
    finding = under_watch(dead, torch.sum)
    assert finding.kind == "flow-dead-relu"
    assert finding.evidence[-1] == "From the loss on, 2.weight is the first where it is zero."
    deep = nn.Sequential(*[m for _ in range(12) for m in (nn.Linear(4, 4), nn.Sigmoid())])
    finding = under_watch(deep, torch.sum)
    assert finding.kind == "flow-vanishing"
    sizes = {n: p.grad.square().mean().item() ** 0.5 for n, p in deep.named_parameters()}
    faint = [name for name, size in sizes.items() if size < 1e-6 * max(sizes.values())]
    assert f" {faint[-1]} " in finding.evidence[-1]
    wide = nn.Sequential(*[nn.Linear(4, 4) for _ in range(9)])
    for p in wide.parameters():
        p.data.mul_(20)
    finding = under_watch(wide, lambda out: out.square().mean())
    assert finding.kind == "flow-exploding"
    assert "Each of 9 layers" in finding.says


def test_probabilities_for_a_loss_of_scores_and_parameters_cut_off() -> None:
    labels = torch.zeros(16, dtype=torch.long)
    model = nn.Sequential(nn.Linear(4, 3), nn.Softmax(-1))
    finding = under_watch(model, lambda out: nn.functional.cross_entropy(out, labels))
    assert finding.kind == "flow-double-softmax"

    class Cut(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.one, self.other, self.rest = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(2, 2)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.other(self.one(x).detach())

    finding = under_watch(Cut(), torch.sum)
    assert finding.says == "detach() cuts one.weight and one.bias off the loss."
    assert finding.evidence == ("rest.weight and rest.bias are not used on the way to the loss.",)


def two_layers() -> nn.Sequential:
    """A model with gradients."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    model(torch.randn(6, 3)).square().mean().backward()
    return model


def test_numbers_are_those_of_their_formulas() -> None:
    model = two_layers()
    model[0].weight.grad[0] = 0
    row = explain.flow(model).rows[0]
    grad, values = model[0].weight.grad.numpy(), model[0].weight.detach().numpy()
    assert (row.name, row.shape, row.zeros, row.update) == ("0.weight", (4, 3), 0.25, None)
    assert row.norm == pytest.approx(np.linalg.norm(grad))
    assert row.mean == pytest.approx(abs(grad).mean())
    assert row.max == abs(grad).max()
    assert row.ratio == pytest.approx(np.linalg.norm(grad) / np.linalg.norm(values))


@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_update_is_what_the_next_step_does(kind: str) -> None:
    model = two_layers()
    optimizer = getattr(torch.optim, kind)(model.parameters(), lr=0.05)
    before = [p.detach().clone() for p in model.parameters()]
    rows = explain.flow(model, optimizer).rows
    assert all(torch.equal(p, b) for p, b in zip(model.parameters(), before, strict=True))
    optimizer.step()
    moved = [(p - b).norm() / b.norm() for p, b in zip(model.parameters(), before, strict=True)]
    assert [row.update for row in rows] == pytest.approx([m.item() for m in moved])


def test_flow_that_is_well() -> None:
    report = explain.flow(two_layers())
    assert report
    assert str(report).endswith("gradients get to all parameters that require one")


def test_unused_layer_has_no_gradient() -> None:
    model = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 1)])
    model[1](torch.ones(1, 2)).sum().backward()
    report = explain.flow(model)
    assert report.finding is not None
    assert report.finding.kind == "flow-detached"
    assert report.rows[0].norm is None


def test_watch_names_the_dead_relu_and_the_cut() -> None:
    model = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
    nn.init.constant_(model[0].bias, -9.0)
    with explain.watch():
        model(torch.rand(5, 2)).sum().backward()
        dead = explain.flow(model).finding
        model.zero_grad()
        model[2](model[1](model[0](torch.rand(5, 2))).detach()).sum().backward()
        cut = explain.flow(model).finding
    assert dead is not None
    assert cut is not None
    assert (dead.kind, cut.kind) == ("flow-dead-relu", "flow-detached")
    assert cut.place is not None
    assert ".detach()" in cut.place.text


def test_report_is_text_table_html_and_dict() -> None:
    report = explain.flow(two_layers())
    assert json.loads(json.dumps(report.to_dict()))["rows"][0]["name"] == "0.weight"
    assert report._repr_html_().count("<tr>") == 5
    assert len(report.__rich__().renderables) == 2


def test_bad_input_is_refused() -> None:
    with pytest.raises(TypeError, match="needs a Module, but got int"):
        explain.flow(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="needs an optimizer second, but got float"):
        explain.flow(two_layers(), 0.1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="after backward"):
        explain.flow(nn.Linear(1, 1))
