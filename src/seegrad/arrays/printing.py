"""The text of a tensor, as PyTorch prints it, to the character."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import dtype

Array = np.ndarray[Any, Any]


@dataclasses.dataclass
class PrintOptions:
    """How tensors are printed; `sci_mode` None means as the numbers need it."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES: Final = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}

options: Final = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed; what is None stays, but `sci_mode` None is automatic again.

    `precision`: digits after the point. `threshold`: with more elements a tensor is summarised by
    `edgeitems` at both ends. `linewidth`: characters in a line. `profile`: "default", "short" or
    "full" set the four at once.

    >>> import seegrad as torch
    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([1.12345])
    tensor([1.12])
    >>> torch.set_printoptions(profile="default")
    """
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    chosen = dataclasses.asdict(_PROFILES[profile]) if profile in _PROFILES else {}
    chosen.update({name: value for name, value in given.items() if value is not None})
    chosen["sci_mode"] = sci_mode
    for name, value in chosen.items():
        setattr(options, name, value)


def get_printoptions() -> dict[str, Any]:
    """Return the options in force: precision, threshold, edgeitems, linewidth and sci_mode."""
    return dataclasses.asdict(options)


class _Column:
    """How one kind of numbers is written: the width and form that suit all that are shown."""

    def __init__(self, shown: Array) -> None:
        self.is_floating = shown.dtype.kind == "f"
        self.is_integral = True
        self.is_scientific = False
        if self.is_floating:
            lengths = self._choose_form(shown)
        else:
            lengths = [len(str(value)) for value in shown.tolist()]
        self.width = max(lengths, default=1)

    def _choose_form(self, shown: Array) -> list[int]:
        """Choose integers, decimals or powers of ten; return the lengths of what counts."""
        numbers = shown[np.isfinite(shown) & (shown != 0)]
        if not numbers.size:
            return []
        sizes = np.abs(numbers)
        smallest, largest = float(sizes.min()), float(sizes.max())
        self.is_integral = bool(np.all(numbers == np.ceil(numbers)))
        self.is_scientific = (
            largest / smallest > 1000.0
            or largest > 1.0e8
            or (not self.is_integral and smallest < 1.0e-4)
        )
        if options.sci_mode is not None:
            self.is_scientific = options.sci_mode
        return [len(self._floating(value)) for value in numbers.tolist()]

    def _floating(self, value: float) -> str:
        if self.is_scientific:
            return f"{value:.{options.precision}e}"
        if self.is_integral:
            return f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"
        return f"{value:.{options.precision}f}"

    def text(self, value: Any) -> str:
        """Return one number, right-aligned."""
        written = self._floating(value) if self.is_floating else str(value)
        return written.rjust(self.width)


class _ComplexColumn:
    """How complex numbers are written: real parts are aligned, imaginary parts follow."""

    def __init__(self, shown: Array) -> None:
        self.real = _Column(shown.real)
        self.imag = _Column(shown.imag)
        self.width = self.real.width + self.imag.width + 1

    def text(self, value: complex) -> str:
        imag = self.imag.text(value.imag).lstrip()
        sign = "" if imag.startswith(("+", "-")) else "+"
        return f"{self.real.text(value.real)}{sign}{imag}j"


_AnyColumn = _Column | _ComplexColumn


def _wide(array: Array) -> Array:
    """Return floating-point numbers as float64 or complex128; the rest as it is."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    return array if array.dtype.kind in "biu" else array.astype(np.float64)


def _shown(array: Array) -> Array:
    """Return the elements at the edges of each dimension, flat: those a summary shows."""
    for axis, size in enumerate(array.shape):
        if size > 2 * options.edgeitems:
            edges = [*range(options.edgeitems), *range(size - options.edgeitems, size)]
            array = array.take(edges, axis)
    return array.reshape(-1)


