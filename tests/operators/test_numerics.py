"""Values and derivatives where naive formulas overflow, cancel or divide by zero."""

import math
from typing import Any

import numpy as np
import pytest

import seegrad as torch


def derivatives(function: Any, at: float, order: int) -> list[float]:
    """Value and derivatives of a function of one number."""
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    found = [function(x)]
    for _ in range(order):
        found += torch.autograd.grad(found[-1], x, create_graph=True)
    return [one.item() for one in found]


def test_sinc_at_zero() -> None:
    """sinc x = 1 - (pi x)^2 / 6 + (pi x)^4 / 120 - ..."""
    wanted = [1.0, 0.0, -(math.pi**2) / 3, 0.0, math.pi**4 / 5]
    assert derivatives(torch.sinc, 0.0, 4) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("at", [1e-9, 1e-4, 0.3, 0.7, 1.5, 4.0, -9.5])
def test_sinc_is_smooth(at: float) -> None:
    """With t = pi x: f'' = pi^2 (2 sin t / t^3 - 2 cos t / t^2 - sin t / t)."""
    t = math.pi * at
    wanted = -(math.pi**2) / 3 + math.pi**4 * at**2 / 10
    if abs(at) > 0.1:
        wanted = math.pi**2 * (2 * math.sin(t) / t**3 - 2 * math.cos(t) / t**2 - math.sin(t) / t)
    assert derivatives(torch.sinc, at, 2)[2] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("apart", [0.0, 3.0, 40.0, 800.0, -800.0])
