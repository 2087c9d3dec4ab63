"""What a copy says beyond PyTorch."""

import copy

import pytest

import seegrad as torch


def test_the_refusal_names_the_attribute_that_has_a_history() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(2, 1))
    net[0].last = net(torch.ones(1, 2))
    with pytest.raises(RuntimeError, match="graph leaves") as caught:
        copy.deepcopy(net)
    assert caught.value.__notes__ == [
        "The tensor with a history is the attribute '0.last' of Sequential."
    ]


def test_a_lone_result_needs_no_path() -> None:
    with pytest.raises(RuntimeError, match="graph leaves") as caught:
        copy.deepcopy(torch.ones(1, requires_grad=True) * 2)
    assert not hasattr(caught.value, "__notes__")
