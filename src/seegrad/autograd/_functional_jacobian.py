"""The ways to a Jacobian: passes from each element of the outputs, or of the inputs."""

from typing import Any, Protocol

from seegrad import ops
from seegrad.autograd._functional_checks import Stage
from seegrad.autograd._functional_steps import (
    Run,
    Tensors,
    differentiate,
    without_gaps,
    zeros_to_differentiate,
)
from seegrad.tensor.creation import eye, zeros

__all__ = [
    "jacobian_forward",
    "jacobian_one_by_one",
    "jacobian_together",
    "standard_basis",
]


def jacobian_one_by_one(run: Run) -> list[Tensors]:
    """For each output, by input: a backward pass from one element after the other."""
    return [_of_output(run, index, output) for index, output in enumerate(run.outputs)]


def _of_output(run: Run, index: int, output: Any) -> Tensors:
    """The Jacobians of one output by each input."""
    elements = output.reshape(-1)
    rows = [_row(run, index, elements[place]) for place in range(output.numel())]
    return tuple(
        _stacked([row[place] for row in rows], input).view((*output.shape, *input.shape))
        for place, input in enumerate(run.inputs)
    )


def _row(run: Run, index: int, element: Any) -> Tensors:
    """The gradients of one element, zeros where it does not depend on an input."""
    grads = differentiate((element,), run.inputs, None, create_graph=run.create_graph)
    return run.filled(grads, run.inputs, Stage.ELEMENT, output=index)


def _stacked(rows: list[Any], input: Any) -> Any:
    return ops.stack(rows) if rows else zeros((0, *input.shape), dtype=input.dtype)


class Called(Protocol):
    """A function that was called: what its passes begin and end at."""

    inputs: Tensors
    outputs: Tensors
    create_graph: bool


def jacobian_together(run: Called) -> list[Tensors]:
    """For each output, by input: a batch of backward passes from all elements of all outputs.

    Each pass starts from every output, so that under `create_graph` the Jacobians have one history
    in common, as PyTorch's have.
    """
    sizes = [output.numel() for output in run.outputs]
    whole = _batch(run, sizes)
    by_input = [jacobian.split(sizes) for jacobian in whole]
    return [
        tuple(
            parts[index].view((*output.shape, *input.shape))
            for parts, input in zip(by_input, run.inputs, strict=True)
        )
        for index, output in enumerate(run.outputs)
    ]


def _batch(run: Called, sizes: list[int]) -> list[Any]:
    """By input, the rows (sum(sizes), *input.shape) for the elements of all outputs."""
    count = sum(sizes)
    grads: Tensors = (None,) * len(run.inputs)
    if count:
        starts = _starts(run.outputs, sizes)
        grads = differentiate(
            run.outputs, run.inputs, starts, create_graph=run.create_graph, batched=True
        )
    return [
        zeros((count, *input.shape), dtype=input.dtype) if gradient is None else gradient
        for gradient, input in zip(grads, run.inputs, strict=True)
    ]


def jacobian_forward(run: Run) -> list[Tensors]:
    """For each output, by input: a batch of forward passes from all elements of all inputs.

    Forward passes by the double backward trick, so a Jacobian has the dtype of its output.
    """
    sizes = [input.numel() for input in run.inputs]
    starts = zeros_to_differentiate(run.outputs)
    grads = differentiate(run.outputs, run.inputs, starts, create_graph=True)
    grads = without_gaps(grads, run.inputs)
    columns = differentiate(
        grads, starts, _starts(run.inputs, sizes), create_graph=False, batched=True
    )
    return [
        _by_input(zeros((sum(sizes), *output.shape), dtype=output.dtype) if c is None else c, run)
        for c, output in zip(columns, run.outputs, strict=True)
    ]


def _by_input(columns: Any, run: Run) -> Tensors:
    """The columns (sum of sizes, *output.shape) as one Jacobian for each input."""
    sizes = [input.numel() for input in run.inputs]
    shape = columns.shape[1:]
    return tuple(
        part.movedim(0, -1).reshape((*shape, *input.shape))
        for part, input in zip(columns.split(sizes), run.inputs, strict=True)
    )


def _starts(tensors: Tensors, sizes: list[int]) -> list[Any]:
    """For each tensor what the passes start from: a slice of the identity each."""
    return [
        columns.reshape((sum(sizes), *tensor.shape))
        for columns, tensor in zip(standard_basis(tensors, sizes), tensors, strict=True)
    ]


def standard_basis(tensors: Tensors, tensor_numels: list[int]) -> Tensors:
    """The columns of the identity that belong to each tensor, of its dtype: (all, numel)."""
    columns = eye(sum(tensor_numels)).split(list(tensor_numels), 1)
    return tuple(c.to(t.dtype) for c, t in zip(columns, tensors, strict=True))
