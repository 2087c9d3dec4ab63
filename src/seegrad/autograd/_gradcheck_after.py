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
from seegrad.tensor.differentiate import grad

__all__ = ["check_batched", "check_scaled_by_grad_output", "check_undefined"]


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


def check_batched(case: Case) -> None:
    """Two gradients of an output at once give what they give one after the other."""
    for place, output in zip(case.output_places, case.outputs, strict=True):
        drawn = np.random.default_rng(place).uniform(-1, 1, (2, *output._array.shape))
        rows = drawn.astype(output._array.dtype)
        singly = [backward([output], case.inputs, [wrap(row)]) for row in rows]
        found = grad(
            output, case.inputs, wrap(rows), True, allow_unused=True, is_grads_batched=True
        )
        for input, batch, *each in zip(case.input_places, found, *singly, strict=True):
            check_rows(case, f"For output {place} and input {input}:\n\n", batch, each)


def check_rows(case: Case, where: str, batch: Any, each: list[Any]) -> None:
    """The gradients of a batch are those that were made singly."""
    if batch is None and each == [None, None]:
        return
    wanted = np.stack([row._array for row in each])
    if not np.allclose(batch._array, wanted, case.options.rtol, case.options.atol):
        raise GradcheckError(where + texts.NOT_BATCHED)


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
