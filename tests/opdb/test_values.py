"""What has no derivative: the values that PyTorch's table of operators asks for."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle

MOST = 12  # samples of one entry
NAMES = """
cauchy geometric log_normal nonzero nonzero_static uniform unique unique_consecutive
""".split()


@pytest.mark.parametrize("dtype", ["float64", "complex128", "float32", "int64", "bool"])
@pytest.mark.parametrize("name", NAMES)
def test_values(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)
