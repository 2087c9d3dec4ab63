"""Parameters that a failed assertion speaks of, results that are dropped, hooks that never run."""

import pathlib

import pytest

from seegrad.explain.gradients.asserted import AssertedParameters
from seegrad.explain.gradients.gradientless import Gradientless
from seegrad.explain.gradients.lost_hooks import LostHooks
from seegrad.explain.optimizers.ledger import Ledger
from tests.explain.programs import findings, marked


def test_a_frozen_parameter_did_not_move(tmp_path: pathlib.Path) -> None:
    text = """
        net = torch.nn.Linear(2, 1)
        for name, p in net.named_parameters():
            p.requires_grad_(name == "weight")  # <-
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        before = {name: p.detach().clone() for name, p in net.named_parameters()}
        net(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        for name, p in net.named_parameters():
            assert not torch.equal(p, before[name])
    """
    (found,) = findings(tmp_path, text, AssertedParameters, fails=True)
    assert marked(found)
    assert (found.kind, found.weight) == ("frozen", 3)


@pytest.mark.parametrize(("line", "kinds"), [
    ("state[0] * state[0]", ["zero-unused-state"]),
    ("state[0] * state.sum()", []),  # all of it is read
])  # fmt: skip
def test_a_parameter_of_which_a_part_is_read(
    tmp_path: pathlib.Path, line: str, kinds: list[str]
) -> None:
    text = f"""
        state = torch.ones(2, 3, requires_grad=True)
        ({line}).sum().backward()  # <-
        assert state.grad[1].any()
    """
    found = findings(tmp_path, text, AssertedParameters, fails=bool(kinds))
    assert [one.kind for one in found] == kinds
    assert all(marked(one) for one in found)


def test_weights_that_are_copied_where_they_should_be_one(tmp_path: pathlib.Path) -> None:
    text = """
        a, b = torch.nn.Linear(3, 2), torch.nn.Linear(2, 3)
        b.weight.data = a.weight.data.t().clone()  # <-
        optimizer = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            b(a(torch.ones(1, 3))).pow(2).sum().backward()
            optimizer.step()
        gap = (a.weight - b.weight.t()).abs().max().item()
        assert gap == 0
    """
    (found,) = findings(tmp_path, text, Ledger, fails=True)
    assert marked(found)
    assert found.kind == "copied-not-linked"


NET = """
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.one = torch.nn.Sequential(torch.nn.Linear(2, 2))
            self.two = torch.nn.Linear(2, 2)
        def forward(self, x):
            {body}
    net = Net()
    net(torch.ones(1, 2)).sum().backward()
    assert net.one[0].weight.grad is not None
"""


@pytest.mark.parametrize("body", [
    """h = self.one(x)
            h = self.two(x)  # <-
            return h""",
    """h = self.one(x)
            gate = h.sigmoid() * 2  # <-
            return self.two(x)""",
    """self.one(x)  # <-
            return self.two(x)""",
])  # fmt: skip
def test_what_came_of_a_layer_is_dropped(tmp_path: pathlib.Path, body: str) -> None:
    (found,) = findings(tmp_path, NET.format(body=body), Gradientless, fails=True)
    assert marked(found)
    assert found.kind == "never-used"


@pytest.mark.parametrize("body", [
    "return self.two(x)",
    """h = self.one(x)
            if x.sum() < 0:
                return h
            return self.two(x)""",
    """h = self.two(x)
            if x.sum() < 0:
                h = self.one(x)
            return h""",
])  # fmt: skip
def test_a_layer_whose_result_is_not_dropped(tmp_path: pathlib.Path, body: str) -> None:
    (found,) = findings(tmp_path, NET.format(body=body), Gradientless, fails=True)
    assert found.place is not None
    assert found.place.function == "__init__"  # where it was made


@pytest.mark.parametrize(("write", "removed", "count"), [
    ("base[0] = 5.0", "", 1), ("base.mul_(2)", "", 1), ("base.mul_(2)", "handle.remove()", 0),
    ("base + 1", "", 0),
])  # fmt: skip
def test_a_hook_on_a_view_whose_base_is_written_to(
    tmp_path: pathlib.Path, write: str, removed: str, count: int
) -> None:
    text = f"""
        base = torch.ones(3, requires_grad=True) * 2
        view, seen = base[1:], []
        handle = view.register_hook(seen.append)
        {removed}
        {write}  # <-
        view.sum().backward()
        assert len(seen) == {int(write == "base + 1")}
    """
    found = findings(tmp_path, text, LostHooks)
    assert [(one.kind, marked(one)) for one in found] == [("view-regenerated", True)] * count
