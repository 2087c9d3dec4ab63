"""Parameters that are made anew after the optimizer: which are named, and which are right."""

import pathlib

from seegrad.explain.optimizers.ledger import Ledger
from seegrad.explain.optimizers.slots import Slots
from tests.explain.programs import findings, marked

START = """
    from seegrad import nn
    net = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.ones(5, 3)
"""
TRAINED = """
    for _ in range(4):
        opt.zero_grad()
        net(x).pow(2).mean().backward()
        opt.step()
"""
REPLACED = [
    "net[0].weight = nn.Parameter(net[0].weight.detach().relu())  # <-",
    "setattr(net[1], 'bias', nn.Parameter(torch.zeros(1)))  # <-",
    "net.load_state_dict({k: v * 2 for k, v in net.state_dict().items()}, assign=True)  # <-",
]
RIGHT = [
    "net[0].weight.data = net[0].weight.data.relu()",
    "net[1].bias = b = nn.Parameter(torch.ones(1))\n    opt.add_param_group({'params': [b]})",
    "net[1].bias = nn.Parameter(torch.ones(1))\n"
    "    opt = torch.optim.SGD(net.parameters(), lr=0.1)",
]


def test_new_parameters_that_the_optimizer_does_not_have(tmp_path: pathlib.Path) -> None:
    for number, line in enumerate(REPLACED):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = findings(folder, f"{START}    {line}\n{TRAINED}", Slots, Ledger)
        assert found[0].kind == "replaced-parameter", line
        assert marked(found[0]), line


def test_new_parameters_that_it_has(tmp_path: pathlib.Path) -> None:
    for number, line in enumerate(RIGHT):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert findings(folder, f"{START}    {line}\n{TRAINED}", Slots, Ledger) == [], line
