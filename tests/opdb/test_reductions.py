"""Reductions, scans, sorting, statistics, spectrograms: what PyTorch's table of operators asks."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle

NAMES = """
sum nansum mean nanmean prod var std var_mean std_mean logsumexp all any count_nonzero
max min amax amin aminmax argmax argmin median nanmedian mode kthvalue quantile nanquantile
cumsum cumprod cummax cummin logcumsumexp sort argsort msort topk unique
unique_consecutive histc histogram histogramdd bincount searchsorted bucketize isin nonzero
argwhere unravel_index trace isclose frexp ldexp gcd lcm isreal dist pdist corrcoef
trapezoid trapz cumulative_trapezoid diff gradient cov cdist renorm stft istft signal.windows.
""".split()
MOST = 12  # samples of one entry; `python -m tests.opdb.driver NAME` asks all
# Which of equal elements an index names is left open where the sort is not stable.
TIED = {
    ("mode", "int64"),
    ("mode", "bool"),
    ("mode", "uint8"),
    ("topk", "int64"),
    ("topk", "uint8"),
}
TIED |= {(name, kind) for name in ("sort", "argsort") for kind in ("bool", "uint8")}


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", NAMES)
def test_answers(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int64", "uint8", "bool"])
@pytest.mark.parametrize("name", NAMES)
def test_values_of_other_types(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    if (name, dtype) in TIED:
        pytest.skip("ties")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)
