"""Datasets, samplers and the loader that makes batches of them."""

from seegrad.missing import missing as _missing
from seegrad.utils.data._utils.collate import default_collate, default_convert
from seegrad.utils.data._utils.worker import get_worker_info
from seegrad.utils.data.dataloader import DataLoader
from seegrad.utils.data.dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from seegrad.utils.data.distributed import DistributedSampler
from seegrad.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

__getattr__ = _missing(__name__, __all__)
