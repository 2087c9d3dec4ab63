"""Datasets, samplers and splits."""

from typing import Any

from tests.observe import attempt


def _next(torch: Any) -> float:
    return round(torch.rand(1).item(), 6)


def _drawn(torch: Any, sampler: Any) -> Any:
    torch.manual_seed(1)
    return [list(sampler), len(sampler), _next(torch)]


def samplers(torch: Any) -> Any:
    data, places = torch.utils.data, range(5)
    made = [data.SequentialSampler(places), data.RandomSampler(places),
            data.RandomSampler(places, replacement=True),
            data.RandomSampler(places, True, 70), data.RandomSampler(places, True, 64),
            data.RandomSampler(places, num_samples=12), data.RandomSampler(places, False, 3),
            data.SubsetRandomSampler([10, 20, 30, 40]),
            data.WeightedRandomSampler([0.1, 0.2, 0.7], 10),
            data.WeightedRandomSampler([0.1, 0.2, 0.7], 3, replacement=False),
            data.BatchSampler(data.RandomSampler(places), 2, True),
            data.BatchSampler(data.SequentialSampler(places), 2, False)]  # fmt: skip
    return [_drawn(torch, sampler) for sampler in made]


def own_generators(torch: Any) -> Any:
    data, seen = torch.utils.data, []
    for make in (lambda g: data.RandomSampler(range(5), generator=g),
                 lambda g: data.RandomSampler(range(5), True, 40, generator=g),
                 lambda g: data.RandomSampler(range(5), num_samples=10, generator=g),
                 lambda g: data.SubsetRandomSampler(range(5), g),
                 lambda g: data.WeightedRandomSampler([1, 2, 3], 5, generator=g)):  # fmt: skip
        generator = torch.Generator().manual_seed(3)
        sampler = make(generator)
        seen.append([list(sampler), list(sampler), torch.rand(1, generator=generator).tolist()])
    return seen


def splits(torch: Any) -> Any:
    split, seen = torch.utils.data.random_split, []
    generator = torch.Generator().manual_seed(3)
    for lengths in ([3, 7], [0.3, 0.3, 0.4], [0.0, 1.0], [10]):
        seen.append([list(part.indices) for part in split(range(10), lengths)])
    seen.append([list(part.indices) for part in split(range(11), [0.3, 0.3, 0.4], generator)])
    return [*seen, _next(torch), *(attempt(lambda n=wrong: split(range(10), n))
            for wrong in ([3, 6], [0.3, 0.6], [0.3, -0.1, 0.8]))]  # fmt: skip


def refused(torch: Any) -> Any:
    d = torch.utils.data
    return [attempt(f) for f in (
        lambda: d.RandomSampler(range(0)), lambda: d.RandomSampler(range(3), replacement=3),
        lambda: d.RandomSampler(range(3), num_samples=0), lambda: d.BatchSampler(3, 0, True),
        lambda: d.BatchSampler([1], 2, 3), lambda: d.BatchSampler([1], True, False),
        lambda: d.WeightedRandomSampler([0.1], 0), lambda: d.WeightedRandomSampler([0.1], 1, 3),
        lambda: d.WeightedRandomSampler([[0.1]], 1),
        lambda: list(d.WeightedRandomSampler([0.1, 0.2], 5, False)))]  # fmt: skip


def datasets(torch: Any) -> Any:
    d, rows = torch.utils.data, torch.arange(10.0).reshape(5, 2)
    tensors = d.TensorDataset(rows, torch.arange(5))
    both, part = tensors + tensors, d.Subset(tensors, [3, 2, 1])
    stacked, named = d.StackDataset(rows, range(5)), d.StackDataset(a=rows, b=range(5))

    class Walking(d.IterableDataset):  # type: ignore[misc,name-defined]
        def __iter__(self) -> Any:
            return iter(range(3))

    return [attempt(f) for f in (
        lambda: tensors[0], lambda: tensors[1:3], lambda: tensors[torch.tensor([0, 2])],
        lambda: len(tensors), lambda: d.TensorDataset(rows, torch.arange(3)), lambda: both[7],
        lambda: both[-1], lambda: both[-11], lambda: both.cumulative_sizes, lambda: part[0],
        lambda: part[[0, 1]], lambda: len(part), lambda: d.ConcatDataset([]),
        lambda: d.Dataset()[0], lambda: stacked[1], lambda: named[1], lambda: len(stacked),
        lambda: d.StackDataset(), lambda: d.StackDataset(rows, range(3)),
        lambda: list(Walking() + Walking()), lambda: tensors + Walking(),
        lambda: list(d.ChainDataset([Walking(), Walking()])), lambda: Walking()[0])]  # fmt: skip


def several_at_once(torch: Any) -> Any:
    d = torch.utils.data

    class Asked(list):  # type: ignore[type-arg]
        def __getitems__(self, places: list[int]) -> Any:
            return [self[place] + 100 for place in places if place < 2]

    asked = Asked(range(3))
    return [attempt(f) for f in (
        lambda: d.StackDataset(range(3), asked).__getitems__([0, 1]),
        lambda: d.StackDataset(a=range(3), b=asked).__getitems__([1]),
        lambda: d.StackDataset(asked).__getitems__([0, 2]),
        lambda: d.Subset(asked, [1, 0]).__getitems__([0, 1]),
        lambda: d.ConcatDataset.cumsum([range(3), range(4)]),
        lambda: d.ConcatDataset([range(3)]).cummulative_sizes)]  # fmt: skip


def shares_of_processes(torch: Any) -> Any:
    sampler, seen = torch.utils.data.DistributedSampler, []
    for number, processes in ((10, 3), (11, 4), (2, 5)):
        for options in ({}, {"shuffle": False}, {"drop_last": True}, {"seed": 3}):
            for rank in range(processes):
                made = sampler(range(number), processes, rank, **options)
                first = list(made)
                made.set_epoch(2)
                seen.append([first, list(made), len(made), made.total_size])
    return [*seen, *(attempt(lambda r=refused: sampler(range(3), **r)) for refused in (
        {}, {"num_replicas": 2}, {"num_replicas": 2, "rank": 2}, {"num_replicas": 2, "rank": -1}
    ))]  # fmt: skip
