"""What a line of `borders.py` shows: numbers, type, shape and node of results, or the error."""

import warnings
from typing import Any

from tests.observe import clean, rounded


def names(torch: Any) -> dict[str, Any]:
    """What the lines name."""
    x, i = torch.tensor([[1.5, 2.0], [3.0, 4.0]]), torch.tensor([[1, 2], [3, 200]])
    ones = torch.ones(4)
    pieces = torch.stft(torch.arange(16.0), 4, window=ones, return_complex=True)
    return {
        "torch": torch,
        "T": torch.tensor,
        "G": lambda function, *tensors: gradients(torch, function, *tensors),
        "nan": float("nan"),
        "inf": float("inf"),
        "x": x,
        "i": i,
        "u": i.to(torch.uint8),
        "signal": torch.arange(16.0),
        "w": ones,
        "X": pieces,
    }


def gradients(torch: Any, function: Any, *tensors: Any) -> Any:
    """The gradients of the sum of what a function returns."""
    leaves = [one.clone().requires_grad_() for one in tensors]
    result = function(*leaves)
    results = result if isinstance(result, tuple) else (result,)
    roots = [one for one in results if one.requires_grad]
    seeds = [torch.ones_like(one) for one in roots]
    return torch.autograd.grad(roots, leaves, seeds, allow_unused=True)


def shown(torch: Any, line: str) -> str:
    """What the expression is, as one line of text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return text_of(eval(line, names(torch)))
        except Exception as error:
            return clean(f"{type(error).__name__}: {error}")


def text_of(value: Any) -> str:
    """Numbers to four digits, type, shape and node; plain values as they print."""
    if isinstance(value, tuple | list):
        return f"({', '.join(text_of(one) for one in value)})"
    if not hasattr(value, "grad_fn"):
        return repr(value)
    node = "" if value.grad_fn is None else f" {type(value.grad_fn).__name__}"
    kind = str(value.dtype).removeprefix("torch.")
    return f"{rounded(value, 4)} {kind} {tuple(value.shape)}{node}"