def test_logaddexp_far_apart(apart: float) -> None:
    """d/dx log(e^x + e^0) is the sigmoid s of x, the second derivative s (1 - s)."""
    share = 1 / (1 + math.exp(-apart)) if apart > 0 else math.exp(apart) / (1 + math.exp(apart))
    zero = torch.zeros((), dtype=torch.float64)
    found = derivatives(lambda x: torch.logaddexp(x, zero), apart, 2)
    assert found[1] == pytest.approx(share, rel=1e-12)
    assert found[2] == pytest.approx(share * (1 - share), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("x", [-800.0, -40.0, 0.0, 40.0, 800.0])
def test_softplus_and_its_kin_far_out(x: float) -> None:
    for function in (
        torch.nn.functional.softplus,
        torch.nn.functional.logsigmoid,
        torch.sigmoid,
        torch.nn.functional.silu,
        torch.nn.functional.mish,
        torch.nn.functional.elu,
        torch.nn.functional.gelu,
    ):
        assert all(math.isfinite(one) for one in derivatives(function, x, 2))


def test_logsumexp_of_large_numbers() -> None:
    x = torch.tensor([1000.0, 1000.0, 999.0], dtype=torch.float64, requires_grad=True)
    total = torch.logsumexp(x, 0)
    assert total.item() == pytest.approx(1000 + math.log(2 + math.exp(-1)), rel=1e-6)
    (grad,) = torch.autograd.grad(total, x)
    assert grad.sum().item() == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("size", [1e30, 1e-30])
def test_norms_of_single_precision_keep_their_range(size: float) -> None:
    x = torch.tensor([3 * size, 4 * size], requires_grad=True)
    norm = torch.linalg.vector_norm(x)
    assert norm.item() == pytest.approx(5 * size, rel=1e-6)
    (grad,) = torch.autograd.grad(norm, x)
    assert grad.tolist() == pytest.approx([0.6, 0.8], rel=1e-6)


@pytest.mark.parametrize("order", [1.5, 2, 3])
@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_norms_of_double_precision_keep_their_range(size: float, order: float) -> None:
    x = torch.tensor([3 * size, 4 * size], dtype=torch.float64)
    wanted = (3**order + 4**order) ** (1 / order) * size
    assert torch.linalg.vector_norm(x, order).item() == pytest.approx(wanted, rel=1e-12)


def product_of_others(values: list[float], *left_out: int) -> float:
    return math.prod(v for i, v in enumerate(values) if i not in left_out)


@pytest.mark.parametrize("values", [[0.0, 2.0, 3.0, 4.0], [0.0, 0.0, 3.0, 4.0], [0.0] * 3])
@pytest.mark.parametrize("name", ["prod", "cumprod"])
def test_products_with_zeros(name: str, values: list[float]) -> None:
    """First and second derivatives are products of what is left out."""

    def product(x: Any) -> Any:
        return torch.prod(x) if name == "prod" else torch.cumprod(x, 0)[-1]

    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    (grad,) = torch.autograd.grad(product(x), x, create_graph=True)
    count = len(values)
    assert grad.tolist() == [product_of_others(values, i) for i in range(count)]
    for i in range(count):
        (second,) = torch.autograd.grad(grad[i], x, retain_graph=True, allow_unused=True)
        row = [0.0 if i == j else product_of_others(values, i, j) for j in range(count)]
        assert second.tolist() == row


def test_third_derivative_of_a_product() -> None:
    """x y z has the mixed third derivative 1, at zero too."""
    x = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(torch.prod(x), x, create_graph=True)
    (second,) = torch.autograd.grad(first[0], x, create_graph=True)
    (third,) = torch.autograd.grad(second[1], x)
    assert third.tolist() == [0.0, 0.0, 1.0]


def test_logcumsumexp_is_stable() -> None:
    x = torch.tensor([-1000.0, 0.0, 1000.0, -math.inf], dtype=torch.float64, requires_grad=True)
    result = torch.logcumsumexp(x, 0)
    assert result.tolist() == [-1000.0, 0.0, 1000.0, 1000.0]
    (grad,) = torch.autograd.grad(result, x, torch.ones(4, dtype=torch.float64))
    np.testing.assert_array_equal(grad.tolist(), [1.0, 1.0, 2.0, 0.0])


def test_log10_of_powers_of_ten_is_exact() -> None:
    powers = torch.tensor([10.0**n for n in range(-5, 11)])
    assert torch.log10(powers).tolist() == [float(n) for n in range(-5, 11)]


# Sizes: what is homogeneous keeps its range, with the gradients that scaling says.

F = torch.nn.functional
HOMOGENEOUS: dict[str, tuple[int, Any]] = {
    "norm": (1, lambda x, y: x.norm()),
    "norm -1": (1, lambda x, y: x.norm(-1)),
    "norm -2": (1, lambda x, y: x.norm(-2)),
    "rows": (1, lambda x, y: torch.linalg.vector_norm(torch.stack([x, y]), dim=1)),
    "frobenius": (1, lambda x, y: torch.linalg.matrix_norm(torch.stack([x, y]))),
    "spectral": (1, lambda x, y: torch.linalg.matrix_norm(torch.stack([x, y]), 2)),
    "columns": (1, lambda x, y: torch.linalg.matrix_norm(torch.stack([x, y]), 1)),
    "complex": (1, lambda x, y: torch.complex(x, y).norm()),
    "abs": (1, lambda x, y: torch.complex(x, y).abs()),
    "hypot": (1, lambda x, y: torch.hypot(x, y)),
    "std": (1, lambda x, y: (x * y.sign()).std()),
    "dist": (1, lambda x, y: torch.dist(x, y)),
    "dist 3": (1, lambda x, y: torch.dist(x, y, 3)),
    "cdist": (1, lambda x, y: torch.cdist(x[None], y[None])),
    "cdist 3": (1, lambda x, y: torch.cdist(x[None], y[None], 3.0)),
    "pairwise": (1, lambda x, y: F.pairwise_distance(x, y, eps=0)),
    "normalize": (0, lambda x, y: F.normalize(x, dim=0, eps=0)),
    "normalize 3": (0, lambda x, y: F.normalize(x, p=3, dim=0, eps=0)),
    "cosine": (0, lambda x, y: F.cosine_similarity(x, y, dim=0, eps=0)),
    "angle": (0, lambda x, y: torch.complex(x, y).angle()),
    "atan2": (0, lambda x, y: torch.atan2(x, y)),
}


def value_and_slopes(name: str, scale: float, dtype: Any) -> list[Any]:
    x = (torch.tensor([3.0, 4.0, 1.0], dtype=dtype) * scale).requires_grad_()
    y = (torch.tensor([-1.0, 2.0, 2.0], dtype=dtype) * scale).requires_grad_()
    value = HOMOGENEOUS[name][1](x, y)
    slopes = torch.autograd.grad(value.sum(), (x, y), materialize_grads=True, allow_unused=True)
    return [t.detach().double().numpy() for t in (value, *slopes)]


@pytest.mark.parametrize("exponent", [24, -22])
@pytest.mark.parametrize("name", HOMOGENEOUS)
def test_sizes_keep_their_range(name: str, exponent: int) -> None:
    degree, scale = HOMOGENEOUS[name][0], 10.0**exponent
    plain = value_and_slopes(name, 1.0, torch.float64)
    scaled = value_and_slopes(name, scale, torch.float32)
    expected = [plain[0] * scale**degree, *(s * scale ** (degree - 1) for s in plain[1:])]
    for found, wanted in zip(scaled, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-6 * abs(wanted).max())


@pytest.mark.parametrize("exponent", [160, -160])
def test_std_of_double_precision_keeps_its_range(exponent: int) -> None:
    plain = value_and_slopes("std", 1.0, torch.float64)
    scaled = value_and_slopes("std", 10.0**exponent, torch.float64)
    np.testing.assert_allclose(scaled[0], plain[0] * 10.0**exponent)
    np.testing.assert_allclose(scaled[1], plain[1], atol=1e-15)


def test_renorm_of_large_numbers() -> None:
    x = torch.tensor([[3e25, 4e25], [3.0, 4.0]], requires_grad=True)
    y = torch.renorm(x, 2, 0, 1.0)
    np.testing.assert_allclose(y.detach().numpy(), [[0.6, 0.8], [0.6, 0.8]], rtol=1e-6)
    (slopes,) = torch.autograd.grad(y[:, 0].sum(), x)
    one = np.array([0.128, -0.096])
    np.testing.assert_allclose(slopes.numpy(), [one * 1e-25, one], rtol=1e-5)


def test_clipping_of_large_gradients() -> None:
    weight = torch.zeros(2, requires_grad=True)
    weight.grad = torch.tensor([3e25, 4e25])
    total = torch.nn.utils.clip_grad_norm_([weight], 1.0)
    assert total.item() == pytest.approx(5e25)
    assert weight.grad.tolist() == pytest.approx([0.6, 0.8])


# Second derivatives at the points where formulas divide by zero.


@pytest.mark.parametrize("order", [0.5, 1, 1.5, 2, 3, math.inf, -1])
def test_second_derivatives_of_norms_at_zero(order: float) -> None:
    for values in ([0.0, 0.0], [0.0, 2.0])[: 1 if order == 2 else 2]:
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        (first,) = torch.autograd.grad(x.norm(order), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        np.testing.assert_allclose(second.numpy(), 0.0, atol=1e-15)


def second(function: Any, at: float) -> float:
    """The second derivative of a function of one number."""
    return derivatives(function, at, 2)[2]


@pytest.mark.parametrize("at", [-1000.0, -30.0, 0.0, 2.0, 30.0, 1000.0])
def test_second_derivatives_far_out(at: float) -> None:
    bell = float(np.exp(-abs(at)) / (1 + np.exp(-abs(at))) ** 2)
    other = torch.zeros((), dtype=torch.float64)
    two = math.log(2)
    tail = float(np.exp2(-abs(at)) / (1 + np.exp2(-abs(at))) ** 2)
    for function, wanted in (
        (F.softplus, bell if at <= 20 else 0.0),
        (F.logsigmoid, -bell),
        (lambda x: torch.logaddexp(x, other), bell),
        (lambda x: torch.logaddexp2(x, other), two * tail),
        (lambda x: F.soft_margin_loss(x, other + 1), bell),
        (lambda x: torch.logsumexp(torch.stack([x, other]), 0), bell),
    ):
        assert second(function, at) == pytest.approx(wanted, rel=1e-6, abs=1e-12)


def test_second_derivatives_of_xlogy() -> None:
    assert second(lambda x: torch.xlogy(x, x + 3), 0.0) == pytest.approx(2 / 3)
    assert second(lambda y: torch.xlogy(0.0, y), 2.0) == 0.0


@pytest.mark.parametrize("function", [F.elu, F.selu, F.celu])
def test_second_derivatives_at_the_bend_of_elu(function: Any) -> None:
    assert second(function, 0.0) == 0.0


def test_gelu_by_tanh_far_out() -> None:
    for at in (-1e4, -40.0, 40.0, 1e4):
        assert second(lambda x: F.gelu(x, approximate="tanh"), at) == 0.0


@pytest.mark.parametrize("far", [-1e3, -60.0, -5.0, 0.0, 60.0, 70.0, 1e3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_softmax_far_out(far: float, dtype: Any) -> None:
    """Whether a shift is needed or not: shares of a millionth of a millionth are exact too."""
    steps = np.array([[0.0, -25.0, -1.0, 3.0], [-30.0, 2.0, -2.0, -np.inf]])
    x = torch.tensor(steps, dtype=dtype) + far
    exact = x.numpy().astype(np.float64) - far
    wanted = np.exp(exact) / np.exp(exact).sum(1, keepdims=True)
    tolerance = 1e-6 if dtype is torch.float32 else 1e-14
    np.testing.assert_allclose(torch.softmax(x, 1).numpy(), wanted, rtol=tolerance)
