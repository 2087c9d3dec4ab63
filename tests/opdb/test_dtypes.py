"""Single and half precision, integers and bools: what PyTorch's table of operators asks.

Each type asks a third of the entries, each another; `python -m tests.opdb.dtypes` asks all.
"""

import warnings

import pytest

from tests.opdb import driver, dtypes
from tests.opdb.exceptions import REFUSALS

pytestmark = pytest.mark.oracle

PARTS, MOST = 3, 2
SLOW = {"grid_sampler_3d"}  # half a minute


@pytest.mark.parametrize("dtype", dtypes.DTYPES)
def test_same_numbers_and_refusals(dtype: str) -> None:
    pytest.importorskip("torch")
    account = dtypes.Account()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the table warns of itself
        for entry in dtypes.asked()[dtypes.DTYPES.index(dtype) % PARTS :: PARTS]:
            if entry.name not in SLOW:
                dtypes.ask(entry, dtype, MOST, account)
    assert account.asked["value"] > 100
    known = {name for one, name in dtypes.known() if one == dtype}
    assert {n: t for n, t in account.wrong["value"].items() if n not in known} == {}
    assert {n: t for n, t in account.wrong["refusal"].items() if n not in REFUSALS} == {}


def test_exceptions_still_differ() -> None:
    pytest.importorskip("torch")
    named = {driver.label(entry): entry for entry in driver.table()}
    for dtype, name in sorted(dtypes.known()):
        account = dtypes.Account()
        dtypes.ask(named[name], dtype, 8, account)
        assert name in account.wrong["value"], f"{name} in {dtype} is no exception any more"
