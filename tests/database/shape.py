"""Views, joining and splitting, repeating, turning, triangles, padding, broadcasting."""

from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample, function, method, numbers

M = numbers(2, 3)
CUBE = numbers(2, 3, 4)
VECTOR = numbers(4)
POINT = numbers()
OTHER_POINT = numbers(domain=(0.3, 1.0))
EMPTY = numbers(0, 3)
SQUARE = numbers(3, 3)
EXACT: dict[str, Any] = {"complex": True, "integer": True}


def view(name: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """A method that makes a view."""
    return Entry(name, method(name), samples, operators or name, **(EXACT | options))


def copying(name: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """A function that copies."""
    return Entry(name, function(name), samples, operators or name, **(EXACT | options))


def parts(torch: Any, x: Any) -> Any:
    """Some outputs of a view of several, not all."""
    return x.unbind(1)[1], x.unbind(0)[0]


def primal(torch: Any, x: Any) -> Any:
    """The value of what could carry a tangent."""
    with torch.autograd.forward_ad.dual_level():
        return torch.autograd.forward_ad.unpack_dual(x).primal


VIEWS = [
    Entry("alias", lambda torch, x: x[...], (Sample(M), Sample(POINT)), "alias", **EXACT),
    Entry("unpack_dual", primal, (Sample(M), Sample(POINT)), "fw_primal", **EXACT),
    view("view", Sample(M, 3, 2), Sample(M, (-1,)), Sample(POINT, 1, 1), Sample(EMPTY, 3, 0)),
    view("view_as", Sample(M, SQUARE[:2]), operators="view"),
    view(
        "reshape",
        Sample(M, 6),
        Sample(CUBE, (4, -1)),
        Sample(EMPTY, 0),
        operators="view unsafe_view clone",
    ),
    Entry(
        "reshape of transposed",
        lambda torch, x: (x.mT.reshape(-1), x.mT.reshape(3, 2, 1)),
        (Sample(M),),
        "reshape_alias unsafe_view clone transpose",
        **EXACT,
    ),
    view("transpose", Sample(CUBE, 0, 2), Sample(CUBE, -1, 1), Sample(POINT, 0, -1)),
    view("t", Sample(M), Sample(VECTOR), Sample(POINT)),
    view("permute", Sample(CUBE, 2, 0, 1), Sample(CUBE, (-1, 0, -2)), Sample(POINT, ())),
    view("movedim", Sample(CUBE, 0, -1), Sample(CUBE, (0, 1), (1, 2)), operators="permute"),
    view("expand", Sample(numbers(3, 1), 2, -1, 4), Sample(POINT, 2), Sample(M, 2, 3)),
    view("expand_as", Sample(numbers(3), M), operators="expand"),
    view("unsqueeze", Sample(M, 0), Sample(M, -1), Sample(M, 1), Sample(POINT, 0)),
    Entry(
        "squeeze",
        method("squeeze"),
        (
            Sample(numbers(1, 3, 1)),
            Sample(numbers(1, 3, 1), 0),
            Sample(numbers(1, 3, 1), -2),
            Sample(numbers(1, 3, 1), (0, 1)),
            Sample(numbers(1, 3, 1), (-1, 0)),
            Sample(POINT, 0),
        ),
        "squeeze squeeze_dim squeeze_dims",
        **EXACT,
    ),
    view(
        "select",
        Sample(CUBE, 0, 1),
        Sample(CUBE, -1, -2),
        Sample(CUBE, 1, 2),
        Sample(VECTOR, 0, 3),
        operators="select select_backward",
    ),
    view("narrow", Sample(CUBE, 1, 1, 2), Sample(CUBE, -1, -3, 2), operators="slice"),
    Entry(
        "slice",
        lambda torch, x: (x[:, 1:], x[..., ::2], x[1:1], x[-1:, 0:-1]),
        (Sample(M), Sample(CUBE)),
        "slice slice_backward",
        **EXACT,
    ),
    view(
        "diagonal",
        Sample(M),
        Sample(CUBE, 1, 0, 2),
        Sample(CUBE, -1, -1, 0),
        Sample(M, 5),
        operators="diagonal diagonal_backward",
    ),
    view(
        "unfold",
        Sample(VECTOR, 0, 2, 1),
        Sample(CUBE, -1, 3, 1),
        Sample(CUBE, 1, 1, 2),
        Sample(POINT, 0, 1, 1),
        operators="unfold unfold_backward",
        half_ulps=2,
    ),
    view(
        "as_strided",
        Sample(M, (2, 2), (1, 1), 1),
        Sample(M, (2,), (3,)),
        operators="as_strided as_strided_backward as_strided_gather",
    ),
    view("split", Sample(VECTOR, 3), Sample(M, 2, 1), Sample(M, 2, -1), Sample(EMPTY, 2)),
    Entry(
        "split by sizes",
        method("split"),
        (Sample(M, (1, 2), 1), Sample(M, (0, 2), 0)),
        "split_with_sizes",
        **EXACT,
    ),
    view("unsafe_split", Sample(VECTOR, 3), Sample(M, 2, -1)),
    view("unsafe_split_with_sizes", Sample(M, (1, 2), 1), Sample(M, (0, 2), 0)),
    view("unsafe_chunk", Sample(M, 5, -1), Sample(EMPTY, 2), operators="unsafe_split"),
    view("chunk", Sample(VECTOR, 3), Sample(M, 5, -1), operators="split"),
    view("tensor_split", Sample(VECTOR, 3), Sample(M, (1, 2), 1), operators="slice"),
    view("unbind", Sample(M), Sample(CUBE, -1)),
    Entry("some of unbind", parts, (Sample(M),), "unbind", **EXACT),
    view("flatten", Sample(CUBE), Sample(CUBE, 1), Sample(POINT), operators="view"),
    view("ravel", Sample(CUBE), operators="view"),
    view("unflatten", Sample(M, 1, (3, 1)), Sample(CUBE, -1, (2, -1)), operators="view"),
]
IN_PLACE = [
    Entry(
        "shapes in place",
        lambda torch, x: (
            (x * 1).t_(),
            (x * 1).transpose_(0, -1),
            (x * 1).unsqueeze_(-1),
            (x[None] * 1).squeeze_(),
            (x[None] * 1).squeeze_(0),
        ),
        (Sample(M),),
        "t_in_place transpose_in_place unsqueeze_in_place squeeze_in_place squeeze_made",
        **EXACT,
    ),
    Entry(
        "shapes of views in place",
        lambda torch, x: (
            (x * 1)[0].unsqueeze_(0),
            (x * 1)[:, 1:].t_(),
            (x * 1).as_strided_((2, 2), (1, 2)),
            (x * 1)[1:].as_strided_((3,), (1,)),
        ),
        (Sample(M),),
        "t_in_place unsqueeze_in_place as_strided_in_place",
        **EXACT,
    ),
]

COMPLEX = [
    Entry(
        "real and imag",
        lambda torch, x, y: (torch.complex(x, y).real, torch.complex(x, y).imag),
        (Sample(M, M + 1), Sample(POINT, OTHER_POINT)),
        "complex view_as_real select real imag",
        half=False,
    ),
    Entry(
        "complex",
        function("complex"),
        (Sample(M, M + 1), Sample(M, numbers(3)), Sample(POINT, POINT)),
        "complex",
        half=False,
    ),
    Entry(
        "polar",
        function("polar"),
        (Sample(np.abs(M) + 0.1, M), Sample(OTHER_POINT, POINT)),
        "polar",
        half=False,
    ),
    Entry(
        "view_as_complex",
        lambda torch, x: torch.view_as_real(torch.view_as_complex(x) * 2j),
        (Sample(numbers(3, 2)), Sample(numbers(2, 3, 2)), Sample(numbers(2))),
        "view_as_complex view_as_real",
        half=False,
    ),
    Entry(
        "angle",
        lambda torch, x, y: torch.complex(x, y).angle(),
        (Sample(M, M + 0.3), Sample(POINT, OTHER_POINT)),
        "angle",
        half=False,
    ),
    Entry("angle of real", function("angle"), (Sample(M),), "angle", second=False),
    Entry(
        "conj",
        lambda torch, x: x.conj() * 1j if x.is_complex() else x.conj() * 2,
        (Sample(M),),
        "conj",
        complex=True,
    ),
    Entry("conj_physical", function("conj_physical"), (Sample(M),), "conj_physical", complex=True),
]

COPIES = [
    Entry(
        "clone",
        lambda torch, x: (x.clone(), x.mT.clone(), x.mT.contiguous()),
        (Sample(M), Sample(CUBE), Sample(EMPTY)),
        "clone",
        **EXACT,
    ),
    copying("cat", Sample([M, SQUARE]), Sample([M, CUBE[:, 0]], -1), Sample([EMPTY, M])),
    copying("stack", Sample([M, M + 1]), Sample([M, M], -1), Sample([POINT, POINT, POINT])),
    Entry(
        "cat of an empty vector",
        lambda torch, x: torch.cat([x, x.new_zeros(0)]),
        (Sample(M),),
        "cat",
        **EXACT,
    ),
    copying("hstack", Sample([M, SQUARE[:2]]), Sample([VECTOR, VECTOR]), operators="cat"),
    copying("vstack", Sample([M, SQUARE]), Sample([VECTOR, VECTOR]), operators="cat unsqueeze"),
    copying("dstack", Sample([M, M]), Sample([VECTOR, VECTOR]), operators="cat unsqueeze"),
    copying("column_stack", Sample([numbers(2), M]), operators="cat view"),
    copying("block_diag", Sample(M, SQUARE), Sample(VECTOR, POINT)),
    Entry(
        "repeat",
        method("repeat"),
        (
            Sample(M, 2, 1),
            Sample(M, 2, 1, 3),
            Sample(POINT, 2),
            Sample(M, 0, 1),
            Sample(M, 1, 1),
        ),
        "repeat",
        complex=True,
        integer=True,
        half_ulps=2,
    ),
    copying("tile", Sample(M, (2,)), Sample(VECTOR, (2, 2)), operators="repeat", half_ulps=2),
    copying("flip", Sample(M, (0,)), Sample(CUBE, (0, -1)), Sample(POINT, ())),
    copying("fliplr", Sample(M), operators="flip"),
    copying("flipud", Sample(M), operators="flip"),
    copying("roll", Sample(M, 1), Sample(CUBE, (1, -2), (0, -1)), Sample(EMPTY, 1, 0)),
    copying("rot90", *(Sample(CUBE, k, (0, -1)) for k in range(-1, 5))),
    copying(
        "tril", Sample(M), Sample(CUBE, 1), Sample(CUBE, -1), Sample(SQUARE, 9), inplace="tril_"
    ),
    copying(
        "triu", Sample(M), Sample(CUBE, 1), Sample(CUBE, -1), Sample(SQUARE, 9), inplace="triu_"
    ),
    copying(
        "diag",
        Sample(VECTOR),
        Sample(VECTOR, 1),
        Sample(M, -1),
        Sample(M),
        operators="diag_embed diagonal_copy",
    ),
    copying("diag_embed", Sample(M), Sample(M, -1, 0, -1), Sample(M, 2, 0, 1)),
    copying("diagflat", Sample(M), operators="diag_embed view"),
    copying("trace", Sample(SQUARE), Sample(M)),
    Entry(
        "as_strided_scatter",  # PyTorch's gradient of the input is that of what was overwritten
        lambda torch, x, src, *where: torch.as_strided_scatter(
            x.detach().contiguous(), src, *where
        ),
        (
            Sample(M, numbers(2, 2, seed=1), (2, 2), (1, 2), 1),
            Sample(CUBE, numbers(3, seed=1), (3,), (5,)),
        ),
        "as_strided_scatter as_strided_gather as_strided_backward",
        gradcheck=False,
        **EXACT,
    ),
    Entry(
        "kron",  # PyTorch's backward refuses tensors that are not contiguous
        lambda torch, a, b: torch.kron(a.contiguous(), b.contiguous()),
        (Sample(M, VECTOR), Sample(VECTOR, M)),
        "mul unsafe_view",
        complex=True,
        integer=True,
        half_ulps=2,
    ),
    copying(
        "repeat_interleave",
        Sample(M, 2),
        Sample(M, 2, 1),
        Sample(M, np.array([1, 0, 2]), -1),
        operators="expand clone view index_select",
    ),
    copying("select_scatter", Sample(M, numbers(3), 0, 1), complex=False),
    copying("slice_scatter", Sample(M, numbers(2, 2), 1, 0, 3, 2), complex=False),
    copying("diagonal_scatter", Sample(M, numbers(2), 1), complex=False),
    copying("broadcast_tensors", Sample(M, numbers(3)), operators="expand"),
    copying(
        "cartesian_prod", Sample(VECTOR, numbers(2)), Sample(VECTOR), operators="stack unsafe_view"
    ),
    copying(
        "combinations",
        Sample(VECTOR),
        Sample(VECTOR, 3),
        Sample(VECTOR, 2, True),
        operators="masked_select stack",
    ),
    Entry(
        "meshgrid",
        lambda torch, *xs: [
            *torch.meshgrid(*xs, indexing="ij"),
            *torch.meshgrid(*xs, indexing="xy"),
        ],
        (Sample(VECTOR, numbers(2)), Sample(VECTOR, POINT, numbers(2))),
        "view expand",
        **EXACT,
    ),
    Entry(
        "to another dtype",
        lambda torch, x: x.to(torch.complex128) * 1j,
        (Sample(M), Sample(POINT)),
        "to_copy",
    ),
]

PADDING = [
    Entry(
        "pad",
        function("nn.functional.pad"),
        (
            Sample(M, (1, 2)),
            Sample(M, (1, -1, 2, 0), value=2.5),
            Sample(CUBE, (-1, -1)),
            Sample(POINT[None], (1, 1)),
        ),
        "constant_pad_nd",
        complex=True,
    ),
    Entry(
        "pad by reflection",
        lambda torch, x, pad: torch.nn.functional.pad(x, pad, mode="reflect"),
        (
            Sample(CUBE, (1, 2)),
            Sample(CUBE, (3, 0, 1, 2)),
            Sample(numbers(1, 3, 3, 3), (1, 1, 2, 0, 0, 1)),
        ),
        "reflection_pad1d reflection_pad2d reflection_pad3d reflection_pad_backward",
        half=False,
    ),
    Entry(
        "pad by replication",
        lambda torch, x, pad: torch.nn.functional.pad(x, pad, mode="replicate"),
        (
            Sample(CUBE, (1, 2)),
            Sample(CUBE, (3, 0, 1, 2)),
            Sample(numbers(1, 3, 3, 3), (1, 1, 2, 0, 0, 1)),
        ),
        "replication_pad1d replication_pad2d replication_pad3d replication_pad_backward",
        half=False,
    ),
    Entry(
        "pad by going round",
        lambda torch, x, pad: torch.nn.functional.pad(x, pad, mode="circular"),
        (Sample(CUBE, (1, 2)), Sample(CUBE, (2, 0, 1, 3)), Sample(CUBE, (-1, 2))),
        "copy slice",
        half_ulps=2,
    ),
]

IMAGES = [
    Entry(
        "pixel_shuffle",
        function("nn.functional.pixel_shuffle"),
        (Sample(numbers(1, 4, 2, 3), 2), Sample(numbers(8, 1, 2), 2)),
        "pixel_shuffle",
        **EXACT,
    ),
    Entry(
        "pixel_unshuffle",
        function("nn.functional.pixel_unshuffle"),
        (Sample(numbers(1, 2, 4, 2), 2), Sample(numbers(1, 3, 6), 3)),
        "pixel_unshuffle",
        **EXACT,
    ),
]

ENTRIES = [*IMAGES, *IN_PLACE, *VIEWS, *COMPLEX, *COPIES, *PADDING]
