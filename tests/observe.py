"""What a snippet shows to whoever runs it: printed text, value, warnings, error.

A snippet is a function of one argument, the library (``torch`` or ``seegrad``), so that the same
lines run on both. What is seen of it is plain JSON: PyTorch's answers are recorded, ours compared
with them.
"""

import contextlib
import io
import json
import re
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

Snippet = Callable[[Any], Any]

_ADDRESS = re.compile(r"0x[0-9a-f]{4,}")
_TRIGGERED = re.compile(r"\s*\(Triggered internally at [^)\]\n]*\)?")


def clean(text: str) -> str:
    """Text without what differs between runs: addresses, source places, the library's own name."""
    text = _TRIGGERED.sub("", _ADDRESS.sub("0x...", text))
    return text.replace("seegrad.", "torch.").strip()


def attempt(function: Callable[[], Any]) -> str:
    """'Class: text' of the error that ``function`` raises, or what it returned."""
    try:
        result = function()
    except Exception as error:
        return clean(f"{type(error).__name__}: {error}")
    return clean(f"no error -> {result}")


def rounded(tensor: Any, digits: int = 6) -> Any:
    """The numbers of a tensor as nested lists, short enough to be equal on every machine."""
    return _round(tensor.detach().tolist(), digits)


def _round(value: Any, digits: int) -> Any:
    if isinstance(value, list):
        return [_round(item, digits) for item in value]
    if isinstance(value, complex):
        return [_round(value.real, digits), _round(value.imag, digits)]
    return round(value, digits) + 0.0 if isinstance(value, float) else value


def edges(node: Any) -> list[list[Any]]:
    """The edges of a node: class name of the next node (or None) and input number."""
    return [[type(next_node).__name__ if next_node else None, number]
            for next_node, number in node.next_functions]  # fmt: skip


def observe(snippet: Snippet, torch: Any) -> dict[str, Any]:
    """Runs a snippet in a fresh state and returns what it showed, empty parts left out."""
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)  # else what was warned of once is not said again
    printed = io.StringIO()
    seen: dict[str, Any] = {}
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.manual_seed(0)
        with torch.enable_grad():
            try:
                seen["value"] = json.loads(json.dumps(snippet(torch)))
            except Exception as error:
                seen["raised"] = clean(f"{type(error).__name__}: {error}")
    torch.set_warn_always(always)
    seen["printed"] = [line.rstrip() for line in clean(printed.getvalue()).splitlines()]
    seen["warned"] = [clean(f"{w.category.__name__}: {w.message}") for w in caught]
    return {name: part for name, part in seen.items() if part not in ([], None)}


def snippets(module: ModuleType) -> Iterator[tuple[str, Snippet]]:
    """The public functions that a module defines itself, in the order of the file."""
    short = module.__name__.rpartition(".")[2]
    for name, value in vars(module).items():
        own = getattr(value, "__module__", None) == module.__name__
        if own and not name.startswith("_") and callable(value):
            yield f"{short}.{name}", value
