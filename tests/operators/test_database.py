"""Every operator of the database against PyTorch itself."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import seegrad
from tests.database import entries
from tests.database.run import Outcome, all_close, run
from tests.database.spec import Entry, Sample

ALL = entries()
by_entry = pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.name)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Warnings of both libraries are compared elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def both(
    torch: Any, entry: Entry, sample: Sample, dtype: str, order: int, strided: bool = False
) -> tuple[Outcome, Outcome] | None:
    """Outcomes here and in PyTorch; None where both refuse with the same class of error."""
    try:
        wanted = run(torch, entry, sample, dtype, order, strided)
    except Exception as error:
        with pytest.raises(type(error)):
            run(seegrad, entry, sample, dtype, order, strided)
        return None
    return run(seegrad, entry, sample, dtype, order, strided), wanted


def agree(entry: Entry, dtype: str, found: Outcome, wanted: Outcome) -> None:
    """Same types, shapes, values, derivatives and node names."""
    ulps, factor = entry.half_ulps, entry.tolerance
    assert found.dtypes == wanted.dtypes
    assert all_close(found.values, wanted.values, dtype, ulps, factor)
    assert found.nodes == wanted.nodes
    assert all_close(found.first, wanted.first, dtype, ulps, factor)
    assert found.first_dtypes == wanted.first_dtypes
    if wanted.second:
        assert all_close(found.second, wanted.second, dtype, ulps, factor)
    else:
        assert not any(one.any() for one in found.second)


def compare(entry: Entry, dtype: str, order: int, strided: bool = False) -> None:
    torch = pytest.importorskip("torch")
    for sample in entry.samples:
        pair = both(torch, entry, sample, dtype, order, strided)
        if pair is not None:
            agree(entry, dtype, *pair)


@pytest.mark.oracle
@by_entry
def test_double_precision(entry: Entry) -> None:
    compare(entry, "float64", 2)


@pytest.mark.oracle
@by_entry
def test_non_contiguous(entry: Entry) -> None:
    compare(entry, "float64", 1, strided=True)


@pytest.mark.oracle
@pytest.mark.parametrize("entry", [e for e in ALL if e.complex], ids=lambda entry: entry.name)
def test_complex(entry: Entry) -> None:
    compare(entry, "complex128", 2)


@pytest.mark.oracle
@pytest.mark.parametrize("entry", [e for e in ALL if e.single], ids=lambda entry: entry.name)
def test_single_precision(entry: Entry) -> None:
    compare(entry, "float32", 1)


@pytest.mark.oracle
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("entry", [e for e in ALL if e.half], ids=lambda entry: entry.name)
def test_half_precision(entry: Entry, dtype: str) -> None:
    compare(entry, dtype, 1)


@pytest.mark.oracle
@pytest.mark.parametrize("entry", [e for e in ALL if e.integer], ids=lambda entry: entry.name)
def test_integers(entry: Entry) -> None:
    compare(entry, "int64", 0)


# What PyTorch's nodes keep and ours need not: mostly arrays of which only the shape is used.
UNSAVED = {
    "AdaptiveAvgPool2DBackward0": "self",
    "AdaptiveAvgPool3DBackward0": "self",
    "AdaptiveMaxPool2DBackward0": "self",
    "AdaptiveMaxPool3DBackward0": "self",
    "AddbmmBackward0": "batch1_sym_argsize_0 batch1_sym_argsize_1 batch2_sym_argsize_2",
    "AddmmBackward0": "mat1_sym_sizes mat1_sym_strides mat2_sym_sizes mat2_sym_strides",
    "AminmaxBackward0": "max min",
    "AvgPool2DBackward0": "self",
    "AvgPool3DBackward0": "self",
    "CholeskySolveBackward0": "self",
    "ClampBackward0": "max min",
    "ComplexBackward0": "imag real",
    "ConvolutionBackward0": "bias_sym_sizes_opt output_padding",
    "CummaxBackward0": "self",
    "CumminBackward0": "self",
    "CumprodBackward0": "result",
    "DivBackward2": "other rounding_mode self",
    "EmbeddingBagBackward0": "offsets padding_idx result1 result2 result3 sparse "
    "weight_sym_argsize_0",
    "EmbeddingBackward0": "sparse weight_sym_argsize_0",
    "FftR2CBackward0": "self",
    "FractionalMaxPool2DBackward0": "kernel_size output_size self",
    "FractionalMaxPool3DBackward0": "kernel_size output_size self",
    "GatherBackward0": "self",
    "Im2ColBackward0": "self_sym_argsize_minus_1 self_sym_argsize_minus_2",
    "IndexAddBackward0": "source source_dim",
    "IndexCopyBackward0": "source source_dim",
    "LinalgDetBackward0": "LU pivots result",
    "LinalgHouseholderProductBackward0": "result",
    "LinalgLuBackward0": "pivot",
    "LinalgLuFactorExBackward0": "pivot",
    "LinalgSlogdetBackward0": "LU pivots",
    "LinalgSolveExBackward0": "LU pivots",
    "LinalgSvdBackward0": "S_sym_argsize_minus_1",
    "LogSigmoidBackward0": "buffer",
    "LuUnpackBackward0": "LU_data_sym_argsize_minus_1 LU_data_sym_argsize_minus_2",
    "MaskedSelectBackward0": "self",
    "MaxPool2DWithIndicesBackward0": "ceil_mode dilation kernel_size padding self stride",
    "MaxPool3DWithIndicesBackward0": "ceil_mode dilation kernel_size padding self stride",
    "MeanBackward0": "self_sym_numel",
    "MeanBackward1": "self_sym_numel",
    "MmBackward0": "mat2_sym_sizes mat2_sym_strides self_sym_sizes self_sym_strides",
    "MultilabelMarginLossBackward0": "is_target",
    "NativeBatchNormBackward0": "eps running_mean running_var",
    "NativeGroupNormBackward0": "C HxW N eps group",
    "NativeLayerNormBackward0": "bias normalized_shape",
    "NextafterBackward0": "other self",
    "NllLoss2DBackward0": "self",
    "NllLossBackward0": "self",
    "OrmqrBackward0": "result",
    "ProdBackward0": "result",
    "ProdBackward1": "result",
    "PutBackward0": "source",
    "ReflectionPad1DBackward0": "self",
    "ReflectionPad2DBackward0": "self",
    "ReflectionPad3DBackward0": "self",
    "ReplicationPad1DBackward0": "self",
    "ReplicationPad2DBackward0": "self",
    "ReplicationPad3DBackward0": "self",
    "ScaledDotProductFlashAttentionForCpuBackward0": "dropout_p is_causal logsumexp output",
    "SpecialLogNdtrBackward0": "result",
    "StdMeanBackward0": "result0",
    "TakeBackward0": "self",
    "TriangularSolveBackward0": "self",
}


@pytest.mark.oracle
@by_entry
def test_saved_attributes(entry: Entry) -> None:
    torch = pytest.importorskip("torch")
    for sample in entry.samples:
        pair = both(torch, entry, sample, "float64", 0)
        if pair is None:
            continue
        found, wanted = pair
        for name, ours, theirs in zip(found.nodes, found.saved, wanted.saved, strict=True):
            unsaved = {f"_saved_{one}" for one in UNSAVED.get(name, "").split()}
            assert set(theirs) - set(ours) <= unsaved
