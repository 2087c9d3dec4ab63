"""The data types: names, properties, errors and limits as PyTorch's."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import dtype

torch = pytest.importorskip("torch")


def theirs(of: dtype) -> Any:
    return getattr(torch, of.name)


every = pytest.mark.parametrize("one", dtypes.ALL, ids=str)


@every
def test_properties_are_pytorchs(one: dtype) -> None:
    for attribute in ["itemsize", "is_floating_point", "is_complex", "is_signed", "abbr"]:
        assert getattr(one, attribute) == getattr(theirs(one), attribute), attribute
    assert repr(one) == repr(theirs(one))
    assert repr(one.to_real()) == repr(theirs(one).to_real())


def test_every_public_name_is_pytorchs() -> None:
    for name, one in dtypes.NAMES.items():
        assert repr(one) == repr(getattr(torch, name))


def test_to_complex() -> None:
    assert dtypes.float32.to_complex() is dtypes.complex64
    assert dtypes.float64.to_complex() is dtypes.complex128
    assert dtypes.complex64.to_complex() is dtypes.complex64
    with pytest.raises(RuntimeError, match=r"^Unknown Complex ScalarType for Long$"):
        dtypes.int64.to_complex()


@every
def test_copies_and_pickles_are_the_same_object(one: dtype) -> None:
    assert pickle.loads(pickle.dumps(one)) is one
    assert copy.deepcopy(one) is one
    assert copy.copy(one) is one
    assert {one: 1}[one] == 1


def test_a_dtype_cannot_be_made_changed_or_extended() -> None:
    assert repr(dtype) == "<class 'torch.dtype'>"
    with pytest.raises(TypeError, match=r"^cannot create 'torch\.dtype' instances$"):
        dtype()
    with pytest.raises(AttributeError, match=r"^'torch\.dtype' object has no attribute 'x'$"):
        dtypes.float32.x = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"^type 'torch\.dtype' is not an acceptable base type$"):
        type("Other", (dtype,), {})


@every
def test_from_numpy_finds_each(one: dtype) -> None:
    assert dtypes.from_numpy(one.numpy) is one
    assert one.numpy == (theirs(one) is torch.bfloat16 and ml_dtypes.bfloat16) or (
        torch.zeros(1, dtype=theirs(one)).numpy().dtype == one.numpy
    )


def test_from_numpy_normalises_longlong() -> None:
    assert dtypes.from_numpy(np.dtype(np.longlong)) is dtypes.int64


@pytest.mark.parametrize("kind", ["O", "U1", "M8[s]", "f4,i4", np.longdouble, np.ulonglong, ">f4"])
def test_from_numpy_refuses_as_pytorch_does(kind: Any) -> None:
    array = np.zeros(2, kind)
    with pytest.raises((TypeError, ValueError)) as expected:
        torch.from_numpy(array)
    with pytest.raises(expected.type) as ours:
        dtypes.from_numpy(array.dtype)
    assert str(ours.value) == str(expected.value)


def test_default_dtype() -> None:
    assert dtypes.get_default_dtype() is dtypes.float32
    assert dtypes.default_complex() is dtypes.complex64
    dtypes.set_default_dtype(dtypes.float64)
    assert dtypes.default_complex() is dtypes.complex128
    dtypes.set_default_dtype(dtypes.float32)


@pytest.mark.parametrize("name", ["int32", "complex64", "bool", "nothing"])
def test_default_dtype_refuses_as_pytorch_does(name: str) -> None:
    with pytest.raises(TypeError) as expected:
        torch.set_default_dtype(getattr(torch, name, name))
    with pytest.raises(TypeError) as ours:
        dtypes.set_default_dtype(dtypes.NAMES.get(name, name))  # type: ignore[arg-type]
    assert str(ours.value) == str(expected.value)


@every
def test_type_names_are_pytorchs(one: dtype) -> None:
    assert dtypes.tensor_type_name(one) == torch.zeros(1, dtype=theirs(one)).type()
    assert dtypes.scalar_type_name(one) in dtypes.tensor_type_name(one)
    # The product saves the second operand, which is then changed.
    operand = torch.ones(2, dtype=theirs(one))
    product = (torch.ones(2, requires_grad=True) * operand).abs().sum()
    operand.logical_not_()
    with pytest.raises(RuntimeError) as error:
        product.backward()
    assert f": [{dtypes.version_type_name(one)} [2]]" in str(error.value)


@every
def test_cpp_names_are_pytorchs(one: dtype) -> None:
    other = dtypes.float64 if one is dtypes.float32 else dtypes.float32
    with pytest.raises(RuntimeError) as error:
        torch.ones(2, 2, dtype=theirs(one)) @ torch.ones(2, 2, dtype=theirs(other))
    names = f"{dtypes.cpp_type_name(one)} != {dtypes.cpp_type_name(other)}"
    assert str(error.value).endswith(names)
