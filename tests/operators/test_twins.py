"""Every method and function that writes into its tensor does what PyTorch's does.

The names are PyTorch's, asked live: each `X_` of which both libraries have the `X` that leaves its
tensor alone. Compared are the value, the version, all nodes and the gradients.
"""

import warnings
from typing import Any

import pytest

import seegrad
from tests.graph.stateful.machine import Machine

FLOATS = "[[0.41, 0.83, 0.25], [0.62, 0.17, 0.94]]"
LEAVES = [
    f"t0 = torch.tensor({FLOATS}, dtype=torch.float64, requires_grad=True)",
    "t1 = torch.tensor([[0.3, 0.9, 0.55], [0.75, 0.2, 0.6]], dtype=torch.float64,"
    " requires_grad=True)",
    "t2 = t0 * 1",
]
NUMBERS = [
    "t2 = torch.tensor([[6, 1, 3], [2, 5, 4]])",
    "t1 = torch.tensor([[1, 3, 2], [1, 1, 3]])",
]
ROWS = "torch.tensor([1, 0])"
PLACES = "torch.tensor([[1, 0, 1]])"
MASK = "torch.tensor([True, False, True])"
SQUARE = "torch.ones(2, 2, dtype=torch.float64)"
BATCH = "torch.ones(2, 2, 4, dtype=torch.float64)"

# What is given to the methods that want something, in one way or another.
TENSOR = ["t1", "t1[0]", "0.5", "2"]
ONLY_TENSORS = ["t1", "t1[0]"]
WHOLE = ["t1", "2"]
ARGUMENTS: dict[str, list[str]] = {
    "addmv_": ["t1.T, t1[:, 0]", "t1.T, t1[:, 0], beta=0.5"],
    "baddbmm_": [f"{SQUARE}[None], t1[None]", f"{SQUARE}[None], t1[None], alpha=2"],
    "add_": [*TENSOR, "t1, alpha=2"],
    "addbmm_": [f"{BATCH}, torch.ones(2, 4, 3).double()"],
    "addcdiv_": ["t1, t1 + 1", "t1, t1, value=0.5"],
    "addcmul_": ["t1, t1 + 1", "t1, t1[0], value=0.5"],
    "addmm_": [f"{SQUARE}, t1", f"{SQUARE}, t1, beta=0.5, alpha=2"],
    "addr_": ["t1[:, 0], t1[0]", "t1[:, 0], t1[0], beta=0.5, alpha=2"],
    "arctan2_": ONLY_TENSORS,
    "as_strided_": ["(2, 2), (1, 2)", "(3,), (1,), 1"],
    "atan2_": ONLY_TENSORS,
    "bernoulli_": ["", "0.3"],
    "bitwise_and_": WHOLE,
    "bitwise_left_shift_": WHOLE,
    "bitwise_not_": [""],
    "bitwise_or_": WHOLE,
    "bitwise_right_shift_": WHOLE,
    "bitwise_xor_": WHOLE,
    "clamp_": ["0.3, 0.7", "min=0.4", "max=0.5", "t1 - 0.2, t1"],
    "clamp_max_": ["0.5", "t1"],
    "clamp_min_": ["0.5", "t1"],
    "clip_": ["0.3, 0.7", "max=0.5"],
    "copysign_": ["t1", "-1.0"],
    "cumprod_": ["0", "1"],
    "cumsum_": ["0", "-1"],
    "alpha_dropout_": ["0.4, True"],
    "feature_dropout_": ["0.4, True"],
    "dropout_": ["0.4, True"],
    "feature_alpha_dropout_": ["0.4, True"],
    "renorm_": ["2, 0, 0.5", "1, 1, 0.3"],
    "rrelu_": ["", "0.2, 0.5, True"],
    "fill_": ["0.5", "t1[0, 0]"],
    "threshold_": ["0.3, 0.5"],
    "div_": [*TENSOR, "t1, rounding_mode='floor'", "0.2, rounding_mode='trunc'"],
    "divide_": TENSOR,
    "float_power_": ["t1", "2"],
    "floor_divide_": ["t1.detach()", "0.2"],
    "fmod_": TENSOR,
    "heaviside_": ["t1.detach()"],
    "gcd_": ["t1"],
    "hypot_": ONLY_TENSORS,
    "igamma_": ["t1.detach()"],
    "igammac_": ["t1.detach()"],
    "index_add_": [f"0, {ROWS}, t1", f"0, {ROWS}, t1, alpha=2"],
    "index_copy_": [f"0, {ROWS}, t1"],
    "index_fill_": [f"0, {ROWS}, 0.5", f"0, {ROWS}, t1[0, 0]"],
    "index_put_": [f"({ROWS},), t1", f"({ROWS},), t1, accumulate=True", "(t2 > 0.5,), t1[0, 0]"],
    "index_reduce_": [f"0, {ROWS}, t1, 'prod'", f"0, {ROWS}, t1, 'amax', include_self=False"],
    "lcm_": ["t1"],
    "ldexp_": ["t1"],
    "lerp_": ["t1, 0.3", "t1, t1"],
    "logical_and_": ["t1"],
    "logical_or_": ["t1"],
    "logical_xor_": ["t1"],
    "logit_": ["", "0.3"],
    "masked_fill_": [f"{MASK}, 0.5", f"{MASK}, t1[0, 0]"],
    "masked_scatter_": [f"{MASK}, t1"],
    "mul_": TENSOR,
    "multiply_": TENSOR,
    "mvlgamma_": ["1"],
    "nan_to_num_": ["", "0.5"],
    "nextafter_": ["t1"],
    "polygamma_": ["1", "2"],
    "pow_": ["t1", "2", "0.5", "0"],
    "put_": [f"{ROWS}, t1[0, :2]", f"{ROWS}, t1[0, :2], accumulate=True"],
    "remainder_": TENSOR,
    "round_": ["", "decimals=1"],
    "scatter_": [f"0, {PLACES}, t1[:1]", f"0, {PLACES}, 0.5"],
    "scatter_add_": [f"0, {PLACES}, t1[:1]"],
    "scatter_reduce_": [f"0, {PLACES}, t1[:1], '{way}'" for way in ("sum", "prod", "amax")],
    "squeeze_": ["", "0"],
    "sub_": [*TENSOR, "t1, alpha=2"],
    "subtract_": TENSOR,
    "swapaxes_": ["0, 1"],
    "swapdims_": ["0, -1"],
    "transpose_": ["0, 1"],
    "tril_": ["", "1"],
    "triu_": ["", "-1"],
    "true_divide_": TENSOR,
    "unsqueeze_": ["0", "-1"],
    "xlogy_": TENSOR,
}
for _name in ("eq", "ge", "greater", "greater_equal", "gt", "le", "less", "less_equal", "lt", "ne",
              "not_equal"):  # fmt: skip
    ARGUMENTS[f"{_name}_"] = ["t1", "0.5"]
