"""Running an entry in a library, seegrad or PyTorch, and comparing what two runs gave."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample

FLOATS = ("float64", "complex128", "float32", "complex64", "float16", "bfloat16")
# Relative and absolute: float64 results agree to the last digits, float32 to some ulps of the
# functions that NumPy and PyTorch compute differently.
TOLERANCES = {
    "float64": (1e-9, 1e-11),
    "complex128": (1e-9, 1e-11),
    "float32": (2e-5, 2e-6),
    "int64": (2e-5, 2e-6),  # functions of integers are float32
}
# Digits of the mantissa, and the smallest exponent of a normal number.
HALVES = {"float16": (11, -14), "bfloat16": (8, -126)}


@dataclass
class Outcome:
    """What one call gave: values, first and second derivatives, all as NumPy arrays."""

    values: list[Any] = field(default_factory=list)
    dtypes: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    saved: list[list[str]] = field(default_factory=list)
    first: list[Any] = field(default_factory=list)
    first_dtypes: list[str] = field(default_factory=list)
    second: list[Any] = field(default_factory=list)


def in_dtype(array: Any, dtype: str) -> Any:
    """Float numbers as a dtype wants them: complex with an imaginary part, integers rounded."""
    if dtype == "int64":
        return np.round(np.clip(np.nan_to_num(array), -50, 50) * 2)
    if dtype.startswith("complex"):
        return array + 0.4j * np.roll(array, 1)
    return array


def tensor(torch: Any, array: Any, dtype: str, strided: bool) -> Any:
    """A leaf: float arrays in the dtype asked for and with requires_grad, others as they are."""
    wanted = None
    if array.dtype == np.float64:
        array, wanted = in_dtype(array, dtype), getattr(torch, dtype)
    if strided and array.ndim > 1:
        made = torch.tensor(np.ascontiguousarray(array.T), dtype=wanted)
        made = made.permute(*reversed(range(array.ndim))).detach()
    else:
        made = torch.tensor(array, dtype=wanted)
    return made.requires_grad_() if wanted is not None and dtype in FLOATS else made


def arguments(
    torch: Any, sample: Sample, dtype: str, strided: bool = False
) -> tuple[list[Any], dict[str, Any], list[Any]]:
    """A sample's arguments as tensors, and those tensors that require a gradient."""
    leaves: list[Any] = []

    def convert(value: Any) -> Any:
        if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
            return [convert(one) for one in value]
        if not isinstance(value, np.ndarray):
            return value
        made = tensor(torch, value, dtype, strided)
        if made.requires_grad:
            leaves.append(made)
        return made

    args = [convert(value) for value in sample.args]
    return args, {name: convert(value) for name, value in sample.kwargs.items()}, leaves


def outputs(torch: Any, result: Any) -> list[Any]:
    """The tensors of a result, one after the other; Python values become tensors."""
    if isinstance(result, tuple | list):
        return [one for part in result for one in outputs(torch, part)]
    return [result if hasattr(result, "requires_grad") else torch.tensor(result)]


def numpy(one: Any) -> Any:
    """The numbers of a tensor; None stays."""
    if one is None:
        return None
    try:
        return np.array(one.detach().tolist()).reshape(tuple(one.shape))
    except RuntimeError:  # PyTorch's zero tensors have no storage
        return np.zeros(tuple(one.shape))


def cotangent(torch: Any, like: Any, seed: int) -> Any:
    """Fixed numbers of the shape and dtype of a tensor."""
    size = int(np.prod(tuple(like.shape)))
    values = np.cos(np.arange(size) + seed).reshape(tuple(like.shape))
    if like.dtype.is_complex:
        values = values + 0.5j * np.sin(values + seed)
    return torch.tensor(values, dtype=like.dtype)


def run(
    torch: Any, entry: Entry, sample: Sample, dtype: str, order: int = 2, strided: bool = False
) -> Outcome:
    """Call an entry, and differentiate once or twice what came out."""
    args, kwargs, leaves = arguments(torch, sample, dtype, strided)
    results = outputs(torch, entry.call(torch, *args, **kwargs))
    out = Outcome(
        values=[numpy(one) for one in results],
        dtypes=[str(one.dtype) for one in results],
        nodes=[type(one.grad_fn).__name__ for one in results],
        saved=[saved_names(one.grad_fn) for one in results],
    )
    roots = [one for one in results if one.requires_grad]
    if order and entry.first and roots and leaves:
        differentiate(torch, out, roots, leaves, order if entry.second else 1)
    return out


def saved_names(node: Any) -> list[str]:
    """The `_saved_...` attributes of a node."""
    return sorted(name for name in dir(node) if name.startswith("_saved_"))


def differentiate(
    torch: Any, out: Outcome, roots: list[Any], leaves: list[Any], order: int
) -> None:
    """Fill in first and second derivatives along fixed cotangents."""
    grads = [cotangent(torch, root, 1).requires_grad_(order > 1) for root in roots]
    first = torch.autograd.grad(roots, leaves, grads, create_graph=order > 1, allow_unused=True)
    out.first = [numpy(one) for one in first]
    out.first_dtypes = [str(one.dtype) for one in first if one is not None]
    again = [one for one in first if one is not None and one.requires_grad]
    if order > 1 and again:
        seeds = [cotangent(torch, one, 2) for one in again]
        second = torch.autograd.grad(again, [*leaves, *grads], seeds, allow_unused=True)
        shapes = [tuple(one.shape) for one in (*leaves, *grads)]
        out.second = [
            np.zeros(shape) if one is None else numpy(one)
            for one, shape in zip(second, shapes, strict=True)
        ]


def close(found: Any, wanted: Any, dtype: str, ulps: float = 1, factor: float = 1) -> bool:
    """Whether numbers agree as well as a dtype allows; NaN agrees with NaN."""
    if found is None or wanted is None:
        return found is wanted
    if found.shape != wanted.shape:
        return False
    if dtype in HALVES and found.dtype.kind == "f":
        digits, lowest = HALVES[dtype]
        with np.errstate(all="ignore"):
            exponent = np.maximum(np.frexp(wanted)[1] - 1, lowest)
            same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
            near = np.abs(found - wanted) <= ulps * 2.0 ** (exponent - digits + 1)
        return bool(np.all(same | near))
    relative, absolute = TOLERANCES.get(dtype, (0.0, 0.0))
    return bool(np.allclose(found, wanted, relative * factor, absolute * factor, equal_nan=True))


def all_close(
    found: Sequence[Any], wanted: Sequence[Any], dtype: str, ulps: float = 1, factor: float = 1
) -> bool:
    """Whether two lists agree."""
    return len(found) == len(wanted) and all(
        close(a, b, dtype, ulps, factor) for a, b in zip(found, wanted, strict=True)
    )
