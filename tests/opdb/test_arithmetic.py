"""Arithmetic, parts of complex numbers, scans: what PyTorch's table of operators asks."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle

NAMES = """
__getitem__ __radd__ __rmatmul__ __rmul__ adjoint as_strided bernoulli cdouble cfloat conj imag
diff logcumsumexp mH mT normal real nn.functional.conv_transpose1d
nn.functional.triplet_margin_with_distance_loss constant_pad_nd grid_sampler_2d split_with_sizes
""".split()


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", NAMES)
def test_answers(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype)), driver.label(entry)


def test_refusals_of_losses() -> None:
    pytest.importorskip("torch")
    (entry,) = driver.entries("nn.functional.triplet_margin_with_distance_loss")
    for found, wanted in driver.refusals(entry):
        assert found == wanted
