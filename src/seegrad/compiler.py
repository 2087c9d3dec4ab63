"""`compile`, which returns what it is given: there is nothing to compile to."""

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "cudagraph_mark_step_begin",
    "disable",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "list_backends",
    "reset",
]

_NOTE = ["torch.compile returns functions as they are: NumPy runs them, nothing is compiled"]

Model = TypeVar("Model", bound=Callable[..., Any])


def compile(
    model: Callable[..., Any] | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable[..., Any] | None = None,
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    disable: bool = False,
    recompile_limit: int | None = None,
    isolate_recompiles: bool = False,
    shapes_spec: Any = None,
) -> Any:
    """The function or module itself; a decorator where only options are given.

    Raises: AssertionError where `model` cannot be called; RuntimeError where both a mode and
    options are given.

    >>> import seegrad as torch
    >>> @torch.compile(mode="reduce-overhead")
    ... def double(x):
    ...     return x + x
    >>> double(torch.ones(2))
    tensor([2., 2.])
    """
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same "
            "time."
        )
    if model is None:
        return _same
    return _same(model)


def _same(model: Model) -> Model:
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    if _NOTE:
        import logging  # here, because importing seegrad does not wait for it

        logging.getLogger(__name__).info(_NOTE.pop())
    return model


def disable(fn: Model | None = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """The function itself; a decorator where none is given."""
    return _same if fn is None else _same(fn)


def is_compiling() -> bool:
    """False: nothing is ever being compiled."""
    return False


def is_dynamo_compiling() -> bool:
    """False: nothing is ever being compiled."""
    return False


def is_exporting() -> bool:
    """False: nothing is ever being exported."""
    return False


def allow_in_graph(fn: Any) -> Any:
    """The function itself."""
    return fn


def assume_constant_result(fn: Any) -> Any:
    """The function itself."""
    return fn


def cudagraph_mark_step_begin() -> None:
    """Nothing to mark."""


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """No backends."""
    return []


def reset() -> None:
    """Nothing to forget."""
