"""`finfo` and `iinfo`: every attribute, the text and the errors as PyTorch's."""

from __future__ import annotations

import pytest

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import dtype
from seegrad.arrays.limits import finfo, iinfo

torch = pytest.importorskip("torch")

FLOATS = [one for one in dtypes.ALL if one.is_floating_point or one.is_complex]
INTEGERS = [one for one in dtypes.ALL if one not in FLOATS and one is not dtypes.bool_]


@pytest.mark.parametrize("one", FLOATS, ids=str)
def test_finfo_is_pytorchs(one: dtype) -> None:
    ours, expected = finfo(one), torch.finfo(getattr(torch, one.name))
    for name in ["bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype"]:
        assert getattr(ours, name) == getattr(expected, name), name
    assert repr(ours) == repr(expected)


@pytest.mark.parametrize("one", INTEGERS, ids=str)
def test_iinfo_is_pytorchs(one: dtype) -> None:
    ours, expected = iinfo(one), torch.iinfo(getattr(torch, one.name))
    for name in ["bits", "max", "min", "dtype"]:
        assert getattr(ours, name) == getattr(expected, name), name
    assert repr(ours) == repr(expected)


def test_no_argument_is_the_default_dtype() -> None:
    assert finfo() == finfo(dtypes.float32)
    assert finfo(dtypes.complex64) == finfo(dtypes.float32)
    assert finfo(dtypes.float64) != finfo(dtypes.float32)
    assert iinfo(dtypes.int8) == iinfo(dtypes.int8)


@pytest.mark.parametrize(
    "name, asked",
    [
        ("finfo", "int32"),
        ("finfo", "bool"),
        ("finfo", 3),
        ("finfo", None),
        ("iinfo", "float32"),
        ("iinfo", "complex64"),
        ("iinfo", "bool"),
        ("iinfo", 3),
    ],
)
def test_wrong_types_are_refused_as_by_pytorch(name: str, asked: object) -> None:
    with pytest.raises(TypeError) as expected:
        getattr(torch, name)(getattr(torch, str(asked), asked))
    with pytest.raises(TypeError) as error:
        {"finfo": finfo, "iinfo": iinfo}[name](dtypes.NAMES.get(str(asked), asked))  # type: ignore[arg-type]
    assert str(error.value) == str(expected.value)
