"""The sampler of one of several processes that train on one dataset."""

import math
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from seegrad.arrays import random
from seegrad.arrays.random import Generator
from seegrad.utils.data.sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """The places of process `rank` of `num_replicas`: every n-th of a common order.

    So that all have the same number, the first places come again at the end, or with `drop_last`
    the last are left out. The order is drawn anew after `set_epoch`.

    Raises ValueError where the number or the rank is not given, or does not fit.

    >>> import seegrad as torch
    >>> sampler = torch.utils.data.DistributedSampler(range(5), 2, 1, shuffle=False)
    >>> list(sampler)
    [1, 3, 0]
    """

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            raise ValueError(
                "Default process group has not been initialized, please make sure to call "
                "init_process_group."
            )
        if not 0 <= rank < num_replicas:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]"
            )
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        share = len(dataset) / num_replicas
        self.num_samples = math.floor(share) if drop_last else math.ceil(share)
        self.total_size = self.num_samples * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self) -> Iterator[int]:
        order = list(range(len(self.dataset)))
        if self.shuffle:
            generator = Generator().manual_seed(self.seed + self.epoch)
            order = random.permutation(generator, len(self.dataset)).tolist()
        return islice(cycle(order), self.rank, self.total_size, self.num_replicas)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Says which walk comes next, so that its order is another one."""
        self.epoch = epoch
