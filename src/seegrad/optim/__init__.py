"""Optimisers, and the schedules of their learning rates."""

from seegrad.missing import missing as _missing
from seegrad.optim import lr_scheduler
from seegrad.optim.adagrad import Adagrad
from seegrad.optim.adam import Adam, AdamW
from seegrad.optim.lbfgs import LBFGS
from seegrad.optim.optimizer import Optimizer
from seegrad.optim.rmsprop import RMSprop
from seegrad.optim.sgd import SGD

__all__ = ["LBFGS", "SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]

__getattr__ = _missing(__name__, __all__)
