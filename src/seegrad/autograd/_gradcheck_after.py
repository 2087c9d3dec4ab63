"""What gradcheck asks of backward once the Jacobians agree: zeros for zeros, None for None."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from seegrad.autograd import _gradcheck_texts as texts
from seegrad.autograd._gradcheck_case import Case, GradcheckError
from seegrad.autograd._jacobians import backward
from seegrad.autograd.function import Function
from seegrad.graph.tensor import wrap

__all__ = ["check_scaled_by_grad_output", "check_undefined"]


class _Undefined(Function):
    """The identity, whose backward hands on no gradient at all."""

    @staticmethod
    def forward(ctx: Any, input: Any) -> Any:
        """The input itself, as a view."""
        return input.view_as(input)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Undefined, whatever comes."""
        return (None,)


def check_scaled_by_grad_output(case: Case) -> None:
    """A gradient of zeros must give zeros, and gradients have the dtypes of their inputs."""
    grads = backward(case.outputs, case.inputs, [_zeros(output) for output in case.outputs])
    for input, found in zip(case.inputs, grads, strict=True):
        if found is None:
            continue
        if not (found._array == 0).all():
            raise GradcheckError(texts.NOT_SCALED)
        if case.options.check_grad_dtypes and found._array.dtype != input._array.dtype:
            raise GradcheckError(texts.WRONG_DTYPE)


def check_undefined(case: Case) -> None:
    """All outputs without a gradient, then each one of several: still zeros or nothing."""
    everyone = range(len(case.outputs))
    _check_without(case, everyone)
    if len(case.outputs) > 1:
        for index in everyone:
            _check_without(case, [index])


def _check_without(case: Case, missing: Sequence[int]) -> None:
    outputs = case.run_again()
    grads = [_zeros(output) for output in outputs]
    for index in missing:
        outputs[index] = _Undefined.apply(outputs[index])
    found = backward(outputs, case.inputs, grads)
    if any(gradient is not None and gradient._array.any() for gradient in found):
        warnings.warn(texts.UNDEFINED_WARNING, stacklevel=2)
        raise GradcheckError(texts.UNDEFINED_NOT_ZERO)


def _zeros(output: Any) -> Any:
    return wrap(np.zeros_like(output._array))
