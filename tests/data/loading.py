"""DataLoader: batches, their order after a seed, and what it refuses."""

import importlib
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Mapping
from typing import Any

from tests.observe import attempt

_Point = namedtuple("Point", "x y")


class _Squares:
    """Not a torch dataset, but enough for a loader."""

    def __len__(self) -> int:
        return 5

    def __getitem__(self, place: int) -> Any:
        if place >= 5:
            raise IndexError
        return place * place, f"n{place}"


def _tensors(torch: Any, n: int = 5) -> Any:
    rows = torch.arange(2.0 * n).reshape(n, 2)
    return torch.utils.data.TensorDataset(rows, torch.arange(n))


def _walking(torch: Any, n: int = 5) -> Any:
    class Counting(torch.utils.data.IterableDataset):  # type: ignore[misc,name-defined]
        def __iter__(self) -> Any:
            return iter(range(n))

    return Counting()


def _listed(batch: Any) -> Any:
    if hasattr(batch, "tolist"):
        return batch.tolist()
    if isinstance(batch, list | tuple):
        return [_listed(part) for part in batch]
    return batch


def _seeded(torch: Any, loader: Any) -> Any:
    """Two walks after a seed, and the number that comes next from the default generator."""
    torch.manual_seed(5)
    walks = [[_listed(batch) for batch in loader] for _ in range(2)]
    return [walks, round(torch.rand(1).item(), 6)]


def orders(torch: Any) -> Any:
    loader, data = torch.utils.data.DataLoader, _tensors(torch)
    generator = torch.Generator().manual_seed(3)
    random = torch.utils.data.RandomSampler(data, replacement=True, num_samples=7)
    return [_seeded(torch, made) for made in (
        loader(data), loader(data, batch_size=2), loader(data, 2, shuffle=True),
        loader(data, 2, True, drop_last=True), loader(data, 2, shuffle=True, generator=generator),
        loader(data, batch_size=None, shuffle=True), loader(data, 3, sampler=random),
        loader(data, batch_sampler=[[1, 2], [0]]), loader(_walking(torch), 2),
        loader(_walking(torch), 2, drop_last=True), loader(_walking(torch), None),
        loader(_Squares(), 2, shuffle=True), loader(range(5), 5, shuffle=True),
        loader(torch.utils.data.Subset(data, [4, 2, 0]), 2, shuffle=True),
        loader(torch.utils.data.Subset(_Squares(), [4, 2, 0]), 2),
        loader(torch.utils.data.ConcatDataset([data, data]), 4, shuffle=True))]  # fmt: skip


def large_order(torch: Any) -> Any:
    loader = torch.utils.data.DataLoader(_tensors(torch, 1000), 64, shuffle=True)
    return [[place for _, batch in loader for place in batch.tolist()][:40], len(loader)]


def drawing_early(torch: Any) -> Any:
    """The walk draws its seed when it is made, the shuffle when it starts."""
    loader = torch.utils.data.DataLoader(_tensors(torch), 5, shuffle=True)
    torch.manual_seed(0)
    walk = iter(loader)
    first = round(torch.rand(1).item(), 6)
    return [first, _listed(next(walk)[1]), round(torch.rand(1).item(), 6), len(walk),
            attempt(lambda: next(walk))]  # fmt: skip


def kinds_of_batches(torch: Any) -> Any:
    loader = torch.utils.data.DataLoader(_tensors(torch), 2)
    batch = next(iter(loader))
    return [type(batch).__name__, [str(part.dtype) for part in batch],
            [list(part.shape) for part in batch], batch[0].requires_grad,
            batch[0].is_leaf]  # fmt: skip


def batches_are_copies(torch: Any) -> Any:
    rows = torch.zeros(4, 2)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(rows), 4)
    (batch,) = next(iter(loader))
    batch += 1
    return rows.tolist()


def batches_that_record(torch: Any) -> Any:
    rows = torch.arange(4.0, requires_grad=True)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(rows), 3)
    (batch,) = next(iter(loader))
    (batch * batch).sum().backward()
    return [type(batch.grad_fn).__name__, rows.grad.tolist()]


def own_collate(torch: Any) -> Any:
    rows = torch.arange(4.0)
    loader = torch.utils.data.DataLoader(rows, 3, collate_fn=lambda batch: len(batch))
    return list(loader)


def several_at_once(torch: Any) -> Any:
    class Asked(_Squares):
        def __getitems__(self, places: list[int]) -> Any:
            print(places)
            return [self[place] for place in places]

    return [_listed(batch) for batch in torch.utils.data.DataLoader(Asked(), 3)]


