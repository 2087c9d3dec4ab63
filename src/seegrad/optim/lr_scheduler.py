"""Schedules of learning rates: call `scheduler.step()` after the epoch's optimiser steps."""

from seegrad.optim.cycles import CyclicLR, OneCycleLR
from seegrad.optim.plateau import ReduceLROnPlateau
from seegrad.optim.restarts import CosineAnnealingWarmRestarts
from seegrad.optim.schedules import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    LRScheduler,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
    _LRScheduler,  # noqa: F401 (older programs ask for it)
)
from seegrad.optim.sequences import ChainedScheduler, SequentialLR

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

for _name in __all__:  # as PyTorch prints and pickles them
    globals()[_name].__module__ = __name__
