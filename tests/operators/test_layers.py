"""Layers where PyTorch is no help: loops written out, derivatives that PyTorch gets wrong."""

from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad.autograd import gradcheck, gradgradcheck

F = torch.nn.functional


def numbers(*shape: int, seed: int = 0) -> Any:
    values = np.random.default_rng(seed).normal(size=shape)
    return torch.tensor(values, requires_grad=True)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(("stride", "padding", "dilation"), [(1, 0, 1), (2, 1, 1), (1, 2, 2)])
def test_convolution_is_a_sum_over_windows(
    groups: int, stride: int, padding: int, dilation: int
) -> None:
    x, w = numbers(2, 4, 6, 5), numbers(4, 4 // groups, 3, 2, seed=1)
    found = F.conv2d(x, w, None, stride, padding, dilation, groups).detach().numpy()
    big = np.pad(x.detach().numpy(), [(0, 0), (0, 0), (padding,) * 2, (padding,) * 2])
    inputs, outs = 4 // groups, 4 // groups
    for n, o, i, j in product(*map(range, found.shape)):
        first = o // outs * inputs
        window = big[
            n,
            first : first + inputs,
            i * stride : i * stride + 2 * dilation + 1 : dilation,
            j * stride : j * stride + dilation + 1 : dilation,
        ]
        assert found[n, o, i, j] == pytest.approx((window * w.detach().numpy()[o]).sum())


def test_layer_norm_of_one_element_depends_on_nothing() -> None:
    """An element less itself is 0, so that the output is the bias, whatever the weight."""
    x = torch.tensor([1e6], requires_grad=True)
    w, b = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0], requires_grad=True)
    y = F.layer_norm(x, (1,), w, b)
    assert y.tolist() == [3.0]
    dx, dw, db = torch.autograd.grad(y.sum(), (x, w, b))
    assert (dx.tolist(), dw.tolist(), db.tolist()) == ([0.0], [0.0], [1.0])


def gradient(function: Any) -> Any:
    """The gradient of a weighted sum, as a function."""

    def call(*inputs: Any) -> Any:
        out = function(*inputs)
        weights = torch.linspace(0.3, 1.7, out.numel(), dtype=torch.float64).reshape(out.shape)
        return torch.autograd.grad((out * weights).sum(), inputs, create_graph=True)

    return call


NORMS = {
    "layer": lambda x, w, b: F.layer_norm(x, (3, 2), w, b),
    "group": lambda x, w, b: F.group_norm(x, 1, w[:, 0], b[:, 0]),
    "batch": lambda x, w, b: F.batch_norm(x, None, None, w[:, 0], b[:, 0], True),
}


@pytest.mark.parametrize("norm", NORMS.values(), ids=NORMS)
def test_norms_at_third_order(norm: Any) -> None:
    inputs = [numbers(2, 3, 2), numbers(3, 2, seed=1), numbers(3, 2, seed=2)]
    assert gradcheck(norm, inputs)
    assert gradgradcheck(gradient(norm), inputs, gen_non_contig_grad_outputs=False)


BARE = {
    "layer": lambda x, b: F.layer_norm(x, (3, 2), None, b),
    "group": lambda x, b: F.group_norm(x, 3, None, b[:, 0]),
    "batch": lambda x, b: F.batch_norm(x, None, None, None, b[:, 0], True),
}


@pytest.mark.parametrize("norm", BARE.values(), ids=BARE)
def test_norms_with_a_bias_and_no_weight(norm: Any) -> None:
    """PyTorch's second derivatives raise here."""
    inputs = [numbers(2, 3, 2), numbers(3, 2, seed=1)]
    assert gradcheck(norm, inputs)
    assert gradgradcheck(norm, inputs)


def test_attention_is_differentiable_twice() -> None:
    """PyTorch's one kernel has no second derivative."""
    inputs = [numbers(1, 2, size, 2, seed=size) for size in (2, 3, 3)]
    assert gradgradcheck(F.scaled_dot_product_attention, inputs)
    queries = numbers(1, 4, 2, 2, seed=5)  # two heads share keys and values
    grouped = partial(F.scaled_dot_product_attention, enable_gqa=True)
    assert gradgradcheck(grouped, [queries, *inputs[1:]])


def test_bags_scale_each_row_by_its_own_frequency() -> None:
    """PyTorch divides the row after a repeated one by that one's number."""
    table = torch.ones(4, 1, requires_grad=True)
    rows, starts = torch.tensor([0, 1, 1, 2, 3]), torch.tensor([0])
    F.embedding_bag(rows, table, starts, scale_grad_by_freq=True, mode="sum").sum().backward()
    assert table.grad.flatten().tolist() == [1.0, 1.0, 1.0, 1.0]


def test_evaluating_leaves_running_statistics_alone() -> None:
    mean, var = torch.zeros(2), torch.ones(2)
    F.batch_norm(torch.ones(3, 2), mean, var)
    assert mean.tolist() == [0.0, 0.0]
    F.batch_norm(torch.ones(3, 2), mean, var, training=True)
    assert mean.tolist() == pytest.approx([0.1, 0.1])
    assert var.tolist() == pytest.approx([0.9, 0.9])
    assert mean._version == 0
