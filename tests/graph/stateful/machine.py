"""The machine: one sequence of lines, run side by side in two libraries.

A line is a line of Python that says `torch`. After each, the two worlds must look the same: the
error, what the line noted in `log`, and of every tensor what can be seen of it without a change of
its history (reading `grad_fn` of a stale view makes a node, so this is a line of its own, `see`).
"""

import functools
import re
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from tests.observe import clean

Scope = dict[str, Any]

PRELUDE = Path(__file__).with_name("prelude.py").read_text(encoding="utf-8")
NAME = re.compile(r"t\d+")
STRIDES = re.compile(r"strides \[[^]]*\]")  # of dimensions of size 1 they are anything
# Relative and absolute, by what the lines say that there is.
TOLERANCES = {"float16": (2e-2, 2e-2), "float32": (1e-4, 1e-5), "": (1e-7, 1e-9)}


class Difference(AssertionError):
    """The two worlds do not look the same."""

    def __init__(self, lines: list[str], where: str, first: Any, second: Any) -> None:
        self.lines = lines
        self.where = where
        self.outcomes = first, second
        super().__init__(self.script())

    def script(self) -> str:
        """The sequence as a script, and what differed at its end."""
        first, second = self.outcomes
        parts = [PRELUDE, *self.lines, "print(*log, sep='\\n')", "", f"# {self.where}"]
        return "\n".join([*parts, f"# PyTorch: {first!r}", f"# seegrad: {second!r}"])


@functools.lru_cache(maxsize=4096)
def compiled(line: str) -> CodeType:
    """The code of a line."""
    return compile(line, "<sequence>", "exec")


def new_scope(library: Any) -> Scope:
    """The prelude, run with `torch` bound to a library."""
    scope: Scope = {"torch": library, "__name__": "prelude"}
    exec(compiled(PRELUDE.replace("import torch\n", "", 1)), scope)
    return scope


class Machine:
    """One sequence and the two worlds it runs in."""

    def __init__(self, reference: Any, ours: Any) -> None:
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.tolerance = TOLERANCES[""]
        self.scopes = [new_scope(library) for library in (reference, ours)]

    @property
    def names(self) -> list[str]:
        """The names of the tensors, in the order in which they were made."""
        return [name for name in self.scopes[0] if NAME.fullmatch(name)]

    def look(self, name: str) -> Any:
        """A tensor of the reference."""
        return self.scopes[0][name]

    def run(self, line: str) -> bool:
        """Runs a line in both worlds; whether it went through, the same in both."""
        self.lines.append(line)
        if "float16" in line or "float32" in line:
            self.tolerance = max(self.tolerance, TOLERANCES[line.partition("dtype=torch.")[2][:7]])
        first, second = (execute(line, scope) for scope in self.scopes)
        if first != second:
            raise Difference(self.lines, "error", first, second)
        if first:
            self.errors.append(first)
        self.compare()
        return not first

    def compare(self) -> None:
        """Raises Difference where the worlds do not look the same."""
        first, second = (scope["log"] for scope in self.scopes)
        if not same(first, second, self.tolerance):
            raise Difference(self.lines, "log", *differing(first, second, self.tolerance))
        self.errors += errors_in(first)
        for scope in self.scopes:
            scope["log"].clear()
        names = self.names
        for name in names:
            seen, found = (looks(scope, name, names) for scope in self.scopes)
            for key in seen:
                if not same(seen[key], found[key], self.tolerance):
                    raise Difference(self.lines, f"{name} {key}", seen[key], found[key])


def execute(line: str, scope: Scope) -> str:
    """The error that a line raises, empty when it raises none."""
    try:
        exec(compiled(line), scope)
    except Exception as error:
        return STRIDES.sub("strides [...]", clean(f"{type(error).__name__}: {error}"))
    return ""


def looks(scope: Scope, name: str, names: list[str]) -> dict[str, Any]:
    """What is seen of a tensor without a change of its history."""
    tensor = scope[name]
    base = tensor._base
    return {
        "shape": tuple(tensor.shape),
        "dtype": str(tensor.dtype).rpartition(".")[2],
        "strides": strides(tensor),
        "offset": tensor.storage_offset() if tensor.numel() else 0,
        "requires_grad": tensor.requires_grad,
        "inference": tensor.is_inference(),
        "version": None if tensor.is_inference() else tensor._version,
        "is_view": tensor._is_view(),
        "base": None if base is None else [n for n in names if scope[n] is base],
        "siblings": None if base is None else [n for n in names if scope[n]._base is base],
        "values": tensor.tolist(),
    }


def strides(tensor: Any) -> list[int]:
    """The strides that matter."""
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return [step for size, step in pairs if size > 1] if tensor.numel() else []


def same(first: Any, second: Any, tolerance: tuple[float, float]) -> bool:
    """Equal, numbers within rounding."""
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        if len(first) != len(second):
            return False
        return all(same(a, b, tolerance) for a, b in zip(first, second, strict=True))
    if isinstance(first, (float, complex)) and type(first) is type(second):
        if first == second:
            return True
        rtol, atol = tolerance
        return bool(np.isclose(first, second, rtol=rtol, atol=atol, equal_nan=True))
    if isinstance(first, str) and isinstance(second, str):
        return first == second or clean(first) == clean(second)
    return type(first) is type(second) and bool(first == second)


def differing(first: Any, second: Any, tolerance: tuple[float, float]) -> tuple[Any, Any]:
    """The first entries of two logs that differ."""
    for one, other in zip(first, second, strict=False):
        if not same(one, other, tolerance):
            return one, other
    return first, second


def errors_in(log: Iterable[Any]) -> list[str]:
    """The texts of errors that a log holds."""
    found = []
    for entry in log:
        if isinstance(entry, list):
            found += errors_in(entry)
        elif isinstance(entry, str) and "Error: " in entry:
            found.append(clean(entry))
    return found


def replay(lines: list[str], reference: Any, ours: Any) -> Difference | None:
    """The difference that a given sequence shows."""
    machine = Machine(reference, ours)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for line in lines:
                machine.run(line)
        except Difference as difference:
            return difference
    return None


def shrunk(difference: Difference, reference: Any, ours: Any) -> Difference:
    """The same kind of difference from as few lines as possible: lines are left out one by one."""
    last = difference.lines[-1]
    for name in NAME.findall(last) if last.startswith("see(") else ():
        found = replay([*difference.lines[:-1], f"see({name})"], reference, ours)
        if found is not None:
            difference = found
            break
    place = len(difference.lines) - 1
    while place >= 0:
        shorter = difference.lines[:place] + difference.lines[place + 1 :]
        found = replay(shorter, reference, ours)
        if found is not None:
            difference = found
            place = min(place, len(difference.lines))
        place -= 1
    return difference
