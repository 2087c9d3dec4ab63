"""The text of tensors, held against PyTorch's to the character."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import dtype
from seegrad.arrays.printing import get_printoptions, set_printoptions, tensor_text

torch = pytest.importorskip("torch")


def set_both(**chosen: Any) -> None:
    set_printoptions(**chosen)
    torch.set_printoptions(**chosen)


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    set_both(profile="default")
    yield
    set_both(profile="default")


def suffixes_of(tensor: Any) -> list[str]:
    if tensor.grad_fn is not None:
        return [f"grad_fn=<{type(tensor.grad_fn).__name__}>"]
    return ["requires_grad=True"] if tensor.requires_grad else []


def text_of(tensor: Any) -> str:
    """Return our text of PyTorch's tensor."""
    of = dtypes.NAMES[str(tensor.dtype).removeprefix("torch.")]
    plain = tensor.detach()
    if of is dtypes.bfloat16:
        array = plain.float().numpy().astype(ml_dtypes.bfloat16)
    else:
        array = plain.numpy()
    return tensor_text(array, of, suffixes_of(tensor))


def assert_same(tensor: Any) -> None:
    assert text_of(tensor) == repr(tensor)


INF, NAN = float("inf"), float("nan")
VALUES: list[Any] = [
    [],
    [[], []],
    1.0,
    1.5,
    -0.0,
    3,
    True,
    1 + 2j,
    NAN,
    INF,
    1e10,
    1e-10,
    123456.789,
    [0.0],
    [-0.0, 0.0],
    [NAN],
    [NAN, 0.0, -INF],
    [1.0, NAN, INF, -INF],
    [1.5, NAN, INF, -INF],
    [1e-5, 1.0],
    [1e5, 1e-3],
    [1e8, 1e8],
    [1.0001e8, 2e8],
    [99999999.0, 1.0],
    [1000.0, 1.0],
    [1001.0, 1.0],
    [1000.5, 1.0005],
    [9.9999e-5, 0.05],
    [0.0, 1e-10],
    [0.99999, 1.99999],
    [9.99999, 10.0001],
    [True, False],
    [[True], [False]],
    [1, -100000],
    [1 + 2.5j, 3 + 4j],
    [1e-9 + 2.5j, 3 + 4j],
    [complex(NAN, 1), complex(0.5, -INF)],
    [complex(0.0, -0.0), complex(-1, NAN)],
    [complex(1000, 1), complex(0.001, -1)],
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_chosen_values(value: Any) -> None:
    assert_same(torch.tensor(value))
    assert_same(torch.tensor([value, value]))


@pytest.mark.parametrize("one", dtypes.ALL, ids=str)
def test_every_type(one: dtype) -> None:
    for shape in [(), (0,), (0, 3), (3,), (2, 3), (2, 2, 2)]:
        assert_same(torch.ones(shape, dtype=getattr(torch, one.name)))


SHAPES = [(1001,), (20, 51), (1200, 1), (1, 1200), (30, 30, 30), (2, 3, 400), (7, 7, 7, 7)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["float32", "int64", "bool", "complex64"])
def test_summaries(shape: tuple[int, ...], name: str) -> None:
    tensor = torch.randn(shape, dtype=torch.complex64) * 3
    tensor = tensor if name == "complex64" else tensor.real.to(getattr(torch, name))
    assert_same(tensor)
    assert_same(tensor.requires_grad_() if name in ("float32", "complex64") else tensor)


@pytest.mark.parametrize("default", ["float64", "bfloat16"])
def test_the_default_type_is_not_told(default: str) -> None:
    torch.set_default_dtype(getattr(torch, default))
    dtypes.set_default_dtype(dtypes.NAMES[default])
    try:
        for one in dtypes.ALL:
            assert_same(torch.ones(2, dtype=getattr(torch, one.name)))
            assert_same(torch.ones(0, dtype=getattr(torch, one.name)))
    finally:
        torch.set_default_dtype(torch.float32)
        dtypes.set_default_dtype(dtypes.float32)


@pytest.mark.parametrize("size", range(1, 21))
def test_suffixes_go_to_a_new_line_where_they_do_not_fit(size: int) -> None:
    for one in [torch.float32, torch.float64, torch.complex64]:
        tensor = torch.ones(size, dtype=one, requires_grad=True)
        assert_same(tensor)
        assert_same(tensor * 1.5)
        assert_same((tensor * 1.5).expand(2, size))


def test_a_subclass_has_its_own_prefix() -> None:
    class Named(torch.Tensor):  # type: ignore[misc]
        pass

    expected = torch.ones(2, 2, dtype=torch.float64).as_subclass(Named)
    ours = tensor_text(np.ones((2, 2)), dtypes.float64, prefix="Named(")
    assert ours == repr(expected)


# Random tensors -----------------------------------------------------------------------------


def random_values(rng: random.Random, shape: list[int], one: Any) -> Any:
    scale = 10.0 ** rng.randint(-9, 9)
    values = torch.randn(shape, dtype=torch.float64) * scale
    kind = rng.choice(["plain", "round", "spread", "tiny"])
    if kind == "round":
        values = values.round()
    elif kind == "spread":
        values = values * 10.0 ** torch.randn(shape, dtype=torch.float64).mul(2)
    elif kind == "tiny":
        values = values.mul(100).round().div(100)
    if rng.random() < 0.3:
        specials = torch.tensor([0.0, -0.0, NAN, INF, -INF], dtype=torch.float64)
        which = torch.randint(0, 5, shape)
        values = torch.where(torch.rand(shape) < 0.3, specials[which], values)
    if one.is_complex:
        return torch.complex(values, values.flip(-1) if shape else -values).to(one)
    if not one.is_floating_point:
        return values.nan_to_num(0, 100, -100).clamp(-100, 100).to(one)
    return values.to(one)


def random_tensor(rng: random.Random) -> Any:
    shape = [rng.choice([0, 1, 1, 2, 3, 5, 8, 30]) for _ in range(rng.randint(0, 3))]
    one = getattr(torch, rng.choice(dtypes.ALL).name)
    tensor = random_values(rng, shape, one)
    if (one.is_floating_point or one.is_complex) and rng.random() < 0.3:
        tensor.requires_grad_()
    return tensor


def random_options(rng: random.Random) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        "profile": rng.choice(["default", "short", "full"]),
        "precision": rng.choice([None, 0, 1, 8]),
        "threshold": rng.choice([None, 0, 5, 20]),
        "edgeitems": rng.choice([None, 1, 2, 5]),
        "linewidth": rng.choice([None, 20, 50, 120]),
        "sci_mode": rng.choice([None, None, True, False]),
    }
    return chosen


@pytest.mark.parametrize("seed", range(10))
def test_random_tensors(seed: int) -> None:
    rng = random.Random(seed)
    torch.manual_seed(seed)
    for count in range(150):
        chosen = random_options(rng) if count % 2 else {"profile": "default"}
        set_both(**chosen)
        tensor = random_tensor(rng)
        assert text_of(tensor) == repr(tensor), chosen


# Options ------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["default", "short", "full"])
def test_profiles(profile: str) -> None:
    set_both(precision=7, threshold=3, edgeitems=9, linewidth=33, sci_mode=True)
    set_both(profile=profile)
    assert get_printoptions() == torch._tensor_str.get_printoptions()


def test_options_given_stay_and_the_notation_does_not() -> None:
    set_both(precision=2, sci_mode=True)
    assert get_printoptions() == torch._tensor_str.get_printoptions()
    set_both(linewidth=40)
    assert get_printoptions() == torch._tensor_str.get_printoptions()
    assert (get_printoptions()["precision"], get_printoptions()["sci_mode"]) == (2, None)
