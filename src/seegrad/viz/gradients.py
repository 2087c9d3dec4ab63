"""What gradients were like: numbers and a histogram for each node of a graph that ran."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from seegrad.explain.flows.hops import size_of
from seegrad.viz.reading import GRADIENT, nodes_above

__all__ = ["gradients", "noting"]

BINS = 24


@contextmanager
def gradients(var: Any) -> Iterator[None]:
    """Backward passes meanwhile note what arrives at each node of the graph that leads to `var`.

    The page shows it: norm, mean and largest size, share of zeros, a histogram. The graph may be
    PyTorch's. Of several passes the last counts; what nodes had saved is seen only with
    `retain_graph=True`.

    Args:
        var: a tensor, or what a module returned.

    Raises: as `graph`.

    >>> import seegrad as torch
    >>> from seegrad import viz
    >>> x = torch.ones(3, requires_grad=True)
    >>> loss = (x * 2).sum()
    >>> with viz.gradients(loss):
    ...     loss.backward(retain_graph=True)
    >>> leaf = next(v for v in viz.graph(loss, {"x": x}).model.vertices.values() if v.name == "x")
    >>> leaf.gradient["mean"], leaf.gradient["zeros"]
    (2.0, 0.0)
    """
    with noting(nodes_above(var)):
        yield


@contextmanager
def noting(nodes: Iterable[Any]) -> Iterator[None]:
    """As `gradients`, for nodes."""
    handles = [node.register_prehook(partial(_note, node)) for node in nodes]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _note(node: Any, arrived: Any) -> None:
    arrays = [_array(one).reshape(-1) for one in arrived if one is not None]
    if arrays:
        node.metadata[GRADIENT] = _figures(np.concatenate(arrays) if arrays[1:] else arrays[0])


def _array(tensor: Any) -> Any:
    """The values in full precision, of either library's tensor."""
    if hasattr(tensor, "_array"):
        values = tensor._array
    else:
        whole = tensor.detach().cpu().resolve_conj().resolve_neg()
        values = (whole if whole.is_complex() else whole.double()).numpy()
    return values if values.dtype.kind == "c" else values.astype(np.float64, copy=False)


def _figures(values: Any) -> dict[str, Any]:
    """As `explain.flow` counts them: mean and largest are of sizes. Infinities are texts."""
    if not values.size:
        return {"norm": 0.0, "mean": 0.0, "max": 0.0, "zeros": 0.0, "bins": []}
    with np.errstate(all="ignore"):
        sizes = abs(values)
        numbers = {
            "norm": size_of(values) * math.sqrt(values.size),
            "mean": float(sizes.mean()),
            "max": float(sizes.max()),
        }
    shown = sizes if values.dtype.kind == "c" else values
    finite = shown[np.isfinite(shown)]
    counts, edges = np.histogram(finite, BINS)
    found: dict[str, Any] = {
        name: one if math.isfinite(one) else str(one) for name, one in numbers.items()
    }
    found |= {"zeros": float((values == 0).mean()), "bins": counts.tolist() if finite.size else []}
    if finite.size < values.size:
        found["infinite"] = int(values.size - finite.size)
    if finite.size:
        found |= {"low": float(edges[0]), "high": float(edges[-1])}
    return found
