"""Linear algebra: what PyTorch's table of operators asks, in float64 and complex128."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle

NAMES = """
addmm addmv addbmm baddbmm bmm mm mv dot vdot addr cross inner outer kron trace tensordot norm
cholesky cholesky_inverse cholesky_solve geqrf logdet lu lu_solve lu_unpack matrix_exp ormqr
pca_lowrank pinverse qr svd svd_lowrank triangular_solve
linalg.cholesky linalg.cholesky_ex linalg.cond linalg.cross linalg.det linalg.diagonal linalg.eig
linalg.eigh linalg.eigvals linalg.eigvalsh linalg.householder_product linalg.inv linalg.inv_ex
linalg.ldl_factor linalg.ldl_factor_ex linalg.ldl_solve linalg.lstsq linalg.lu linalg.lu_factor
linalg.lu_factor_ex linalg.lu_solve linalg.matrix_norm linalg.matrix_power linalg.matrix_rank
linalg.multi_dot linalg.norm linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.solve_ex
linalg.solve_triangular linalg.svd linalg.svdvals linalg.tensorinv linalg.tensorsolve linalg.vander
linalg.vecdot linalg.vector_norm
""".split()
MOST = 12  # samples of one entry; `python -m tests.opdb.driver linalg.` asks all


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", NAMES)
def test_answers(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize("name", NAMES)
def test_values_in_single_precision(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)


@pytest.mark.parametrize("name", NAMES)
def test_refusals(name: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        for found, wanted in driver.refusals(entry):
            assert found == wanted


def test_all_of_linalg_is_asked() -> None:
    pytest.importorskip("torch")
    assert {entry.name for entry in driver.entries("linalg.")} <= set(NAMES)
