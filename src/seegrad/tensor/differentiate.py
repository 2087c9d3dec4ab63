"""`backward` and `grad`: checks of what the caller gave, then the loop of `graph/`."""

import warnings
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from seegrad.arrays.size import Size
from seegrad.errors import noted
from seegrad.graph.backward import Captures, run_backward
from seegrad.graph.cuts import told
from seegrad.graph.edges import GradientEdge, edge_of
from seegrad.graph.loans import lend
from seegrad.graph.node import Node
from seegrad.graph.recorded import recorded
from seegrad.graph.state import thread
from seegrad.graph.tensor import PLAIN, TensorBase, requires, wrap
from seegrad.graph.versions import NEVER
from seegrad.graph.views import history

__all__ = ["backward", "grad", "run_engine"]

CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)
OLD_NAME = "`grad_variables` is deprecated. Use `grad_tensors` instead."
ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
    "gradient for other parts of the graph, please use torch.autograd.backward."
)
UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set "
    "allow_unused=True if this is the desired behavior."
)

NO_PATH = (
    "does not lead there: the output was computed without it, from a copy of it, or before it "
    "got this history."
)
BACKWARD_IN_TRANSFORM = (
    "backward() called inside a functorch transform. This is not supported, please use "
    "functorch.grad or functorch.vjp instead or call backward() outside of functorch transforms."
)
NOT_SCALAR = "reduce it with mean() or sum(), or say with which weights, as `gradient=`."


def as_tuple(value: Any) -> tuple[Any, ...]:
    """One tensor or edge as a tuple of one; a sequence as a tuple."""
    if isinstance(value, (TensorBase, GradientEdge)):
        return (value,)
    return tuple(value)


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
            same shapes; may be left out for tensors of one element.
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
    if thread.state.transforms:
        raise RuntimeError(BACKWARD_IN_TRANSFORM)
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
    grads = first_gradients(outputs, given)
    keep = create_graph if retain_graph is None else retain_graph
    run_engine(outputs, grads, keep, create_graph, targets or (), accumulate_grad=True)


def run_engine(
    t_outputs: tuple[Any, ...],
    grad_tensors: tuple[Any, ...],
    keep_graph: Any,
    create_graph: Any,
    inputs: tuple[Any, ...] = (),
    allow_unreachable: Any = False,
    accumulate_grad: Any = False,
) -> tuple[Any, ...] | None:
    """What `backward` and `grad` share: every gradient is given, and runs through the graph.

    Accumulates, into all leaves or into `inputs`, or returns the gradients of `inputs`.
    """
    given = {"tensors argument": t_outputs, "grad_tensors argument": grad_tensors}
    for name, value in given.items():
        if not isinstance(value, tuple):
            kind = type(value).__name__
            raise RuntimeError(f"{name} is expected to be a tuple, but got {kind}")
    if not isinstance(inputs, tuple):
        raise RuntimeError("inputs to run_backward must be a tuple")
    if len(t_outputs) != len(grad_tensors):
        raise RuntimeError(f"got {len(t_outputs)} tensors and {len(grad_tensors)} gradients")
    roots = [
        root_of(index, output, grad)
        for index, (output, grad) in enumerate(zip(t_outputs, grad_tensors, strict=True))
    ]
    how: dict[str, Any] = {"keep": bool(keep_graph), "create_graph": bool(create_graph)}
    if accumulate_grad:
        targets = target_nodes(inputs) if inputs else None
        run_backward(roots, grad_tensors, targets=targets, **how)
        return None
    if not inputs:
        raise RuntimeError("grad requires non-empty inputs.")
    found = run_backward(roots, grad_tensors, captures=captures_of(inputs), **how)
    unused = [index for index in range(len(inputs)) if index not in found]
    if unused and not allow_unreachable:
        raise unused_input(unused[0], inputs, roots)
    # Whoever else has such a gradient (the caller its own, a sibling) must not see it written to.
    return tuple(lend(found.get(index)) for index in range(len(inputs)))


def unused_input(
    index: int, inputs: tuple[Any, ...], roots: list[tuple[Node, int]]
) -> RuntimeError:
    """PyTorch's error for an input that the outputs do not depend on; the note says what it is."""
    target = inputs[index]
    what = "a GradientEdge"
    if isinstance(target, TensorBase):
        node = history(target)
        made = "a leaf" if node is None else f"the result of {node.name()}"
        what = f"{made} of the shape {list(target._array.shape)}"
    nodes = tuple(node for node, _ in roots)
    note = f"Input {index} is {what}; {' and '.join(n.name() for n in nodes[:3])} {NO_PATH}"
    facts = {"input": target, "roots": nodes, "index": index}
    return noted(RuntimeError(UNUSED.format(index)), note, kind="unused-input", **facts)


