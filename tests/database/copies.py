"""The `*_copy` functions: each copies what a view would show."""

from typing import Any

from tests.database.shape import CUBE, EMPTY, EXACT, POINT, VECTOR, M
from tests.database.spec import Entry, Sample, function, numbers


def copying(view: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """The function that copies a view."""
    name = f"{view}_copy"
    return Entry(name, function(name), samples, operators or name, **(EXACT | options))


ENTRIES = [
    copying("alias", Sample(M), Sample(POINT)),
    copying("as_strided", Sample(M, (2, 2), (1, 2)), Sample(M, (2,), (3,), 1)),
    copying("diagonal", Sample(M), Sample(CUBE, 1, 0, 2)),
    copying("expand", Sample(numbers(3, 1), (2, -1, 4)), Sample(POINT, (2,))),
    copying("narrow", Sample(CUBE, 1, 0, 2), Sample(CUBE, -1, -3, 2)),
    copying("permute", Sample(CUBE, (2, 0, 1)), Sample(POINT, ())),
    # PyTorch does not differentiate these two where they are complex.
    copying("select", Sample(CUBE, 1, -1), Sample(VECTOR, 0, 2), complex=False),
    copying(
        "slice",
        Sample(CUBE),
        Sample(CUBE, 2, 1, None, 2),
        Sample(M, -1, -2, 5),
        complex=False,
    ),
    copying("split", Sample(CUBE, 2, 1), Sample(VECTOR, 3)),
    copying("split_with_sizes", Sample(CUBE, (1, 3), -1)),
    copying(
        "squeeze",
        Sample(numbers(1, 3, 1)),
        Sample(numbers(1, 3, 1), -1),
        Sample(numbers(1, 3, 1), (0, 1)),
        operators="squeeze_copy squeeze_dim_copy squeeze_dims_copy",
    ),
    copying("t", Sample(M), Sample(VECTOR)),
    copying("transpose", Sample(CUBE, 0, -1)),
    copying("unbind", Sample(M), Sample(CUBE, 2)),
    copying("unfold", Sample(M, 1, 2, 1)),
    copying("unsqueeze", Sample(M, 1), Sample(POINT, 0)),
    copying("view", Sample(M, (3, -1)), Sample(EMPTY, (3, 0))),
    Entry(
        "view_as_complex_copy",  # PyTorch's has no derivative
        lambda torch, x: torch.view_as_complex_copy(x.detach()),
        (Sample(numbers(3, 2)),),
        "view_as_complex_copy",
        first=False,
        half=False,
    ),
    Entry(
        "view_as_real_copy",
        lambda torch, x: torch.view_as_real_copy(torch.complex(x, x * 2)),
        (Sample(M),),
        "view_as_real_copy",
        half=False,
    ),
]