# What `t2` is for those that want another shape.
SHAPED = {"addmv_": ["t2 = t0[0] * 1"], "baddbmm_": ["t2 = t0[None] * 1"]}
NO_TWINS = {"requires_grad_", "resize_", "resize_as_"}  # change no numbers
# Whose nodes are our own: zero gradients all the same.
OTHER_NODES = {"bernoulli_", "floor_divide_", "heaviside_"}
# PyTorch's gradient of `sgn` is a tensor of zeros without memory, which has nothing to show; of
# these others it has none, we have that of the plain function; of the last nobody has one.
NO_GRADIENT = {"sgn_", "acosh_", "arccosh_", "arcsinh_", "arctanh_", "asinh_", "atanh_"}
NO_GRADIENT |= {"floor_divide_", "heaviside_", "igamma_", "igammac_"}


def names_of(owner: Any, ours: Any) -> list[str]:
    """The names of PyTorch's that end in `_`, where both have the name without."""
    names = [n for n in dir(owner) if n.endswith("_") and not n.startswith("_")]
    pairs = [(n, n[:-1]) for n in names if n not in NO_TWINS]
    return [n for n, plain in pairs if hasattr(owner, plain) and hasattr(ours, plain)]


def starts(name: str) -> list[str]:
    """The lines that make the tensors: of whole numbers for those that want them."""
    if name.startswith("bitwise") or name in ("gcd_", "lcm_"):
        return NUMBERS
    return [*LEAVES, *SHAPED.get(name, [])]


def assert_same(name: str, lines: list[str], torch: Any) -> None:
    """Runs lines in both libraries, none of which may be refused; raises where they differ."""
    machine = Machine(torch, seegrad)
    lines = ["_ = torch.manual_seed(0)", *lines]
    if name not in OTHER_NODES:
        lines.append("see(t2)")
    if "requires_grad" in lines[1] and name not in NO_GRADIENT:
        lines += ["t2.requires_grad and t2.sum().backward()", "see(t0, t1)"]
    for line in lines:
        assert machine.run(line), machine.errors
    assert machine.errors == []


@pytest.mark.oracle
def test_methods_that_write() -> None:
    torch = pytest.importorskip("torch")
    names = names_of(torch.Tensor, seegrad.Tensor)
    assert len(names) > 120
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            start = starts(name)
            for arguments in ARGUMENTS.get(name, [""]):
                assert_same(name, [*start, f"_ = t2.{name}({arguments})"], torch)


@pytest.mark.oracle
@pytest.mark.parametrize("module", ["torch", "torch.nn.functional"])
def test_functions_that_write(module: str) -> None:
    torch = pytest.importorskip("torch")
    pairs = {"torch": (torch, seegrad),
             "torch.nn.functional": (torch.nn.functional, seegrad.nn.functional)}  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names_of(*pairs[module]):
            for arguments in ARGUMENTS.get(name, [""]):
                call = ", ".join(filter(None, ["t2", arguments]))
                assert_same(name, [*starts(name), f"_ = {module}.{name}({call})"], torch)


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["elu", "celu", "leaky_relu"])
def test_slopes_below_zero_are_refused_by_backward(name: str) -> None:
    torch = pytest.importorskip("torch")
    machine = Machine(torch, seegrad)
    for line in [*LEAVES, f"_ = torch.nn.functional.{name}_(t2, -0.5)"]:
        assert machine.run(line)
    assert not machine.run("t2.sum().backward()")
