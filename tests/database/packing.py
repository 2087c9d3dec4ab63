"""Sequences without their padding."""

from typing import Any

from tests.database.spec import Entry, Sample, numbers


def packed(torch: Any, input: Any, *args: Any, **kwargs: Any) -> Any:
    return torch.nn.utils.rnn.pack_padded_sequence(input, *args, **kwargs).data


ENTRIES = [
    Entry(
        "pack_padded_sequence",
        packed,
        (
            Sample(numbers(3, 2, 2), [3, 1]),
            Sample(numbers(4, 3), [3, 2, 2]),
            Sample(numbers(2, 3, 2), [1, 3], batch_first=True, enforce_sorted=False),
        ),
        "pack_padded_sequence pack_padded_sequence_backward",
        integer=True,
    )
]
