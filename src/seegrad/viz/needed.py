"""Packages that pictures need and seegrad does not bring: a missing one says what to install."""

import importlib
from types import ModuleType

__all__ = ["needed"]

_PACKAGES = {"fast_sugiyama": "fast-sugiyama", "resvg_py": "resvg-py", "graphviz": "graphviz"}


def needed(module: str, what: str) -> ModuleType:
    """An optional package.

    Raises: ModuleNotFoundError that says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{what} needs the package {_PACKAGES[module]}, which is not installed: "
            "pip install 'seegrad[viz]'",
            name=module,
        ) from error
