"""The two ways to a Jacobian by backward passes, one for each element of the outputs."""

from typing import Any

from seegrad import ops
from seegrad.autograd._functional_checks import Stage
from seegrad.autograd._functional_steps import Run, Tensors, differentiate
from seegrad.tensor.creation import eye, zeros

__all__ = ["jacobian_one_by_one", "jacobian_together"]


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


def jacobian_together(run: Run) -> list[Tensors]:
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


def _batch(run: Run, sizes: list[int]) -> list[Any]:
    """By input, the rows (sum(sizes), *input.shape) for the elements of all outputs."""
    count = sum(sizes)
    grads: Tensors = (None,) * len(run.inputs)
    if count:
        starts = _starts(run, sizes)
        grads = differentiate(
            run.outputs, run.inputs, starts, create_graph=run.create_graph, batched=True
        )
    return [
        zeros((count, *input.shape), dtype=input.dtype) if gradient is None else gradient
        for gradient, input in zip(grads, run.inputs, strict=True)
    ]


def _starts(run: Run, sizes: list[int]) -> list[Any]:
    """For each output the gradients that the passes start from: a slice of the identity each."""
    count = sum(sizes)
    columns = eye(count).split(sizes, 1)
    return [
        column.to(output.dtype).reshape((count, *output.shape))
        for column, output in zip(columns, run.outputs, strict=True)
    ]
