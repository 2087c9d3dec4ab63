"""What is too large for half precision becomes infinite without a warning of NumPy's."""

from collections.abc import Callable
from typing import Any

import pytest

import seegrad as torch

# Warnings are errors in this suite.
CASES: dict[str, Callable[[Any], Any]] = {
    "square": lambda h: h * h,
    "number": lambda h: h * 1e4,
    "power": lambda h: h**2,
    "exp": lambda h: h.exp(),
    "sum": lambda h: h.sum() * 300,
    "in place": lambda h: h.clone().mul_(h),
    "product": lambda h: torch.nn.functional.linear(h, h),
    "single": lambda h: (h.double() * 1e300).float(),
    "mixed": lambda h: h * torch.tensor(1e300, dtype=torch.float64),
    "compared": lambda h: (h < 1e39).half() * torch.inf,
}


def test_numbers_that_are_too_large() -> None:
    assert torch.tensor([1e39]).isinf().all()
    assert torch.tensor([1e6], dtype=torch.float16).isinf().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", CASES)
def test_overflow_is_infinite(name: str, dtype: Any) -> None:
    large = 600.0 if dtype is torch.float16 else 1e38
    found = CASES[name](torch.full((2, 2), large).to(dtype))
    assert found.isinf().all()
