"""make_tensor: what it draws, how it lies in memory, and what it refuses."""

from typing import Any

from tests.observe import attempt, rounded


def _made(torch: Any, *shape: Any, **options: Any) -> Any:
    torch.manual_seed(0)
    settings = {"dtype": torch.float32, "device": "cpu"} | options
    t = torch.testing.make_tensor(*(shape or ((2, 3),)), **settings)
    return [rounded(t, 2), str(t.dtype), list(t.stride()), t.requires_grad]


def of_each_dtype(torch: Any) -> list[Any]:
    names = (
        "float32 float64 float16 bfloat16 complex64 complex128 int64 int32 int16 int8 uint8 bool"
    )
    return [_made(torch, 2, 3, dtype=getattr(torch, name)) for name in names.split()]


def of_each_shape(torch: Any) -> list[Any]:
    shapes: list[Any] = [(), (0,), (1,), 5, [2, 2], torch.Size([3]), (2, 0)]
    return [
        _made(torch, shape, noncontiguous=bool(apart))
        for shape in shapes
        for apart in (False, True)
    ]


def with_options(torch: Any) -> list[Any]:
    options: list[dict[str, Any]] = [
        {"low": 0, "high": 1},
        {"low": -5},
        {"high": 3},
        {"requires_grad": True},
        {"memory_format": torch.preserve_format},
        {"low": 1, "high": 1},
        {"dtype": torch.complex64, "low": 0, "high": 1},
        {"dtype": torch.int64, "low": 0.5, "high": 3},
        {"dtype": torch.bool, "low": -1},
        {"dtype": torch.bool, "low": 0, "high": 5},
        {"dtype": torch.uint8, "low": -5},
        {"dtype": torch.float16, "low": -1e6, "high": 1e6},
        {"dtype": torch.int64, "low": 0, "high": 2, "exclude_zero": True},
        {"dtype": torch.bool, "exclude_zero": True},
        {"dtype": torch.int8, "low": 100, "high": 1000},
        {"dtype": torch.complex128, "noncontiguous": True},
        {"exclude_zero": True},
    ]
    return [_made(torch, **one) for one in options]


def refused(torch: Any) -> list[str]:
    options: list[dict[str, Any]] = [
        {"low": 2, "high": 1},
        {"low": float("nan")},
        {"low": float("inf")},
        {"dtype": "x"},
        {"dtype": torch.int64, "requires_grad": True},
        {"dtype": torch.bool, "requires_grad": True},
        {"noncontiguous": True, "memory_format": torch.contiguous_format},
        {"dtype": torch.int8, "low": 200, "high": 300},
        {"dtype": torch.int64, "low": 3, "high": 3},
        {"dtype": torch.uint8, "low": -5, "high": -2},
        {"dtype": torch.bool, "low": 2, "high": 4},
        {"dtype": torch.float16, "low": 1e6, "high": 2e6},
        {"high": float("-inf")},
        {"dtype": torch.int8, "low": 128, "high": 130},
        {"dtype": torch.int8, "low": -130, "high": -128},
        {"low": float("-inf"), "high": float("inf")},
    ]
    return [attempt(lambda: _made(torch, **one)) for one in options]
