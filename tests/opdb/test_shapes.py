"""Shapes, views and indices: what PyTorch's table of operators asks, type by type."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle

MOST = 6  # samples of one entry; `python -m tests.opdb.driver NAME` asks all
EXACT = """
as_strided atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors broadcast_to
cartesian_prod cat chunk column_stack combinations constant_pad_nd diag diag_embed diagflat
diagonal diagonal_scatter dsplit dstack expand expand_as flatten flip fliplr flipud gather hsplit
hstack index_add index_copy index_fill index_put index_select kron masked_fill masked_scatter
masked_select meshgrid movedim narrow permute put ravel repeat repeat_interleave reshape
reshape_as roll rot90 scatter scatter_add select_scatter slice_scatter split split_with_sizes
squeeze stack t take take_along_dim tensor_split tile transpose trace tril triu unbind unflatten
unfold unsafe_chunk unsafe_split unsqueeze view view_as vsplit vstack __getitem__
_unsafe_masked_index _unsafe_masked_index_put_accumulate H T mH mT
""".split()
FLOATING = """
index_reduce scatter_reduce linalg.vander _segment_reduce native_batch_norm native_group_norm
native_layer_norm nn.functional.pixel_shuffle nn.functional.pixel_unshuffle
nn.functional.multi_margin_loss nn.functional.multilabel_margin_loss
""".split()


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", [*EXACT, *FLOATING])
def test_answers(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
@pytest.mark.parametrize("name", EXACT)
def test_values(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)


# Storages that cannot be resized, and the list of signatures that was shortened.
OTHER_REFUSALS = {"cat", "hsplit", "vsplit", "gather"}


@pytest.mark.parametrize("name", [one for one in EXACT if one not in OTHER_REFUSALS])
def test_refusals(name: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        for found, wanted in driver.refusals(entry):
            assert found == wanted
