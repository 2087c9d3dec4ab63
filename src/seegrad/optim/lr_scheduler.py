"""Schedules of learning rates: call `scheduler.step()` after the epoch's optimiser steps."""

from seegrad.optim.plateau import ReduceLROnPlateau
from seegrad.optim.schedules import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    LRScheduler,
    MultiplicativeLR,
    MultiStepLR,
    StepLR,
)

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "ReduceLROnPlateau",
    "StepLR",
]