def is_usual_loss(tensor: TensorBase) -> bool:
    """Whether this is a 0-dim tensor of a plain dtype that an operator made."""
    return tensor._node is not None and tensor._array.ndim == 0 and tensor._array.dtype in ONES


def backward_of_loss(loss: Any, retain_graph: bool | None) -> None:
    """`loss.backward()`: nothing to check, and the first gradient is always the same 1."""
    if thread.state.transforms:
        raise RuntimeError(BACKWARD_IN_TRANSFORM)
    root = ((loss._node, loss._nr),)
    one = (FIRST[loss._array.dtype],)
    run_backward(root, one, keep=bool(retain_graph), create_graph=False)


def target_nodes(targets: Sequence[Any]) -> list[Node]:
    """The nodes of the inputs of `backward`; a non-leaf keeps its gradient."""
    for target in targets:
        if isinstance(target, TensorBase):
            if not requires(target):
                raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
            if history(target) is not None:
                target.retain_grad()  # type: ignore[attr-defined]
    nodes = [input_edge(target)[0] for target in targets]
    return [node for node in nodes if node is not None]  # a view not recorded has none


def input_edge(value: Any) -> tuple[Node | None, int]:
    """The edge with respect to which to differentiate."""
    if not isinstance(value, (TensorBase, GradientEdge)):
        kind = type(value).__name__
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {kind}")
    return edge_of(value)


def spread(gradients: Any, count: int) -> tuple[Any, ...]:
    """The given gradients as a tuple, None for each tensor where none was given."""
    if isinstance(gradients, TensorBase):
        return (gradients,)
    return (None,) * count if gradients is None else tuple(gradients)


def root_of(index: int, output: Any, grad: Any) -> tuple[Node, int]:
    """Where the pass starts with one of the gradients."""
    if not isinstance(output, (TensorBase, GradientEdge)):
        raise RuntimeError(
            f"element {index} of tensors tuple is neither a Tensor nor a GradientEdge"
        )
    node, nr = edge_of(output)
    if node is None:
        text = f"element {index} of tensors does not require grad and does not have a grad_fn"
        error = RuntimeError(text)
        raise noted(error, told(output)) if isinstance(output, TensorBase) else error
    if grad is None:
        raise RuntimeError(
            f"element {index} of gradients tuple is None, but the corresponding Tensor requires "
            "grad"
        )
    if not isinstance(grad, TensorBase):
        raise RuntimeError(f"element {index} of gradients tuple is not a Tensor or None")
    return node, nr


class Output(NamedTuple):
    """What is asked of an output when its first gradient is given or made."""

    shape: tuple[int, ...]
    kind: Any
    dtype: Any
    requires: bool


def output_of(value: Any) -> Output:
    """Shape and dtype of a tensor, or of what arrives at an edge."""
    if isinstance(value, GradientEdge):
        metadata = value.node._input_metadata[value.output_nr]
        return Output(tuple(metadata.shape), metadata.dtype.numpy, metadata.dtype, True)
    assert isinstance(value, TensorBase), "Expected output to be a torch.Tensor"
    array = value._array
    return Output(array.shape, array.dtype, value.dtype, requires(value))