def collated(torch: Any) -> Any:
    import numpy as np

    collate, row = torch.utils.data.default_collate, torch.arange(2.0)
    cases = [[1, 2], [1.0, 2], [True, False], ["a", "b"], [b"a"], [(1, "x"), (2, "y")],
             [[1, 2], [3, 4]], [{"a": 1, "b": row}, {"a": 2, "b": row}], [row, row + 1],
             [_Point(1, 2.0), _Point(3, 4.0)], [np.ones(2), np.zeros(2)], [np.float32(1)],
             [np.int32(1)], [np.bool_(True)], [((1, 2), 3), ((4, 5), 6)], [None], [1j], [],
             [(1,), (2, 3)], [row, row[:1]], [np.array(["a"])], [object()]]  # fmt: skip
    return [attempt(lambda c=case: repr(collate(c))) for case in cases]


class _Kept(OrderedDict):  # type: ignore[type-arg]
    """A mapping of its own class."""


class _Row(list):  # type: ignore[type-arg]
    """A list of its own class."""


class _Fixed(Mapping):  # type: ignore[type-arg]
    """A mapping that cannot be written to."""

    def __init__(self, items: Any) -> None:
        self.items_ = dict(items)

    def __getitem__(self, key: Any) -> Any:
        return self.items_[key]

    def __iter__(self) -> Any:
        return iter(self.items_)

    def __len__(self) -> int:
        return len(self.items_)

    def __repr__(self) -> str:
        return f"_Fixed({self.items_})"


def collated_containers(torch: Any) -> Any:
    """Containers keep their class, and what else they know."""
    collate = torch.utils.data.default_collate
    made = defaultdict(int, a=1)
    cases = [[_Kept(a=1), _Kept(a=2)], [_Row([1, 2]), _Row([3, 4])], [_Fixed({"a": 1})] * 2,
             [made, made], [(), ()], [range(2), range(2)], [{"a": 1}, {"b": 2}], [(1, 2), [3, 4]],
             [{1}], [memoryview(b"ab")], [bytearray(b"a")]]  # fmt: skip
    seen = [collate(case) if case != [{1}] and "b" not in case[-1] else None for case in cases]
    return [*[[type(one).__name__, repr(one)] for one in seen],
            *[attempt(lambda c=case: collate(c)) for case in cases]]  # fmt: skip


def maps_of_functions(torch: Any) -> Any:
    """Functions for types of one's own."""
    own = importlib.import_module(f"{torch.__name__}.utils.data._utils.collate")

    class Own:
        pass

    class Derived(Own):
        pass

    def count(batch: Any, *, collate_fn_map: Any = None) -> Any:
        return [len(batch), collate_fn_map is not None]

    both = own.default_collate_fn_map | {Own: count}
    return [[str(key) for key in own.default_collate_fn_map],
            *(attempt(lambda b=batch, m=known: own.collate(b, collate_fn_map=m))
              for batch in ([Own()], [Derived()], [(Own(), 1)], [{"a": Own()}], [True])
              for known in (both, {Own: count}, {bool: count, int: count}, None))]  # fmt: skip


def converted(torch: Any) -> Any:
    import numpy as np

    convert = torch.utils.data.default_convert
    cases = [np.ones(2), np.float32(2), np.array(["a"]), _Point(1, np.ones(1)), (1, np.ones(1)),
             {"a": np.ones(1)}, "text", 3, [1, "a"]]  # fmt: skip
    return [repr(convert(case)) for case in cases]


def attributes(torch: Any) -> Any:
    loader, data = torch.utils.data.DataLoader, _tensors(torch)
    made = loader(data, 3)
    named = ["batch_size", "num_workers", "drop_last", "generator", "pin_memory", "timeout",
             "prefetch_factor", "persistent_workers"]  # fmt: skip
    return [
        {name: getattr(made, name) for name in named},
        [type(made.sampler).__name__, type(made.batch_sampler).__name__, made.dataset is data],
        type(loader(data, 3, shuffle=True).sampler).__name__,
        loader(data, batch_sampler=[[1]]).batch_size,
        [len(loader(data, size, drop_last=last)) for size in (1, 2, 9) for last in (True, False)],
        len(loader(data, None)),
        attempt(lambda: setattr(made, "batch_size", 3)),
        attempt(lambda: setattr(made, "sampler", 3)),
        attempt(lambda: setattr(made, "note", 3)),
        attempt(lambda: len(loader(_walking(torch)))).partition(":")[0],
    ]


def refused(torch: Any) -> Any:
    loader, data, walking = torch.utils.data.DataLoader, _tensors(torch), _walking(torch)
    cases: list[tuple[Any, dict[str, Any]]] = [
        (data, {"batch_size": 0}), (data, {"batch_size": 2, "batch_sampler": [[1]]}),
        (data, {"shuffle": True, "sampler": [1]}),
        (data, {"shuffle": True, "batch_sampler": [[1]]}),
        (data, {"batch_size": None, "drop_last": True}), (data, {"num_workers": -1}),
        (data, {"prefetch_factor": 2}), (data, {"timeout": -1}),
        (data, {"persistent_workers": True}),
        (walking, {"shuffle": True}), (walking, {"sampler": [1]}),
        (walking, {"batch_sampler": [[1]]}), (range(0), {"shuffle": True}),
    ]  # fmt: skip
    return [attempt(lambda c=case: loader(c[0], **c[1])) for case in cases]
