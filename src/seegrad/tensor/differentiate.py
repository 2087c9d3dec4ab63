"""`backward` and `grad`: checks of what the caller gave, then the loop of `graph/`."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from seegrad.arrays.size import Size
from seegrad.graph.backward import Captures, detached, run_backward
from seegrad.graph.node import Node
from seegrad.graph.recorded import recorded
from seegrad.graph.tensor import PLAIN, TensorBase, requires, wrap
from seegrad.graph.views import gradient_edge, history

__all__ = ["backward", "grad"]

CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)
OLD_NAME = "`grad_variables` is deprecated. Use `grad_tensors` instead."
UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set "
    "allow_unused=True if this is the desired behavior."
)


def as_tuple(value: Any) -> tuple[Any, ...]:
    """One tensor, edge or None as a tuple of one; a sequence as a tuple."""
    if value is None or isinstance(value, TensorBase) or is_edge(value):
        return (value,)
    return tuple(value)


def is_edge(value: Any) -> bool:
    """Whether this is a GradientEdge: a named tuple of a node and a number."""
    return isinstance(value, tuple) and len(value) > 1 and isinstance(value[0], Node)


def edge_of(value: Any) -> tuple[Node | None, int]:
    """Node and output number of a tensor, or of a GradientEdge."""
    if is_edge(value):
        return value[0], value[1]
    node = gradient_edge(value)
    return node, value._nr


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Adds the gradient of `tensors` with respect to the leaves into their `.grad`.

    Args:
        tensors: one tensor, or a sequence of tensors.
        grad_tensors: the gradients of what is differentiated with respect to `tensors`, of the
        same
            shapes; may be left out for tensors of one element.
        retain_graph: keep what was saved, so that the graph can be run again; default
            `create_graph`.
        create_graph: record the backward pass, so that the gradients can be differentiated.
        inputs: tensors into whose `.grad` to accumulate, all leaves when left out.

    Raises RuntimeError when a tensor does not require a gradient, when a gradient has the wrong
    shape, or when the graph was freed.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.backward((x * x).sum())
    >>> x.grad
    tensor([2., 4.])
    """
    if grad_variables is not None:
        warnings.warn(OLD_NAME, FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to "
                "`backward()`. Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    targets = None if inputs is None else as_tuple(inputs)
    if targets is not None and not targets:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    outputs = as_tuple(tensors)
    given = spread(grad_tensors, len(outputs))
    if create_graph:
        warnings.warn(CYCLE, UserWarning, stacklevel=3)
    grads = [first_gradient(i, o, g, given) for i, (o, g) in enumerate(zip(outputs, given))]  # noqa: B905
    roots = roots_of(outputs[: len(grads)])
    run_backward(
        roots,
        grads,
        keep=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        targets=None if targets is None else target_nodes(targets),
    )


def is_usual_loss(tensor: TensorBase) -> bool:
    """Whether this is a 0-dim tensor of a plain dtype that an operator made."""
    return tensor._grad_fn is not None and tensor._array.ndim == 0 and tensor._array.dtype in ONES


def backward_of_loss(loss: Any, retain_graph: bool | None) -> None:
    """`loss.backward()`: nothing to check, and the first gradient is always the same 1."""
    root = [(loss._grad_fn, loss._nr)]
    one = [wrap(ONES[loss._array.dtype])]
    run_backward(root, one, keep=bool(retain_graph), create_graph=False)


def target_nodes(targets: Sequence[Any]) -> list[Node]:
    """The nodes of the inputs of `backward`; a non-leaf keeps its gradient."""
    for target in targets:
        if isinstance(target, TensorBase):
            if not requires(target):
                raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
            if history(target) is not None:
                target.retain_grad()  # type: ignore[attr-defined]
    nodes = [edge_of(target)[0] for target in targets]
    return [node for node in nodes if node is not None]  # a view not recorded has none


def spread(gradients: Any, count: int) -> tuple[Any, ...]:
    """The given gradients as a tuple, None for each tensor where none was given."""
    return (None,) * count if gradients is None else as_tuple(gradients)


def roots_of(outputs: Sequence[Any]) -> list[tuple[Node, int]]:
    """The nodes at which the pass starts."""
    roots = []
    for index, output in enumerate(outputs):
        node, nr = edge_of(output)
        if node is None:
            raise RuntimeError(
                f"element {index} of tensors does not require grad and does not have a grad_fn"
            )
        roots.append((node, nr))
    return roots


def first_gradient(index: int, output: Any, grad: Any, given: tuple[Any, ...]) -> Any:
    """The gradient at one root: checked, or one for a tensor of one element."""
    if is_edge(output):
        return grad
    if isinstance(grad, TensorBase):
        check_given(index, output, grad, given)
        return grad
    if grad is not None:
        kind = type(grad).__name__
        raise TypeError(f"gradients can be either Tensors or None, but got {kind}")
    array = output._array
    if requires(output):
        if array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        if array.dtype.kind != "f" and array.dtype.name != "bfloat16":
            raise RuntimeError(
                "grad can be implicitly created only for real scalar outputs but got "
                f"{output.dtype!r}"
            )
    return wrap(one_like(array))


ONES = {kind: np.ones((), kind) for kind in PLAIN}


def one_like(array: Any) -> Any:
    """Ones of the shape of an array of one element; for the usual loss always the same array."""
    if array.ndim == 0 and array.dtype in ONES:
        return ONES[array.dtype]
    return np.ones_like(array)


def check_given(index: int, output: Any, grad: Any, given: tuple[Any, ...]) -> None:
    """A given gradient has the shape of its output, and is complex if and only if that is."""
    if grad._array.shape != output._array.shape:
        index = given.index(grad)  # compares tensors, and may raise for that, as in PyTorch
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{index}] has a shape of {Size(grad._array.shape)} "
            f"and output[{index}] has a shape of {Size(output._array.shape)}."
        )
    if (grad._array.dtype.kind == "c") != (output._array.dtype.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same "
            f"dtype. Mismatch in dtype: grad_output[{index}] has a dtype of {grad.dtype!r} and "
            f"output[{index}] has a dtype of {output.dtype!r}."
        )


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of `outputs` with respect to `inputs`, as a tuple; `.grad` stays as it is.

    Args:
        outputs: one tensor, or a sequence of tensors.
        inputs: the tensors to differentiate with respect to, leaves or not.
        grad_outputs: the gradients at the outputs, of their shapes.
        retain_graph: keep what was saved; default `create_graph`.
        create_graph: record the gradients, for higher derivatives.
        allow_unused: None for an input that the outputs do not depend on, instead of an error.
        is_grads_batched: `grad_outputs` have a leading batch dimension; one pass each.
        materialize_grads: zeros instead of None for unused inputs.

    Raises RuntimeError for an input that was not used or does not require a gradient.

    >>> import seegrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> torch.autograd.grad(x ** 2, x)
    (tensor(6.),)
    """
    del only_inputs  # always true, as in PyTorch
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    outs, ins = as_tuple(outputs), as_tuple(inputs)
    if is_grads_batched:
        return batched(outs, ins, grad_outputs, retain_graph, create_graph, allow_unused)
    given = spread(grad_outputs, len(outs))
    if len(given) != len(outs):
        raise RuntimeError(f"got {len(outs)} tensors and {len(given)} gradients")
    grads = [
        first_gradient(i, o, g, given) for i, (o, g) in enumerate(zip(outs, given, strict=True))
    ]
    roots = roots_of(outs)
    if not ins:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    found = run_backward(
        roots,
        grads,
        keep=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        captures=captures_of(ins),
    )
    return tuple(
        answer(i, t, found.get(i), allow_unused, materialize_grads, create_graph)
        for i, t in enumerate(ins)
    )


def captures_of(inputs: Sequence[Any]) -> Captures:
    """Where the gradients of the inputs arrive."""
    captures: Captures = {}
    for place, value in enumerate(inputs):
        node, nr = edge_of(value)
        if node is None:
            if requires(value):
                continue  # a view that was not recorded: nothing depends on it
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        captures.setdefault(node, []).append((nr, place))
    return captures


def answer(
    index: int, target: Any, found: Any, allow_unused: bool, materialize: bool, recorded: bool
) -> Any:
    """One gradient as the caller gets it."""
    if found is None:
        if not allow_unused:
            raise RuntimeError(UNUSED.format(index))
        return wrap(np.zeros_like(target._array)) if materialize else None
    if recorded:
        return found
    # Whoever else holds this array (an output's given gradient, a sibling) must not be written to.
    tensor = detached(found)
    tensor._shared = True
    return tensor


def batched(
    outs: Any, ins: Any, grad_outputs: Any, retain: Any, create_graph: bool, allow_unused: bool
) -> tuple[Any, ...]:
    """`grad` for each of a batch of `grad_outputs`, stacked."""
    given = as_tuple(grad_outputs)
    size = len(given[0])
    rows = []
    for index in range(size):
        keep = True if index < size - 1 else retain
        row = tuple(None if g is None else g[index] for g in given)
        rows.append(grad(outs, ins, row, keep, create_graph, True, allow_unused))
    return tuple(
        None if column[0] is None else recorded.stack(list(column), 0)
        for column in zip(*rows, strict=True)
    )
