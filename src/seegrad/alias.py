"""`import torch` answered by seegrad: the same module objects under a second name.

Note [One module, two names]: `sys.modules["torch.nn"]` is `sys.modules["seegrad.nn"]`, so that
classes are the same whichever way a program came to them. What is imported when the alias is
installed is entered at once; the finder answers for the rest when it is asked. A module keeps the
spec it was imported with.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType

__all__ = ["install_as_torch", "uninstall"]

# What a program calls a module, and what it is called here. torchviz is drawn by `viz`.
_NAMES = {"torch": "seegrad", "torchviz": "seegrad.viz"}


def install_as_torch() -> None:
    """From now on `import torch` and `import torchviz` give seegrad, in this process.

    A second call changes nothing.

    Raises: RuntimeError where PyTorch itself is imported already.

    >>> import seegrad
    >>> seegrad.install_as_torch()  # doctest: +SKIP
    >>> import torch.nn as nn  # doctest: +SKIP
    >>> nn is seegrad.nn  # doctest: +SKIP
    True
    >>> seegrad.alias.uninstall()  # doctest: +SKIP
    """
    if _FINDER in sys.meta_path:
        return
    for alias, name in _NAMES.items():
        if alias in sys.modules and sys.modules[alias] is not sys.modules.get(name):
            raise RuntimeError(
                f"{alias} itself is imported in this process already, from "
                f"{getattr(sys.modules[alias], '__file__', 'an unknown place')}. Call "
                "seegrad.install_as_torch() before anything imports torch."
            )
    sys.meta_path.insert(0, _FINDER)
    for name, module in list(sys.modules.items()):
        if name == "seegrad" or name.startswith("seegrad."):
            sys.modules["torch" + name.removeprefix("seegrad")] = module


def uninstall() -> None:
    """`import torch` means PyTorch again; modules that programs hold stay what they are."""
    if _FINDER not in sys.meta_path:
        return
    sys.meta_path.remove(_FINDER)
    for alias in [name for name in sys.modules if _own_name(name) is not None]:
        del sys.modules[alias]


def _own_name(alias: str) -> str | None:
    """The name here of a module that programs call `alias`; None for modules of others."""
    root, dot, rest = alias.partition(".")
    return _NAMES[root] + dot + rest if root in _NAMES else None


class _Finder(importlib.abc.MetaPathFinder):
    """Finds torch.x where there is a seegrad.x, and says plainly where there is none."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module that programs call torch or torchviz."""
        own = _own_name(fullname)
        if own is None:
            return None
        module = _imported(own, fullname)
        return importlib.machinery.ModuleSpec(
            fullname, _Loader(module), is_package=hasattr(module, "__path__")
        )


class _Loader(importlib.abc.Loader):
    """Hands over a module that is imported already."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.spec = module.__spec__

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """The module itself."""
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        """Runs nothing; gives the module back the spec that the import system has replaced."""
        module.__spec__ = self.spec


_FINDER = _Finder()


def _imported(own: str, alias: str) -> ModuleType:
    """The module of seegrad by its own name.

    Raises: ModuleNotFoundError that speaks of `alias` where seegrad has no such module.
    """
    try:
        return importlib.import_module(own)
    except ModuleNotFoundError as error:
        if error.name is None or not (own == error.name or own.startswith(error.name + ".")):
            raise
        raise _not_there(own, alias) from None


def _not_there(own: str, alias: str) -> ModuleNotFoundError:
    error = ModuleNotFoundError(
        f"No module named '{alias}': torch is seegrad here, which has no {own}", name=alias
    )
    import difflib

    near = difflib.get_close_matches(own, _all_modules(), n=1, cutoff=0.8)
    if near:
        error.add_note(
            f"Did you mean: '{alias.partition('.')[0]}{near[0].removeprefix('seegrad')}'?"
        )
    return error


def _all_modules() -> list[str]:
    """The public modules of seegrad by name, without importing them."""
    import pkgutil

    path = sys.modules["seegrad"].__path__
    found = pkgutil.walk_packages(path, "seegrad.", onerror=lambda name: None)
    return [each.name for each in found if "._" not in each.name]
