"""Indexing, gathering and scattering, masks, ordering, tables of vectors."""

from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample, function, method, numbers

M = numbers(3, 4)
CUBE = numbers(2, 3, 4)
VECTOR = numbers(5)
POINT = numbers()
TWO = numbers(2, 4, seed=1)
EXACT: dict[str, Any] = {"complex": True, "integer": True}
SUMS: dict[str, Any] = {"complex": True, "integer": True, "half_ulps": 2}

TIED = [3.0, 1.0, 2.0, 1.0, 3.0, 3.0, 1.0, 2.0, 3.0]


def ints(*values: Any) -> Any:
    """An index."""
    return np.array(values, np.int64)


MASK = np.array([[True, False, True, False], [False] * 4, [True] * 4])
ROWS = np.array([True, False, True])
WHERE = ints([0, 1, 2, 0], [1, 2, 0, 2])
REPEATED = ints([0, 1, 2, 0], [1, 1, 0, 0])


def copying(name: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """A function that copies."""
    return Entry(name, function(name), samples, operators or name, **(EXACT | options))


def adding(name: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """A function in which several elements add up to one."""
    return Entry(name, function(name), samples, operators or name, **(SUMS | options))


def constant(name: str, *samples: Sample, path: str = "", **options: Any) -> Entry:
    """A function without derivative."""
    options = {"first": False, "half": False, "operators": name} | options
    return Entry(name, function(path or name), samples, **options)


def picked(torch: Any, x: Any, *index: Any) -> Any:
    """`x[index]`."""
    return x[index]


def picked_after(torch: Any, x: Any, *index: Any) -> Any:
    """`x[:, index]`."""
    return x[(slice(None), *index)]


def picked_around(torch: Any, x: Any, one: Any, two: Any) -> Any:
    """`x[one, :, two]`."""
    return x[one, :, two]


def written(torch: Any, x: Any, values: Any, *index: Any) -> Any:
    """`x[index] = values`."""
    x = x * 1
    x[index] = values
    return x


def written_after(torch: Any, x: Any, values: Any, *index: Any) -> Any:
    """`x[:, index] = values`."""
    x = x * 1
    x[(slice(None), *index)] = values
    return x


INDEXING = [
    Entry(
        "index",
        picked,
        (
            Sample(M, ints(0, 2)),
            Sample(M, ints([0, -1], [2, 2])),
            Sample(M, ints(0, 0), ints(1, 1)),
            Sample(CUBE, ints([0], [1]), ints(0, 2)),
            Sample(M, MASK),
            Sample(M, ROWS),
            Sample(CUBE[0], ROWS, ints(1)),
            Sample(VECTOR, ints(3, 3, 3)),
            Sample(M, ints(1)[:0]),
        ),
        "index index_backward",
        complex=True,
        integer=True,
        half=False,
    ),
    Entry(
        "index of later dimensions",
        picked_after,
        (Sample(M, ints(0, 2, 2)), Sample(CUBE, ROWS), Sample(CUBE, ints(0, 1), ints(2, 2))),
        "index index_backward",
        complex=True,
        half_ulps=2,
    ),
    Entry(
        "index around a slice",
        picked_around,
        (Sample(CUBE, ints(0, 1, 1), ints(2, 3, 3)), Sample(CUBE, ints([0]), ints([1], [2]))),
        "index index_backward",
        complex=True,
        half_ulps=2,
    ),
    copying(
        "index_put",
        Sample(M, [ints(0, 2)], TWO),
        Sample(M, [ints(0, 2)], VECTOR[:4]),
        Sample(M, [ints(0, 2), ints(1, 1)], POINT),
        Sample(M, [MASK], numbers(6)),
        Sample(M, [ints(0, 2)], TWO, True),
        Sample(M, [ints(1, 1)], TWO, True),
        operators="index_put index_surviving",
        half_ulps=2,
    ),
    Entry(
        "setitem",
        written,
        (
            Sample(M, TWO, ints(2, 0)),
            Sample(M, POINT, MASK),
            Sample(M, VECTOR[:4], 1),
            Sample(M, POINT, 0, 1),
        ),
        "index_put copy",
        complex=True,
    ),
    Entry(
        "setitem of later dimensions",
        written_after,
        (Sample(M, numbers(3, 2), ints(1, 0)), Sample(CUBE, POINT, ROWS)),
        "index_put",
        complex=True,
    ),
    copying(
        "gather",
        Sample(M, 0, WHERE),
        Sample(M, -1, ints([3, 0], [0, 0], [1, 1])),
        Sample(VECTOR, 0, ints(4, 4, 0)),
        Sample(POINT, 0, np.array(0)),
        operators="gather",
        half_ulps=2,
    ),
    copying(
        "scatter",
        Sample(M, 0, WHERE, TWO),
        Sample(M, 1, ints([0, 2], [3, 1]), TWO[:, :2]),
        Sample(M, 0, WHERE, 2.5),
        Sample(VECTOR, 0, ints(4), 1.0),
        operators="scatter gather_surviving scatter_value",
        inplace="scatter_",
        integer=False,
    ),
    adding("scatter_add", Sample(M, 0, REPEATED, TWO), Sample(POINT, 0, np.array(0), POINT)),
    Entry(
        "scatter_reduce",
        function("scatter_reduce"),
        tuple(
            Sample(M, 0, REPEATED, TWO, reduction, include_self=included)
            for reduction in ("sum", "mean", "amax", "amin")
            for included in (True, False)
        ),
        "scatter_reduce",
        half_ulps=3,
    ),
    Entry(
        "scatter_reduce of products",
        function("scatter_reduce"),
        (
            Sample(M, 0, REPEATED, TWO, "prod"),
            Sample(M, 0, REPEATED, TWO, "prod", include_self=False),
            Sample(M * MASK, 0, REPEATED, TWO * (TWO > 0), "prod"),
        ),
        "scatter_reduce",
        second=False,
        half=False,
    ),
    copying(
        "index_select",
        Sample(M, 0, ints(0, 2)),
        Sample(CUBE, -1, ints(3, 3, 0)),
        Sample(POINT, 0, ints(0)),
        operators="index_select",
        half_ulps=2,
    ),
    adding(
        "index_add",
        Sample(M, 0, ints(0, 0), TWO),
        Sample(M, 1, ints(3), numbers(3, 1), alpha=2),
        Sample(VECTOR, 0, np.array(1), numbers(1)),
    ),
    copying(
        "index_copy",
        Sample(M, 0, ints(0, 2), TWO),
        Sample(M, -1, ints(3), numbers(3, 1)),
        operators="index_copy index_select_surviving",
    ),
    copying(
        "index_fill",
        Sample(M, 0, ints(0, 2), 1.5),
        Sample(M, 1, ints(3, 3), POINT),
        operators="index_fill index_fill_tensor",
        integer=False,
        inplace="index_fill_",
    ),
    Entry(
        "index_reduce",
        function("index_reduce"),
        (
            Sample(M, 0, ints(0, 0), TWO, "amax"),
            Sample(M, 0, ints(0, 2), TWO, "mean"),
            Sample(M, 1, ints(1), numbers(3, 1), "amin"),
        ),
        "index_reduce",
        second=False,
        half=False,
    ),
    copying("take", Sample(M, ints([0, -1], [3, 3])), Sample(VECTOR, ints(1)), half_ulps=2),
    copying(
        "put",
        Sample(M, ints(0, -1), numbers(2)),
        Sample(M, ints([0], [5]), numbers(2, 1)),
        Sample(M, ints(3, 3), numbers(2), True),
        operators="put take_surviving",
    ),
    Entry(
        "take_along_dim",  # PyTorch refuses to flatten tensors that are not contiguous
        lambda torch, x, *args: torch.take_along_dim(x.contiguous(), *args),
        (Sample(M, ints([1]), 0), Sample(M, ints([1], [0], [0]), 1), Sample(M, ints(5, 5))),
        "gather expand view",
        complex=True,
        integer=True,
        half_ulps=2,
    ),
]

MASKS = [
    copying(
        "masked_fill",
        Sample(M, MASK, 2.0),
        Sample(M, MASK, POINT),
        Sample(numbers(4), MASK, 1.5),
        operators="masked_fill masked_fill_tensor",
        integer=False,
        half_ulps=2,
    ),
    Entry(
        "masked_fill_",
        method("masked_fill"),
        (Sample(M, MASK, 2.0), Sample(M, ROWS[:, None], POINT)),
        "masked_fill masked_fill_tensor",
        complex=True,
        inplace="masked_fill_",
        half_ulps=2,
    ),
    copying(
        "masked_select",
        Sample(M, MASK),
        Sample(numbers(4), MASK),
        Sample(M, ROWS[:, None]),
        operators="masked_select masked_select_backward",
        half_ulps=2,
    ),
    copying(
        "masked_scatter",
        Sample(M, MASK, numbers(2, 4)),
        Sample(M, ROWS[:, None], numbers(9)),
        operators="masked_scatter masked_scatter_backward",
    ),
    Entry(
        "fill",
        function("fill"),
        (Sample(M, 2.0), Sample(M, POINT)),
        "fill_copy fill_copy_scalar",
        complex=True,
        half_ulps=2,
    ),
    Entry(
        "writing in place",
        lambda torch, x, y, z: ((x * 1).copy_(y), (x * 1).fill_(z), (x * 1).fill_(2.0)),
        (Sample(M, numbers(4), POINT), Sample(M, M + 1, POINT)),
        "copy fill fill_scalar",
        complex=True,
        half_ulps=2,
    ),
    Entry("zero_", lambda torch, x: (x * 1).zero_(), (Sample(M),), "zero", complex=True),
]

ORDER = [
    Entry(
        "sort",
        function("sort"),
        (
            Sample(M),
            Sample(CUBE, 0, True),
            Sample(VECTOR, stable=True, descending=True),
            Sample(POINT),
        ),
        "sort sort_stable",
        integer=True,
    ),
    Entry(
        "sort of ties",
        lambda torch, x: torch.sort(x, stable=True, descending=True),
        (Sample(np.array([1.0, 2.0, 1.0, 2.0, 1.0])),),
        "sort_stable",
        gradcheck=False,
    ),
    copying("msort", Sample(M), operators="sort", complex=False),
    copying("topk", Sample(M, 2), Sample(CUBE, 2, 1, False), Sample(VECTOR, 0), complex=False),
    Entry(
        "kthvalue of ties",
        function("kthvalue"),
        tuple(Sample(np.array(TIED), k) for k in range(1, 10)),
        operators="",
        gradcheck=False,
    ),
    copying(
        "kthvalue",
        Sample(M, 2),
        Sample(CUBE, 1, 0, True),
        Sample(CUBE, 3, 1),
        complex=False,
    ),
    constant("argsort", Sample(M), Sample(M, 0, True), operators="sort", integer=True),
    constant("argwhere", Sample(M), Sample(np.array(3)), operators="nonzero"),
    constant("bincount", Sample(ints(1, 1, 3)), Sample(ints(1, 1, 3), minlength=6)),
    constant(
        "searchsorted",
        Sample(np.sort(VECTOR), M),
        Sample(np.sort(M), numbers(3, 2), right=True),
        Sample(np.sort(VECTOR), M, side="right"),
    ),
    constant("bucketize", Sample(M, np.sort(VECTOR)), operators="searchsorted"),
    constant("unravel_index", Sample(ints([5, 1]), (2, 3)), operators=""),
    constant("isin", Sample(ints(1, 2, 3), ints(2)), Sample(ints([1], [2]), ints(1), invert=True)),
    constant(
        "unique",
        Sample(ints([3, 1], [1, 2]), return_inverse=True, return_counts=True),
        Sample(ints([3, 1], [1, 2], [3, 1]), dim=0, return_inverse=True),
        operators="unique unique_dim",
    ),
    constant(
        "unique_consecutive",
        Sample(ints(3, 3, 1, 3), return_inverse=True, return_counts=True),
        Sample(ints([1, 1], [1, 1], [2, 0]), dim=0),
    ),
    constant("one_hot", Sample(ints([0, 2])), Sample(ints(1), 4), path="nn.functional.one_hot"),
]

TABLES = [
    Entry(
        "embedding",
        function("nn.functional.embedding"),
        (
            Sample(ints([0, 2], [2, 1]), M),
            Sample(ints(1, 1, 0), M),
        ),
        "embedding embedding_dense_backward",
        half_ulps=2,
    ),
    Entry(
        "embedding with padding",
        function("nn.functional.embedding"),
        (Sample(ints(1, 1, 0), M, padding_idx=1), Sample(ints(1), M, padding_idx=-1)),
        "embedding embedding_dense_backward",
        gradcheck=False,
        half_ulps=2,
    ),
    Entry(
        "embedding scaled by frequency",
        function("nn.functional.embedding"),
        (Sample(ints(1, 1, 0), M, scale_grad_by_freq=True),),
        "embedding embedding_dense_backward",
        second=False,
        gradcheck=False,
        half_ulps=2,
    ),
]

ENTRIES = [*INDEXING, *MASKS, *ORDER, *TABLES]
