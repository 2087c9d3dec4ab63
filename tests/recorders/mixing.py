"""What comes of a tensor and an array or scalar of NumPy's, in every operator and either order."""

import operator
import warnings
from typing import Any

import numpy as np

NAME = "mixing"

OPERATORS = (
    "add sub mul truediv floordiv mod pow matmul eq ne lt and_ iadd itruediv ifloordiv ipow"
).split()
UFUNCS = "multiply maximum arctan2 equal".split()
FUNCTIONS = (
    "sin negative exp isnan cumsum stack concatenate dot where outer array zeros_like"
).split()
# The sentences of NumPy itself differ from one version to another.
NUMPY_SAYS = ("ufunc", "operands could", "Concatenation", "matmul:", "can't convert np.ndarray")


def tensors(torch: Any) -> dict[str, Any]:
    """New tensors by name; `g` requires a gradient."""
    pair = [1.5, -2.0]
    return {
        "f": torch.tensor(pair),
        "i": torch.tensor([3, -2]),
        "b": torch.tensor([True, False]),
        "f0": torch.tensor(2.5),
        "bf": torch.tensor(pair, dtype=torch.bfloat16),
        "m": torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
        "g": torch.tensor(pair, requires_grad=True),
    }


def arrays() -> dict[str, Any]:
    """New arrays and scalars by name."""
    return {
        "float32": np.array([2, 3], np.float32),
        "float64": np.array([2.0, 3.0]),
        "int64": np.array([2, 3]),
        "float64 0-d": np.array(2.0),
        "int64 0-d": np.array(2),
        "float64 scalar": np.float64(2),
        "float32 scalar": np.float32(2),
        "int64 scalar": np.int64(2),
        "uint8 scalar": np.uint8(2),
        "bool scalar": np.bool_(True),
        "objects": np.array([1, 2], dtype=object),
        "three": np.ones(3),
    }


def shown(value: Any, torch: Any) -> str:
    """A result in words, its class, type and elements."""
    if isinstance(value, (torch.Tensor, np.ndarray, np.generic)):
        grad = " with a gradient" if getattr(value, "requires_grad", False) else ""
        return f"{type(value).__name__} {value.dtype} {value.tolist()}{grad}"
    return f"{type(value).__name__} {value}"


def answer(call: Any, torch: Any) -> str:
    """What a call gives, or the error it raises."""
    try:
        return shown(call(), torch)
    except Exception as error:
        said = str(error)
        return type(error).__name__ + ("" if said.startswith(NUMPY_SAYS) else f": {said}")


def function(name: str, tensor: Any) -> Any:
    """NumPy's function of tensors."""
    call = getattr(np, name)
    if name in ("stack", "concatenate"):
        return call([tensor, tensor])
    if name in ("dot", "outer"):
        return call(tensor, tensor)
    return call(tensor > 0, tensor, 0) if name == "where" else call(tensor)


def record(torch: Any) -> dict[str, dict[str, str]]:
    """The answers, by operator and tensor, and in there by array; an array before `op` is left."""
    found: dict[str, dict[str, str]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's `__array_wrap__` is of NumPy 1
        for name in [*OPERATORS, *UFUNCS]:
            call = getattr(operator if name in OPERATORS else np, name)
            for kind in tensors(torch):
                found[f"{name} {kind}"] = row = {}
                for array in arrays():
                    row[array] = answer(lambda: call(tensors(torch)[kind], arrays()[array]), torch)
                    row[f"{array} op"] = answer(
                        lambda: call(arrays()[array], tensors(torch)[kind]), torch
                    )
        for name in FUNCTIONS:
            found[f"np.{name}"] = {
                kind: answer(lambda: function(name, tensors(torch)[kind]), torch)
                for kind in tensors(torch)
            }
    return found
