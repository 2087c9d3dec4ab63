"""Averages of weights over a training run, and the rates that go with them."""

import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from seegrad.autograd.grad_mode import no_grad
from seegrad.nn.modules.batchnorm import _BatchNorm
from seegrad.nn.modules.module import Module
from seegrad.optim.optimizer import Optimizer
from seegrad.optim.schedules import LRScheduler, one_for_each
from seegrad.tensor.creation import tensor
from seegrad.tensor.tensor import Tensor

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]

Average = Callable[[Tensor, Tensor, Any], Tensor]
Averages = Callable[[list[Tensor], list[Tensor], Any], None]


def get_ema_multi_avg_fn(decay: float = 0.999) -> Averages:
    """The exponential average of lists of tensors, in place: the old one keeps the share `decay`.

    >>> import seegrad as torch
    >>> average = torch.zeros(1)
    >>> torch.optim.swa_utils.get_ema_multi_avg_fn(0.75)([average], [torch.ones(1)], 1)
    >>> average
    tensor([0.2500])
    """
    one = get_ema_avg_fn(decay)

    def ema_update(ema_param_list: Any, current_param_list: Any, _: Any) -> None:
        with no_grad():
            for average, current in zip(ema_param_list, current_param_list, strict=True):
                average.copy_(one(average, current, _))

    return ema_update


def get_swa_multi_avg_fn() -> Averages:
    """The plain average of lists of tensors, in place, after `num_averaged` before."""
    one = get_swa_avg_fn()

    def swa_update(averaged_param_list: Any, current_param_list: Any, num_averaged: Any) -> None:
        with no_grad():
            for average, current in zip(averaged_param_list, current_param_list, strict=True):
                average.copy_(one(average, current, num_averaged))

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """The exponential average of two tensors; ValueError for a `decay` outside of [0, 1]."""
    if decay < 0.0 or decay > 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )

    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        with no_grad():
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Average:
    """The plain average of a tensor with the average of `num_averaged` others."""

    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        with no_grad():
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of those that the model had.

    `avg_fn` averages two tensors, `multi_avg_fn` lists of them; the plain average is the default.
    Buffers are averaged too with `use_buffers`, else copied.

    >>> import seegrad as torch
    >>> model = torch.nn.Linear(1, 1)
    >>> averaged = torch.optim.swa_utils.AveragedModel(model)
    >>> for value in (1.0, 3.0):
    ...     _ = torch.nn.init.constant_(model.bias, value)
    ...     averaged.update_parameters(model)
    >>> averaged.module.bias
    Parameter containing:
    tensor([2.], requires_grad=True)
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: Averages | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the averaged model makes of the arguments."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the present parameters of `model` into the average."""
        averages, currents = self._averaged(self.module), self._averaged(model)
        currents = [value.detach() for value in currents]
        with no_grad():
            if int(self.n_averaged) == 0:
                for average, current in zip(averages, currents, strict=True):
                    average.copy_(current)
            elif self.multi_avg_fn is not None:
                self.multi_avg_fn(averages, currents, self.n_averaged)
            else:
                one = self.avg_fn or get_swa_avg_fn()
                for average, current in zip(averages, currents, strict=True):
                    average.copy_(one(average, current, self.n_averaged))
            if not self.use_buffers:
                for kept, given in zip(self.module.buffers(), model.buffers(), strict=True):
                    kept.copy_(given)
            self.n_averaged += 1

    def _averaged(self, model: Module) -> list[Tensor]:
        """What is averaged: the parameters, and the buffers if wanted."""
        return [
            value.detach()
            for value in chain(model.parameters(), model.buffers() if self.use_buffers else ())
        ]


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the statistics of all BatchNorm layers anew, from one pass through `loader`.

    Of a batch that is a list or a tuple the first part is given to the model.
    """
    layers = [layer for layer in model.modules() if isinstance(layer, _BatchNorm)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    was_training = model.training
    model.train()
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # the plain average of all batches
    with no_grad():
        for batch in loader:
            given = batch[0] if isinstance(batch, list | tuple) else batch
            model(given if device is None else given.to(device))
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """The rate to `swa_lr` within `anneal_epochs`, along a cosine or a line.

    >>> import seegrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    >>> scheduler = torch.optim.swa_utils.SWALR(
    ...     optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
    >>> optimizer.step(); scheduler.step()
    >>> scheduler.get_last_lr()
    [0.75]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        rates = one_for_each("swa_lr", optimizer, swa_lr)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates of the present epoch: where they began is read back from the last ones."""
        rates = self._rates()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(step - 1), self._share(step)
        targets = [group["swa_lr"] for group in self.optimizer.param_groups]
        starts = [
            target if before == 1 else (rate - before * target) / (1 - before)
            for rate, target in zip(rates, targets, strict=True)
        ]
        return [
            target * now + start * (1 - now) for start, target in zip(starts, targets, strict=True)
        ]

    def _share(self, step: int) -> float:
        """How far the way to `swa_lr` is gone."""
        done = max(0, min(1, step / max(1, self.anneal_epochs)))
        return done if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * done)) / 2
