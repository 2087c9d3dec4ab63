"""Tensors of numbers drawn by what is in other tensors: Poisson, binomial, gamma, Dirichlet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays import rejection
from seegrad.graph.recorded import recorded as op
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase
from seegrad.ops.calls import public
from seegrad.ops.grids import common_shape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "_dirichlet_grad",
    "_sample_dirichlet",
    "_standard_gamma",
    "_standard_gamma_grad",
    "binomial",
    "poisson",
]


def _drawn(draw: Any, generator: Any, *given: Any) -> Any:
    return np.asarray(thread.state.quiet(draw, generator, *given))


@public
def poisson(input: Tensor, generator: Any = None) -> Tensor:
    """Return numbers of Poisson's distribution with the rates in `input`, in its dtype.

    `input`: (...), floating point. Returns (...). Raises RuntimeError for negative rates.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.poisson(torch.tensor([1.0, 5.0, 100.0]))
    tensor([ 2.,  6., 99.])
    """
    made: Tensor = op.poisson(input, _drawn(rejection.poisson, generator, input._array))
    return made


@public
def binomial(count: Tensor, prob: Tensor, generator: Any = None) -> Tensor:
    """Return how many of `count` trials succeed, each with probability `prob`.

    `count`, `prob`: (...), float32 or float64, of shapes that broadcast. Raises ValueError for
    counts of another kind, RuntimeError where the dtypes differ.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.binomial(torch.tensor([5.0, 100.0]), torch.tensor([0.5, 0.1]))
    tensor([ 4., 13.])
    """
    if not count.dtype.is_floating_point:
        raise ValueError(
            "binomial only supports floating-point dtypes for count, got: "
            f"{count.dtype.scalar_name}"
        )
    if not prob.dtype.is_floating_point:
        raise ValueError(
            f"binomial only supports floating-point dtypes for prob, got: {prob.dtype.scalar_name}"
        )
    _need_alike(prob, count)
    shape = common_shape([count._array.shape, prob._array.shape])
    given = (np.broadcast_to(one._array, shape) for one in (count, prob))
    made: Tensor = op.binomial(count, prob, _drawn(rejection.binomial, generator, *given))
    return made


def _need_alike(value: TensorBase, first: TensorBase) -> None:
    if value.dtype is not first.dtype:
        found, wanted = value.dtype.scalar_name, first.dtype.scalar_name
        raise RuntimeError(f"Found dtype {found} but expected {wanted}")


@public
def _standard_gamma(input: Tensor, generator: Any = None) -> Tensor:
    """Return numbers of the gamma distribution with the shapes in `input` and rate 1.

    They move with `input`: the gradient is that of a number at a fixed place of the distribution.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch._standard_gamma(torch.tensor([1.0, 5.0]))
    tensor([2.8824, 4.0611])
    """
    made: Tensor = op.standard_gamma(input, _drawn(rejection.gamma, generator, input._array))
    return made


@public
def _standard_gamma_grad(input: Tensor, output: Tensor) -> Tensor:
    """Return how gamma numbers, `output`, move with their shapes, `input`."""
    _need_alike(output, input)
    made: Tensor = op.standard_gamma_grad(input, output)
    return made


@public
def _sample_dirichlet(input: Tensor, generator: Any = None) -> Tensor:
    """Return shares of Dirichlet's distribution: `input` holds its concentrations, (..., n)."""
    drawn = _drawn(rejection.dirichlet, generator, input._array)
    made: Tensor = op.sample_dirichlet(input, drawn)
    return made


@public
def _dirichlet_grad(x: Tensor, alpha: Tensor, total: Tensor) -> Tensor:
    """Return how shares `x` move with their own concentrations, `alpha`, of a sum `total`."""
    made: Tensor = op.dirichlet_grad(x, alpha, total)
    return made
