"""The database of operators: every module here that has `ENTRIES` adds its own."""

import importlib
import pkgutil

from tests.database.spec import Entry


def entries() -> list[Entry]:
    """All entries, module by module."""
    found: list[Entry] = []
    for module in pkgutil.iter_modules(__path__):
        found += getattr(importlib.import_module(f"{__name__}.{module.name}"), "ENTRIES", [])
    return found
