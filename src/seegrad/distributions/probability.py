"""What distributions share that are given by `probs` or by `logits`."""

from __future__ import annotations

from numbers import Number
from typing import Any

from seegrad.arrays.size import Size
from seegrad.distributions.utils import (
    broadcast_all,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
)

__all__ = ["Categories", "Chances", "need_one"]

Tensor = Any


def need_one(probs: Any, logits: Any) -> None:
    """Raises ValueError unless exactly one of both is given."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class Chances:
    """`probs` and `logits` of one event: each is computed from the other when it is asked for."""

    _binary = True

    @lazy_property
    def logits(self) -> Tensor:
        """The logarithms of the odds, or of the probabilities of categories."""
        return probs_to_logits(self.probs, is_binary=self._binary)

    @lazy_property
    def probs(self) -> Tensor:
        """The probabilities."""
        return logits_to_probs(self.logits, is_binary=self._binary)

    @property
    def _param(self) -> Tensor:
        return self.__dict__["probs" if "probs" in self.__dict__ else "logits"]

    @property
    def param_shape(self) -> Any:
        """The shape of the parameter."""
        return self._param.size()

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._param.new(*args, **kwargs)

    def _take(self, probs: Any, logits: Any) -> Any:
        """Sets the one that is given; returns the shape of the batch."""
        need_one(probs, logits)
        given = logits if probs is None else probs
        (value,) = broadcast_all(given)
        setattr(self, "logits" if probs is None else "probs", value)
        return Size(()) if isinstance(given, Number) else value.size()


class Categories(Chances):
    """Of categories, along the last dimension: normalised, as probabilities or logarithms."""

    _binary = False

    def _take(self, probs: Any, logits: Any) -> Any:
        need_one(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        else:
            self.probs = probs / probs.sum(-1, keepdim=True)
        return given.size()[:-1]
