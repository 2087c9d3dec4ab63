"""The floors of docs/design.md hold: imports go down, nothing goes round, rules are only rules."""

import pytest

from tests.sources import PACKAGE, floors, imported, modules, own_imports, statements, top

MODULES = sorted(modules())
FOREIGN_TO_RULES = {"numpy", "scipy", "ml_dtypes"}


def test_plan_is_read() -> None:
    assert floors()["errors"] == floors()["arrays"] == 0
    assert floors()["cli"] > floors()["viz"] > floors()["tensor"] > floors()["graph"]


@pytest.mark.parametrize("module", MODULES)
def test_module_has_a_floor(module: str) -> None:
    assert top(module) in floors(), f"docs/design.md gives no floor to {top(module)}"


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module: str) -> None:
    own = floors()[top(module)]
    higher = {name for name in own_imports(module) if floors().get(top(name), 99) > own}
    assert not higher, f"floor {own} imports from above"


@pytest.mark.parametrize("module", MODULES)
def test_imports_are_absolute(module: str) -> None:
    relative = [s.lineno for s in statements(module) if getattr(s, "level", 0)]
    assert not relative, f"relative imports in lines {relative}"


@pytest.mark.parametrize("module", MODULES)
def test_pytorch_is_never_imported(module: str) -> None:
    roots = {name.split(".")[0] for name in imported(module)}
    assert not roots & {"torch", "torchviz"}


@pytest.mark.parametrize("module", [name for name in MODULES if top(name) == "rules"])
def test_rules_know_no_arrays(module: str) -> None:
    roots = {name.split(".")[0] for name in imported(module)}
    assert not roots & FOREIGN_TO_RULES, "a rule works on raw arrays and on tensors alike"


def test_no_cycles() -> None:
    waiting = {name: own_imports(name) & modules().keys() for name in modules()}
    free = True
    while free:
        free = {name for name, needs in waiting.items() if not needs & waiting.keys()}
        for name in free:
            del waiting[name]
    assert not waiting, f"modules in or above an import cycle: {sorted(waiting)}"


@pytest.mark.parametrize("module", MODULES)
def test_files_are_short(module: str) -> None:
    lines = modules()[module].read_text(encoding="utf-8").count("\n")
    assert lines <= 800, f"{modules()[module].relative_to(PACKAGE)} has {lines} lines"


def test_every_folder_is_a_package() -> None:
    folders = {path.parent for path in modules().values()}
    assert all((folder / "__init__.py").exists() for folder in folders)
