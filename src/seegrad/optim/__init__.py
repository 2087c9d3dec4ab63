"""Optimisers, and the schedules of their learning rates."""

from seegrad.missing import missing as _missing
from seegrad.optim import lr_scheduler, swa_utils
from seegrad.optim.adadelta import Adadelta
from seegrad.optim.adafactor import Adafactor
from seegrad.optim.adagrad import Adagrad
from seegrad.optim.adam import Adam
from seegrad.optim.adamax import Adamax
from seegrad.optim.adamw import AdamW
from seegrad.optim.asgd import ASGD
from seegrad.optim.lbfgs import LBFGS
from seegrad.optim.muon import Muon
from seegrad.optim.nadam import NAdam
from seegrad.optim.optimizer import Optimizer
from seegrad.optim.radam import RAdam
from seegrad.optim.rmsprop import RMSprop
from seegrad.optim.rprop import Rprop
from seegrad.optim.sgd import SGD
from seegrad.optim.sparse_adam import SparseAdam
from seegrad.optim.swapping import swap_in_optimizer_params_and_state

__all__ = ["ASGD", "LBFGS", "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax",
           "Muon", "NAdam", "Optimizer", "RAdam", "RMSprop", "Rprop", "SparseAdam",
           "lr_scheduler", "swa_utils", "swap_in_optimizer_params_and_state"]  # fmt: skip

__getattr__ = _missing(__name__, __all__)
