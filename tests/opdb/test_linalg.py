"""Linear algebra: what PyTorch's table of operators asks, in float64 and complex128."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle

NAMES = """
linalg.cross linalg.multi_dot linalg.vector_norm
addmm addmv addbmm baddbmm bmm mm mv dot vdot addr cross inner outer kron trace tensordot
""".split()
MOST = 12  # samples of one entry; `python -m tests.opdb.driver linalg.` asks all


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", NAMES)
def test_answers(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)
