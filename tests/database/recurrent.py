"""Layers of long short-term memory, which are one operator in single precision."""

from typing import Any

from tests.database.spec import Entry, Sample, numbers


def lstm(torch: Any, x: Any, hidden: Any, cell: Any, *params: Any) -> Any:
    """One layer: two parameters or, with biases, four for each direction."""
    both_ways = hidden.shape[0] == 2
    biases = len(params) == (8 if both_ways else 4)
    return torch.lstm(x, (hidden, cell), params, biases, 1, 0.0, False, both_ways, False)


def weights(features: int, size: int, seed: int) -> list[Any]:
    shapes = ((4 * size, features), (4 * size, size), (4 * size,), (4 * size,))
    return [numbers(*shape, seed=seed + place) for place, shape in enumerate(shapes)]


def start(directions: int, batch: int, size: int) -> list[Any]:
    return [numbers(directions, batch, size, seed=seed) for seed in (1, 2)]


ENTRIES = [
    Entry(
        "lstm",
        lstm,
        (
            Sample(numbers(3, 2, 3), *start(1, 2, 2), *weights(3, 2, 3)),
            Sample(numbers(1, 1, 2), *start(1, 1, 3), *weights(2, 3, 3)[:2]),
            Sample(numbers(2, 3, 2), *start(2, 3, 2), *weights(2, 2, 3), *weights(2, 2, 8)),
        ),
        "mkldnn_rnn_layer",
        half=False,
    )
]
