"""Every operator of the database makes inference tensors where PyTorch's does, and views too."""

import contextlib
import warnings
from typing import Any

import pytest

import seegrad
from tests.database import entries
from tests.database.run import arguments
from tests.database.spec import Entry

# PyTorch's pieces are views in inference mode, and nowhere else.
ODD = ("unsafe_split", "unsafe_split_with_sizes", "unsafe_chunk")
ALL = [entry for entry in entries() if entry.name not in ODD]


def tensors(result: Any) -> list[Any]:
    """The tensors of a result."""
    if isinstance(result, (tuple, list)):
        return [tensor for item in result for tensor in tensors(item)]
    return [result] if hasattr(result, "is_inference") else []


def seen(torch: Any, entry: Entry, made_inside: bool) -> list[list[Any]]:
    """What inference mode makes of the first sample, made inside of it or before."""
    with torch.inference_mode() if made_inside else contextlib.nullcontext():
        args, kwargs = arguments(torch, entry.samples[0], "float32")[:2]
    with torch.inference_mode(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        found = tensors(entry.call(torch, *args, **kwargs))
        return [[x.is_inference(), x.requires_grad, x.is_leaf, x._is_view()] for x in found]


@pytest.mark.oracle
@pytest.mark.parametrize("entry", [e for e in ALL if e.single], ids=lambda entry: entry.name)
def test_in_inference_mode(entry: Entry) -> None:
    torch = pytest.importorskip("torch")
    for made_inside in (False, True):
        assert seen(seegrad, entry, made_inside) == seen(torch, entry, made_inside)
