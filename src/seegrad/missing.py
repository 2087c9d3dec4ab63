"""What is said to who asks for a name that is not there, or cannot do its work yet."""

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from seegrad.errors import noted

__all__ = ["later", "missing", "not_there_yet"]


def missing(module_name: str, names: Iterable[str]) -> Callable[[str], Any]:
    """A module's `__getattr__`: AttributeError and the nearest name there is.

    Args:
        module_name: as `__name__` says it.
        names: the public names; read when a name is missing, so a dict of globals may still grow.

    The error says PyTorch's sentence; its note says the nearest name.

    >>> missing("seegrad", ["zeros", "ones"])("zeross")
    Traceback (most recent call last):
    AttributeError: module 'seegrad' has no attribute 'zeross'
    Did you mean: 'zeros'?
    """

    def __getattr__(name: str) -> NoReturn:
        # Without `name` and `obj` Python adds no second suggestion of its own.
        error = AttributeError(f"module '{module_name}' has no attribute '{name}'")
        raise noted(error, _nearest(name, names))

    return __getattr__


def not_there_yet(name: str, instead: str) -> NotImplementedError:
    """The error of a name of PyTorch's that cannot do its work yet, with a way out."""
    return NotImplementedError(f"{name} is not there yet. What there is: {instead}.")


def later(name: str, instead: str) -> Callable[..., NoReturn]:
    """A function that raises NotImplementedError whenever it is called.

    >>> later("torch.func.vjp", "autograd.functional.vjp")()
    Traceback (most recent call last):
    NotImplementedError: torch.func.vjp is not there yet. What there is: autograd.functional.vjp.
    """

    def refused(*args: Any, **options: Any) -> NoReturn:
        raise not_there_yet(name, instead)

    refused.__name__ = refused.__qualname__ = name.rpartition(".")[2]
    return refused


def _nearest(name: str, names: Iterable[str]) -> str:
    import difflib

    public = [each for each in names if not each.startswith("_")]
    near = [] if name.startswith("_") else difflib.get_close_matches(name, public, n=1)
    return f"Did you mean: '{near[0]}'?" if near else "seegrad does not have this name."
