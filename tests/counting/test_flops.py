"""The table, attention, and that nobody counts afterwards."""

import pytest

import seegrad as torch
from seegrad.arrays import raw
from seegrad.utils import _flops
from seegrad.utils.flop_counter import FlopCounterMode

TABLE = """\
Module          FLOP    % Total
------------  ------  ---------
Net             1044    100.00%
- aten.addmm     372     35.63%
- aten.mm        672     64.37%
Net.a            240     22.99%
- aten.addmm     120     11.49%
- aten.mm        120     11.49%
Net.b            756     72.41%
- aten.addmm     252     24.14%
- aten.mm        504     48.28%
"""  # what PyTorch prints for this network, with tabulate installed
LARGE = """\
Module             FLOP    % Total
------------  ---------  ---------
Linear        6000.000M    100.00%
- aten.addmm  6000.000M    100.00%"""


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = torch.nn.Linear(4, 5)
        self.b = torch.nn.Sequential(torch.nn.Linear(5, 6), torch.nn.ReLU(), torch.nn.Linear(6, 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.b(self.a(x)) @ torch.ones(2, 2)
        return result


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    with FlopCounterMode() as counter:
        Net()(torch.ones(3, 4)).sum().backward()
    assert capsys.readouterr().out == TABLE
    assert counter.get_table(0).splitlines()[2].split() == ["Global", "1044", "100.00%"]
    assert counter.get_table(3).count("Net.b.") == 2
    counter.flop_counts = {"Global": {"aten.addmm": 6 * 10**9}}
    counter.flop_counts["Linear"] = counter.flop_counts["Global"]
    counter._order = {"Linear": None}
    assert counter.get_table() == LARGE


def test_nothing() -> None:
    with FlopCounterMode(display=False) as counter:
        pass
    assert counter.get_flop_counts() == {"Global": {}}
    assert counter.get_table().splitlines()[2].split() == ["Global", "0", "0%"]
    with pytest.raises(NotImplementedError, match="custom_mapping"):
        FlopCounterMode(custom_mapping={"mm": len})


@pytest.mark.oracle
def test_attention_is_counted_as_pytorch_counts_its_kernel() -> None:
    theirs = pytest.importorskip("torch.utils.flop_counter")
    q, k, v = ((2, 3, 4, 8), (2, 3, 5, 8), (2, 3, 5, 8))
    tensors = [torch.randn(*size, requires_grad=True) for size in (q, k, v)]
    with FlopCounterMode(display=False) as counter:
        torch.nn.functional.scaled_dot_product_attention(*tensors).sum().backward()
    name = "aten._scaled_dot_product_flash_attention"
    assert counter.get_flop_counts()["Global"] == {
        name: theirs.sdpa_flop_count(q, k, v),
        name + "_backward": theirs.sdpa_backward_flop_count(q, q, k, v),
    }


def test_counters_inside_of_each_other_and_afterwards() -> None:
    a = torch.ones(2, 2)
    torch.arange(4).reshape(2, 2) @ torch.arange(4).reshape(2, 2)
    with FlopCounterMode(display=False) as outer, FlopCounterMode(display=False) as inner:
        a @ a
        torch.arange(4).reshape(2, 2) @ torch.arange(4).reshape(2, 2)
    assert outer.get_total_flops() == inner.get_total_flops() == 32
    with pytest.raises(KeyError), FlopCounterMode(display=False):
        raise KeyError
    a @ a
    assert outer.get_total_flops() == 32
    assert all(getattr(raw, name) is kernel for name, kernel in _flops._ORIGINAL.items())
    kernels = [s.get("kernel") for name in _flops.FORMULAS for s in _flops.SCOPES[name]]
    assert not any(getattr(kernel, "__name__", "") == "counted" for kernel in kernels)


def test_a_module_that_fails_is_left() -> None:
    net = Net()
    with FlopCounterMode(display=False) as counter:
        with pytest.raises(RuntimeError):
            net(torch.ones(3, 5))
        torch.ones(2, 2) @ torch.ones(2, 2)
    assert counter.get_flop_counts() == {"Global": {"aten.mm": 16}}
