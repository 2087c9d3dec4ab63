"""Two functions of old programs: the Jacobians that gradcheck compares, as tensors."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.autograd._jacobians import as_tuple, jacobian_by_backward, jacobian_by_differences
from seegrad.graph.tensor import TensorBase, requires, wrap

__all__ = ["get_analytical_jacobian", "get_numerical_jacobian"]

PRIVATE = (
    "`{}` was part of PyTorch's private API and not meant to be exposed. We are deprecating it "
    "and it will be removed in a future version of PyTorch. If you have a specific use for this "
    "or feature request for this to be a stable API, please file us an issue at "
    "https://github.com/pytorch/pytorch/issues/new"
)


def get_numerical_jacobian(
    fn: Callable[[Any], Any],
    inputs: Any,
    target: Any = None,
    eps: float = 1e-3,
    grad_out: float = 1.0,
) -> tuple[Any, ...]:
    """The Jacobians of `fn(inputs)` by differences, (numel of input, numel of output) each.

    `target`: the inputs in question, by default all that require gradients. Raises ValueError for
    a `grad_out` other than 1.
    """
    _warn("get_numerical_jacobian", grad_out)
    wanted = [t for t in as_tuple(inputs if target is None else target) if requires(t)]
    found = [jacobian_by_differences(lambda *_: fn(inputs), (), t, eps)[0] for t in wanted]
    return tuple(wrap(jacobian) for jacobian in found)


def get_analytical_jacobian(
    inputs: Any, output: TensorBase, nondet_tol: float = 0.0, grad_out: float = 1.0
) -> tuple[Any, bool, bool, bool]:
    """The Jacobians of `output` by backward, and three things about them.

    Whether two passes agree within `nondet_tol`, and whether the gradients have the sizes and the
    dtypes of the inputs. Raises ValueError for a `grad_out` other than 1.
    """
    _warn("get_analytical_jacobian", grad_out)
    wanted = [t for t in as_tuple(inputs) if requires(t)]
    first, second = (jacobian_by_backward(output, wanted) for _ in range(2))
    same = all(
        a.size == 0 or np.abs(a - b).max() <= nondet_tol
        for a, b in zip(first, second, strict=True)
    )
    return tuple(wrap(jacobian) for jacobian in first), same, True, True


def _warn(name: str, grad_out: float) -> None:
    warnings.warn(PRIVATE.format(name), FutureWarning, stacklevel=3)
    if grad_out != 1.0:
        raise ValueError(
            f"Expected grad_out to be 1.0. {name} no longer supports values of grad_out != 1.0."
        )
