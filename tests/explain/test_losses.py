"""Losses that compute something else than was meant, planted; and those that only look like it."""

import pathlib

import pytest

from tests.explain.watched import run

HEAD = """
torch.manual_seed(0)
x, y = torch.randn(8, 3), torch.randn(8)
kinds = torch.arange(8) % 3
net = nn.Linear(3, 1)
scores = nn.Linear(3, 3)
optimizer = torch.optim.SGD([*net.parameters(), *scores.parameters()], lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    {}
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("loss = ((net(x) - y) ** 2).mean()", "loss-broadcast"),
        ("loss = (y - net(x)).abs().sum() / 8", "loss-broadcast"),
        ("loss = F.l1_loss(net(x), y)", "loss-broadcast"),
        (
            "loss = F.cross_entropy(scores(x).softmax(1), kinds)",
            "loss-softmax-before-cross-entropy",
        ),
        (
            "loss = F.binary_cross_entropy_with_logits(net(x).sigmoid(), y.sigmoid()[:, None])",
            "loss-softmax-before-cross-entropy",
        ),
        (
            "loss = F.nll_loss(scores(x).softmax(1), kinds)",
            "loss-softmax-before-cross-entropy",
        ),
        (
            "loss = F.nll_loss(scores(x).softmax(1).log_softmax(1), kinds)",
            "flow-double-softmax",
        ),
        ("loss = F.cross_entropy(scores(x), kinds + 1)", "loss-target-class"),
        (
            "loss = F.binary_cross_entropy_with_logits(net(x)[:, 0], y.sign())",
            "loss-target-class",
        ),
        ("loss = F.cross_entropy(net(x), 0 * kinds)", "loss-constant"),
        ("loss = (net(x).softmax(1)[:, 0] - y).square().mean()", "loss-constant"),
        ("e = y - net(x); loss = torch.maximum(0.3 * e, -0.7 * e).mean()", "loss-broadcast"),
        ("loss = F.normalize(scores(x), dim=1).square().sum(1).mean()", "loss-constant"),
        ("z = scores(x); loss = ((z - z.mean(0)) / z.std(0)).mean()", "loss-constant"),
        ("z = net(x); loss = F.mse_loss(z, z)", "loss-constant"),
        (
            "e = scores(x).exp(); p = e / e.sum(1, True); loss = F.cross_entropy(p, kinds)",
            "loss-softmax-before-cross-entropy",
        ),
        ("loss = F.binary_cross_entropy(net(x).sigmoid()[:, 0], y.sign())", "loss-target-class"),
        ("loss = F.soft_margin_loss(net(x)[:, 0], (y > 0).float())", "loss-target-class"),
    ],
)
@pytest.mark.filterwarnings("ignore:Using a target size")
def test_planted_losses(tmp_path: pathlib.Path, line: str, kind: str) -> None:
    assert run(tmp_path, HEAD.format(line)) == [(kind, line)]


@pytest.mark.parametrize(
    "line",
    [
        "loss = ((net(x)[:, 0] - y) ** 2).mean()",
        "loss = F.mse_loss(net(x).T, y[None])",
        "pairs = net(x) - net(x)[:, 0]; loss = pairs.square().mean()",
        "loss = ((net(x) - y[None, :]) ** 2).mean()",
        "loss = F.cross_entropy(scores(x), scores(x).softmax(1).detach())",
        "loss = F.nll_loss(scores(x).log_softmax(1), kinds)",
        "loss = F.binary_cross_entropy(net(x).sigmoid()[:, 0], y.sigmoid())",
        "loss = (scores(x).softmax(1).log() * 0.1).mean()",
        "e = y[:, None] - net(x); loss = torch.maximum(0.3 * e, -0.7 * e).mean()",
        "z = F.normalize(scores(x), dim=1); loss = (z @ z.T).square().mean()",
        "loss = F.soft_margin_loss(net(x)[:, 0], y.sign())",
        "e = scores(x).exp(); loss = (e / e.sum(1, True)).log()[:, 0].mean()",
    ],
)
def test_losses_that_are_meant(tmp_path: pathlib.Path, line: str) -> None:
    assert run(tmp_path, HEAD.format(line)) == []


SECOND = """
net = nn.Sequential(nn.Linear(1, 8), nn.{}(), nn.Linear(8, 1))
t = torch.linspace(0, 1, 5)[:, None].requires_grad_()
for _ in range(2):
    (first,) = torch.autograd.grad(net(t).sum(), t, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), t, create_graph=True)
"""


def test_second_derivative_of_straight_pieces(tmp_path: pathlib.Path) -> None:
    # The line of the network makes several layers, so the derivative's own is named.
    found = run(tmp_path, SECOND.format("ReLU"))
    line = "(second,) = torch.autograd.grad(first.sum(), t, create_graph=True)"
    assert found == [("loss-relu-second-derivative", line)]


def test_second_derivative_of_straight_pieces_once(tmp_path: pathlib.Path) -> None:
    text = SECOND.format("ReLU").replace("range(2)", "range(1)")
    assert [kind for kind, _ in run(tmp_path, text)] == ["loss-relu-second-derivative"]


def test_second_derivative_of_a_plain_relu_is_no_fault(tmp_path: pathlib.Path) -> None:
    text = SECOND.format("ReLU").replace("net(t)", "t.relu()").replace("range(2)", "range(1)")
    assert run(tmp_path, text) == []


TARGET = """
torch.manual_seed(0)
net, reward, state = nn.Linear(3, 1), torch.randn({}), torch.randn(8, 3)
for _ in range(3):
    with torch.no_grad():
        target = reward + 0.9 * net(state)
    loss = F.mse_loss(net(state), target)
    loss.backward()
"""


@pytest.mark.filterwarnings("ignore:Using a target size")
def test_target_broadcast_without_gradients(tmp_path: pathlib.Path) -> None:
    found = run(tmp_path, TARGET.format("8"))
    assert found == [("loss-broadcast", "target = reward + 0.9 * net(state)")]


def test_target_of_the_right_shape(tmp_path: pathlib.Path) -> None:
    assert run(tmp_path, TARGET.format("8, 1")) == []


def test_second_derivative_of_a_smooth_network(tmp_path: pathlib.Path) -> None:
    assert run(tmp_path, SECOND.format("Tanh")) == []
