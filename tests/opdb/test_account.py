"""Every entry of PyTorch's table of operators, with a few samples each: the account holds."""

from pathlib import Path

import pytest

from tests.opdb import account, driver

pytestmark = pytest.mark.oracle

PARTS = 16  # tests, so that several processes share them
MOST = 3  # samples of an entry in a dtype; `make opdb` asks all
PAGE = Path(__file__).parents[2] / "docs" / "operators.md"


@pytest.fixture(autouse=True)
def _torch() -> None:
    pytest.importorskip("torch")


@pytest.mark.parametrize("part", range(PARTS))
def test_entries_that_differ_are_the_known_ones(part: int) -> None:
    entries = account.comparable()[part::PARTS]
    found = {driver.label(one): account.difference(one, MOST) for one in entries}
    assert {name: text for name, text in found.items() if text}.keys() == (
        account.KNOWN.keys() & found.keys()
    ), {name: text for name, text in found.items() if text}


def test_nearly_all_entries_are_right() -> None:
    names = {driver.label(entry) for entry in account.comparable()}
    assert len(names) >= 470
    assert account.KNOWN.keys() <= names
    assert len(account.KNOWN) <= 0.03 * len(names)


def test_the_page_has_the_figures() -> None:
    found: dict[str, account.Family] = {}
    for entry in filter(account.differentiable, driver.table()):
        kin = found.setdefault(account.family(entry), account.Family())
        name, why = driver.label(entry), account.reason(entry)
        if why:
            kin.left_out[name] = why
        elif name in account.KNOWN:
            kin.wrong[name] = account.KNOWN[name]
        else:
            kin.right.append(name)
    page = PAGE.read_text()
    for line in account.table({name: found[name] for name in account.FAMILIES if name in found}):
        assert line in page
    named = {
        name: why for kin in found.values() for name, why in {**kin.left_out, **kin.wrong}.items()
    }
    for name, why in {**named, **account.KNOWN_VALUES}.items():
        assert f"`{name}`" in page
        assert why in " ".join(page.split())