def first_gradients(outputs: tuple[Any, ...], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The gradients at the roots: given ones checked, or one for a tensor of one element."""
    pairs = enumerate(zip(outputs, given))  # noqa: B905  (the engine says how many it got)
    return tuple(first_gradient(i, output, grad, given) for i, (output, grad) in pairs)


def first_gradient(index: int, value: Any, grad: Any, given: tuple[Any, ...]) -> Any:
    """As `first_gradients`, for one of them."""
    if grad is not None and not isinstance(grad, TensorBase):
        kind = type(grad).__name__
        raise TypeError(f"gradients can be either Tensors or None, but got {kind}")
    output = output_of(value)
    if grad is not None:
        check_given(index, output, grad, given)
        return grad
    if output.requires:
        if prod(output.shape) != 1:
            error = RuntimeError("grad can be implicitly created only for scalar outputs")
            note = f"The output has the shape {list(output.shape)}: {NOT_SCALAR}"
            raise noted(error, note, kind="non-scalar-backward", output=value)
        if not output.dtype.is_floating_point:
            raise RuntimeError(
                "grad can be implicitly created only for real scalar outputs but got "
                f"{output.dtype!r}"
            )
    # For the usual loss always the same array.
    usual = not output.shape and output.kind in ONES
    return wrap(ONES[output.kind] if usual else np.ones(output.shape, output.kind))


def first_of(array: Any) -> TensorBase:
    """A gradient that begins a pass in which nothing is recorded: only its array is looked at."""
    first = TensorBase()
    first._array, first._counter = array, NEVER
    return first


ONES = {kind: np.ones((), kind) for kind in PLAIN}
FIRST = {kind: first_of(one) for kind, one in ONES.items()}


def check_given(index: int, output: Output, grad: Any, given: tuple[Any, ...]) -> None:
    """A given gradient has the shape of its output, and is complex if and only if that is."""
    if grad._array.shape != output.shape:
        index = given.index(grad)  # compares tensors, and may raise for that, as in PyTorch
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{index}] has a shape of {Size(grad._array.shape)} "
            f"and output[{index}] has a shape of {Size(output.shape)}."
        )
    if (grad._array.dtype.kind == "c") != (output.kind.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same "
            f"dtype. Mismatch in dtype: grad_output[{index}] has a dtype of {grad.dtype!r} and "
            f"output[{index}] has a dtype of {output.dtype!r}."
        )


def _calculate_shape(
    output: Any, grad: Any, is_grads_batched: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shapes of an output and of its gradient, without the dimension of a batch."""
    if is_grads_batched and isinstance(output, GradientEdge):
        raise RuntimeError("Batched grads are not supported with GradientEdge")
    shape = grad._array.shape
    return Size(output_of(output).shape), Size(shape[1:] if is_grads_batched else shape)


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
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    outs, ins = as_tuple(outputs), as_tuple(inputs)
    if not only_inputs:
        warnings.warn(ONLY_INPUTS, FutureWarning, stacklevel=2)
    if is_grads_batched:
        return batched(outs, ins, grad_outputs, retain_graph, create_graph, allow_unused)
    grads = first_gradients(outs, spread(grad_outputs, len(outs)))
    keep = create_graph if retain_graph is None else retain_graph
    if not ins:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    found = run_engine(outs, grads, keep, create_graph, ins, allow_unused) or ()
    return tuple(map(materialized, found, ins)) if materialize_grads else found


def materialized(found: Any, target: Any) -> Any:
    """The gradient of one input, zeros where it was not used."""
    if found is not None:
        return found
    if isinstance(target, GradientEdge):
        raise RuntimeError(
            "materialize_grads cannot be used when the given input is a GradientEdge"
        )
    return wrap(np.zeros_like(target._array))


def captures_of(inputs: Sequence[Any]) -> Captures:
    """Where the gradients of the inputs arrive."""
    captures: Captures = {}
    for place, value in enumerate(inputs):
        node, nr = input_edge(value)
        if node is None:
            if requires(value):
                continue  # a view that was not recorded: nothing depends on it
            error = RuntimeError("One of the differentiated Tensors does not require grad")
            raise noted(error, told(value), kind="constant-input", input=value)
        captures.setdefault(node, []).append((nr, place))
    return captures


def check_batch(index: int, value: Any, grad: Any) -> None:
    """Behind the dimension of the batch a given gradient has the shape of its output."""
    expected, found = _calculate_shape(value, grad, True)
    if expected != found:
        raise RuntimeError(BATCH.format(index, Size(found[1:]), index, expected))


BATCH = (
    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the "
    "batch dimension. The sizes of the remaining dimensions are expected to match the shape of "
    "corresponding output, but a mismatch was detected: grad_output[{}] has a shape of {} and "
    "output[{}] has a shape of {}. If you only want some tensors in `grad_output` to be "
    "considered batched, consider using vmap."
)


def batched(
    outs: Any, ins: Any, grad_outputs: Any, retain: Any, create_graph: bool, allow_unused: bool
) -> tuple[Any, ...]:
    """`grad` for each of a batch of `grad_outputs`, stacked."""
    given = spread(grad_outputs, len(outs))
    for index, (output, each) in enumerate(zip(outs, given, strict=False)):
        if isinstance(each, TensorBase):
            check_batch(index, output, each)
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
