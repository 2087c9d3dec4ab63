"""Activation functions."""

from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample, function, numbers, unary_samples

KINKS = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0])
WIDE = (-4.0, 4.0)


def activation(name: str, *settings: dict[str, Any], operators: str = "", **options: Any) -> Entry:
    """A function of `torch.nn.functional` with its standard samples, for each of some settings."""
    samples = tuple(
        Sample(*s.args, **setting) for setting in settings or ({},) for s in unary_samples(WIDE)
    )
    call = function(f"nn.functional.{name}")
    return Entry(name, call, samples, operators=operators or name, **options)


def at_kinks(name: str, *args: float, tolerance: float = 1.0) -> Entry:
    """The same at its kinks, values and first derivatives."""
    return Entry(
        f"{name} at kinks",
        function(f"nn.functional.{name}"),
        (Sample(KINKS, *args), Sample(np.array([np.nan, np.inf, -np.inf]), *args)),
        operators="",
        gradcheck=False,
        second=False,
        tolerance=tolerance,
    )


def both(name: str) -> str:
    """An operator, and the one that its gradient is."""
    return f"{name} {name}_backward"


def in_place(name: str, *settings: dict[str, Any], **options: Any) -> Entry:
    """The function that writes into its argument, whose rule reads what was written."""
    samples = tuple(
        Sample(*s.args, **setting) for setting in settings for s in unary_samples(WIDE)
    )

    def call(torch: Any, input: Any, **setting: Any) -> Any:
        return getattr(torch.nn.functional, name)(input * 1, **setting)

    return Entry(name, call, samples, operators="", **options)


PIECEWISE = [
    in_place("leaky_relu_", {}, {"negative_slope": 0.2}),
    in_place("threshold_", {"threshold": 0.1, "value": 7.0}),
    activation("relu", operators="relu threshold_backward", integer=True),
    activation("relu6", operators="hardtanh hardtanh_backward", integer=True),
    activation("leaky_relu", {}, {"negative_slope": 0.2}, operators=both("leaky_relu")),
    activation(
        "hardtanh",
        {},
        {"min_val": -0.5, "max_val": 2.0},
        operators=both("hardtanh"),
        integer=True,
    ),
    activation("hardsigmoid", operators=both("hardsigmoid"), second=False, tolerance=1000),
    activation("hardswish"),
    activation("hardshrink", {}, {"lambd": 1.1}, operators=both("hardshrink")),
    activation("softshrink", {}, {"lambd": 1.1}, operators=both("softshrink")),
    activation(
        "threshold",
        {"threshold": 0.1, "value": 7.0},
        operators=both("threshold"),
        integer=True,
    ),
    *map(at_kinks, ("relu", "relu6", "leaky_relu", "hardtanh", "hardswish")),
    *map(at_kinks, ("hardshrink", "softshrink")),
    at_kinks("hardsigmoid", tolerance=1000),  # PyTorch's 1 / 6 has single precision
    at_kinks("threshold", 0.5, 2.0),
    Entry(
        "prelu",
        function("nn.functional.prelu"),
        (
            Sample(numbers(2, 3), np.array([0.25])),
            Sample(numbers(2, 3), numbers(3, seed=1)),
            Sample(numbers(2, 3, 2), numbers(3, seed=1)),
            Sample(numbers(3), np.array([0.25])),
        ),
        operators=both("prelu_kernel"),
        half_ulps=2,
    ),
]

SMOOTH = [
    in_place("elu_", {}, {"alpha": 0.7}),
    in_place("selu_", {}),
    in_place("celu_", {}, {"alpha": 0.7}, tolerance=1000),
    activation("elu", {}, {"alpha": 0.7}),
    activation("selu", operators="elu"),
    activation("celu", {}, {"alpha": 0.7}, tolerance=1000),
    activation("gelu", {}, {"approximate": "tanh"}),
    activation("silu"),
    activation("mish"),
    activation("softplus", {}, {"beta": 2.0, "threshold": 3.0}),
    activation("logsigmoid", operators="log_sigmoid"),
    activation("tanhshrink", operators="sub tanh", half_ulps=2),
    activation("softsign", operators="div add abs", half_ulps=2),
    *map(at_kinks, ("elu", "selu", "celu", "softplus", "logsigmoid")),
]


def competing(name: str, **options: Any) -> Entry:
    """softmax and its kin: every dimension, 0-d, large numbers, -inf."""
    return Entry(
        name,
        function(f"nn.functional.{name}"),
        (
            Sample(numbers(2, 3), dim=0),
            Sample(numbers(2, 3, 2), dim=-2),
            Sample(numbers(), dim=0),
            Sample(numbers(0, 3), dim=1),
            Sample(numbers(2, 3, domain=(500.0, 900.0)), dim=1),
        ),
        half_ulps=4,
        **options,
    )


ALONG = [
    competing("softmax", operators="softmax"),
    competing("log_softmax", operators="log_softmax"),
    competing("softmin", operators="softmax neg"),
    Entry(
        "softmax of -inf",
        function("softmax"),
        (Sample(np.array([[-np.inf, 1.0], [1.0, 2.0]]), dim=1),),
        operators="softmax",
        gradcheck=False,
    ),
    Entry(
        "glu",
        function("nn.functional.glu"),
        (Sample(numbers(2, 4)), Sample(numbers(4, 3), dim=0), Sample(numbers(2), dim=-1)),
        operators="glu",
        half_ulps=2,
    ),
]


def seeded_dropout(torch: Any, *args: Any, **kwargs: Any) -> Any:
    """Dropout from the start of a stream."""
    torch.manual_seed(0)
    return torch.nn.functional.dropout(*args, **kwargs)


RANDOM = [
    Entry(
        "dropout",
        seeded_dropout,
        (
            Sample(numbers(2, 3), 0.3),
            Sample(numbers(2, 3), 1.0),
            Sample(numbers(2, 3), 0.3, training=False),
            Sample(numbers(4, 5)),
            Sample(numbers(0, 2)),
        ),
        operators="mul",
    )
]

ENTRIES = [*RANDOM, *PIECEWISE, *SMOOTH, *ALONG]
