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
