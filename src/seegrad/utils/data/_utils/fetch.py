"""What reads samples and makes a batch of them, in whatever process that is."""

from collections.abc import Callable
from itertools import islice
from typing import Any

from seegrad.graph.asked import tap
from seegrad.graph.tensor import requires, wrap
from seegrad.utils.data._utils.collate import default_collate
from seegrad.utils.data.dataset import IterableDataset, Subset, TensorDataset

__all__ = ["Fetcher", "PlacesFetcher", "WalkFetcher", "fetcher_of"]

Collate = Callable[[Any], Any]


class PlacesFetcher:
    """Batches of a dataset that is asked for places."""

    def __init__(self, dataset: Any, batched: bool, collate: Collate, drop_last: bool) -> None:
        self.dataset = dataset
        self.batched = batched
        self.collate = collate
        self.by_rows = batched and collate is default_collate and _is_side_by_side(dataset)

    def fetch(self, places: Any) -> Any:
        """The batch of the samples at `places`, the one sample where nothing is batched."""
        dataset = self.dataset
        if not self.batched:
            return self.collate(dataset[places])
        if self.by_rows:
            return _rows(dataset, places)
        if getattr(dataset, "__getitems__", None):
            return self.collate(dataset.__getitems__(places))
        return self.collate([dataset[place] for place in places])


class WalkFetcher:
    """Batches of a dataset that is walked through; StopIteration where it is at its end."""

    def __init__(self, dataset: Any, batched: bool, collate: Collate, drop_last: bool) -> None:
        self.samples = iter(dataset)
        self.batched = batched
        self.collate = collate
        self.drop_last = drop_last
        self.ended = False

    def fetch(self, places: Any) -> Any:
        """As many samples as there are `places`, whose values say nothing here."""
        if self.ended:
            raise StopIteration
        if not self.batched:
            return self.collate(next(self.samples))
        batch = list(islice(self.samples, len(places)))
        self.ended = len(batch) < len(places)
        if not batch or (self.ended and self.drop_last):
            raise StopIteration
        return self.collate(batch)


Fetcher = PlacesFetcher | WalkFetcher


def fetcher_of(dataset: Any, batched: bool, collate: Collate, drop_last: bool) -> Fetcher:
    """The fetcher of this kind of dataset."""
    kind = WalkFetcher if isinstance(dataset, IterableDataset) else PlacesFetcher
    return kind(dataset, batched, collate, drop_last)


def _is_side_by_side(dataset: Any) -> bool:
    """Whether all batches of `dataset` are rows of plain tensors, so that they come at once."""
    while type(dataset) is Subset:
        dataset = dataset.dataset
    return type(dataset) is TensorDataset and not any(requires(t) for t in dataset.tensors)


def _rows(dataset: Any, places: Any) -> list[Any]:
    """The collated batch: what stacking the samples one by one would give."""
    while type(dataset) is Subset:
        places = [dataset.indices[place] for place in places]
        dataset = dataset.dataset
    return [rows_of(tensor, places) for tensor in dataset.tensors]


def rows_of(tensor: Any, places: Any) -> Any:
    """Rows of a tensor, copied."""
    return wrap(tensor._array.take(places, axis=0))


tap(rows_of, "torch.utils.data", "index_select")