def _vector(row: Array, column: _AnyColumn, summarize: bool, indent: int) -> str:
    edge = options.edgeitems
    if summarize and row.size > 2 * edge:
        front = [column.text(value) for value in _wide(row[:edge]).tolist()]
        back = [column.text(value) for value in _wide(row[row.size - edge :]).tolist()]
        words = [*front, " ...", *back]
    else:
        words = [column.text(value) for value in _wide(row).tolist()]
    each = max(1, (options.linewidth - indent) // (column.width + 2))
    lines = [", ".join(words[start : start + each]) for start in range(0, len(words), each)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _nested(array: Array, column: _AnyColumn, summarize: bool, indent: int) -> str:
    """Return the brackets of an array; the depth of the recursion is the number of dimensions."""
    if array.ndim == 0:
        return column.text(_wide(array).item())
    if array.ndim == 1:
        return _vector(array, column, summarize, indent)
    edge = options.edgeitems
    if summarize and len(array) > 2 * edge:
        front = [_nested(one, column, summarize, indent + 1) for one in array[:edge]]
        back = [_nested(one, column, summarize, indent + 1) for one in array[len(array) - edge :]]
        slices = [*front, "...", *back]
    else:
        slices = [_nested(one, column, summarize, indent + 1) for one in array]
    return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(slices) + "]"


def array_text(array: Array, indent: int = 0) -> str:
    """Return the elements of an array in brackets; `indent` is the column they start in."""
    summarize = array.size > options.threshold
    shown = _wide(_shown(array) if summarize else array.reshape(-1))
    column = _ComplexColumn(shown) if shown.dtype.kind == "c" else _Column(shown)
    return _nested(array, column, summarize, indent)


def is_unusual(of: dtype, is_empty: bool) -> bool:
    """Say whether the type must be told, because the elements do not show it."""
    if of is dtypes.get_default_dtype():
        return False
    return is_empty or of not in (dtypes.int64, dtypes.bool_, dtypes.default_complex())


def tensor_text(
    array: Array, dtype: dtype, suffixes: Sequence[str] = (), prefix: str = "tensor("
) -> str:
    """Return PyTorch's text of a tensor with these values.

    `suffixes` follow the values and the type, such as "requires_grad=True"; each goes to a new
    line where it does not fit.

    >>> import numpy as np
    >>> from seegrad.arrays import dtypes
    >>> tensor_text(np.array([1.0, 2.5]), dtypes.float64, ["requires_grad=True"])
    'tensor([1.0000, 2.5000], dtype=torch.float64, requires_grad=True)'
    """
    told = []
    if array.size == 0:
        values = "[]"
        if array.ndim != 1:
            told.append(f"size={array.shape}")
    else:
        values = array_text(array, len(prefix))
    if is_unusual(dtype, array.size == 0):
        told.append(f"dtype={dtype}")
    return _with_suffixes(prefix + values, [*told, *suffixes], len(prefix)) + ")"


def sparse_text(indices: Array, values: Array, of: dtype, told: Sequence[str]) -> str:
    """Return PyTorch's text of a sparse tensor; `told` follows, from a new line on.

    >>> import numpy as np
    >>> from seegrad.arrays import dtypes
    >>> print(sparse_text(np.array([[0, 2]]), np.array([1.0, 2.0]), dtypes.float32, ["nnz=2"]))
    tensor(indices=tensor([[0, 2]]),
           values=tensor([1., 2.]),
           nnz=2)
    """
    text, margin = "tensor(", " " * len("tensor(")
    for name, array in (("indices", indices), ("values", values)):
        shown = f"[], size={array.shape}"
        if array.size:
            shown = array_text(array, len(f"{margin}{name}=tensor("))
        text += f"{name}=tensor({shown}),\n{margin}"
    first, *rest = told
    return _with_suffixes(text + first, rest, len(margin)) + ")"


def _with_suffixes(text: str, suffixes: Sequence[str], indent: int) -> str:
    last_line = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > options.linewidth:
            text += ",\n" + " " * indent + suffix
            last_line = indent + len(suffix)
        else:
            text += ", " + suffix
            last_line += len(suffix) + 2
    return text
