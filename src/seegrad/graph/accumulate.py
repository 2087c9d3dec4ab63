"""The end of the backward pass: a gradient arrives at a leaf.

Accumulation holds a lock: NumPy releases the GIL inside an addition (four threads of 200 passes
added up to 200 instead of 800 without it). A leaf has one of LOCKS, found by its identity: making
one for each leaf would cost every single-threaded program. No code of the user's runs under it,
so two leaves that share one do not wait for each other for ever: a recorded addition, which may
call hooks, is made outside, and made again where another thread was faster.
"""

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.hooks import (
    run_posthooks,
    run_prehooks,
    run_tensor_hooks,
)
from seegrad.graph.loans import unshare
from seegrad.graph.recorded import recorded as operators
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires, wrap
from seegrad.graph.versions import bump

if TYPE_CHECKING:
    from seegrad.graph.node import AccumulateGrad

__all__ = ["accumulate"]

ndarray = np.ndarray
LOCKS = tuple([threading.RLock() for _ in range(64)])


def accumulate(node: "AccumulateGrad", grad: Any, fresh: bool, recorded: bool) -> None:
    """Adds `grad`, an array or a Tensor, to the gradient of the node's leaf."""
    variable = node.variable
    if variable._node is not None:  # it was a leaf when the graph was made
        raise RuntimeError("leaf variable has been moved into the graph interior")
    if variable._hooks is not None or node._hooks is not None:
        accumulate_with_hooks(node, grad, recorded)
    elif variable._requires_grad is not True and not requires(variable):
        return  # it did when the graph was made
    elif recorded:
        accumulate_recorded(variable, grad)
    else:
        accumulate_array(variable, grad, fresh)


def accumulate_array(variable: TensorBase, grad: Any, fresh: bool) -> None:
    """Adds an array: stolen when fresh, copied when not, added in place the second time."""
    if grad.__class__ is not ndarray:  # a Tensor from a hook, or a scalar of NumPy's
        grad = np.asarray(getattr(grad, "_array", grad))
    with LOCKS[id(variable) >> 5 & 63]:
        current = variable._grad
        if current is None:
            if fresh and (grad.strides == variable._array.strides or follows(grad, variable)):
                variable._grad = wrap(grad)
                return
            variable._grad = wrap(owned(grad, variable))
            if dense(variable._array):
                bump(variable._grad)  # PyTorch counts the copying, but not a clone
            return
        if current._shared:
            unshare(current)
        if current._array.flags.writeable:
            np.add(current._array, grad, out=current._array, casting="unsafe")
            bump(current)
        else:
            variable._grad = wrap(current._array + grad)


def follows(grad: Any, variable: TensorBase) -> bool:
    """Whether a gradient lies in memory as PyTorch's layout contract asks, where it does."""
    return grad.__class__ is np.ndarray and (
        grad.strides == variable._array.strides
        or (grad.flags.c_contiguous and not dense(variable._array))
        or not thread.state.enforcing
    )


def dense(array: Any) -> bool:
    """Whether the elements of `array` fill one block of memory, in any order of dimensions."""
    if array.flags.c_contiguous:
        return True
    expected = array.itemsize
    for stride, size in sorted(zip(array.strides, array.shape, strict=True)):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True


def owned(grad: Any, variable: TensorBase) -> Any:
    """A copy that follows the strides of a dense leaf, else is contiguous."""
    if variable._array.flags.c_contiguous or not dense(variable._array):
        return np.array(grad, order="C")
    copy = empty_as(variable, grad.dtype)
    copy[...] = grad
    return copy


def empty_as(variable: TensorBase, kind: Any) -> Any:
    """Memory for a gradient, with the strides of a dense leaf, also where a size is 1."""
    array = variable._array
    strides = tuple(step // array.itemsize * kind.itemsize for step in array.strides)
    memory = np.empty(array.size, kind)
    return np.ndarray(array.shape, kind, memory, 0, strides) if array.size else memory.reshape(
        array.shape
    )  # fmt: skip


def accumulate_recorded(variable: TensorBase, grad: Any) -> None:
    """Adds a gradient with a history, as under `create_graph`: never in place."""
    while True:
        current = variable._grad
        if current is None and not requires(grad):
            accumulate_array(variable, grad._array, fresh=False)
            return
        seen = None if current is None else current._counter.value
        total = total_of(variable, current, grad)
        with LOCKS[id(variable) >> 5 & 63]:
            same = variable._grad is current
            if same and (current is None or current._counter.value == seen):
                variable._grad = total
                return


def total_of(variable: TensorBase, current: Any, grad: Any) -> Any:
    """The recorded sum of what is there, if anything, and a gradient."""
    if current is not None:
        total = operators.add(current, grad)
        if total._array.strides != current._array.strides:
            total._array = owned(total._array, variable)
        return total
    if dense(variable._array):
        return operators.copy_(wrap(empty_as(variable, grad._array.dtype)), grad)
    return operators.clone(grad, "contiguous")


def accumulate_with_hooks(node: "AccumulateGrad", grad: Any, recorded: bool) -> None:
    """The full order at a leaf, where someone hung hooks on the tensor or on the node."""
    variable, hooks, on_node = node.variable, node.variable._hooks, node._hooks
    state = thread.state
    mode = state.mode
    if hooks is not None:
        grad = run_tensor_hooks(hooks.tensor.get(0, {}), grad)
    grads = (grad,)
    if on_node is not None and on_node.pre:
        grads = run_prehooks(on_node.pre, grads)
    if grads[0] is not None and requires(variable):
        if recorded:
            accumulate_recorded(variable, grads[0])
        else:
            accumulate_array(variable, grads[0], fresh=False)
    if hooks is not None:
        for hook in tuple(hooks.post_accumulate.values()):
            check_post_accumulate(hook(variable))
    if on_node is not None and on_node.post:
        run_posthooks(on_node.post, (), grads)
    state.mode = mode  # a hook may have changed it for itself


def check_post_accumulate(result: Any) -> None:
    """A post-accumulate hook returns nothing."""
    if result is not None and not isinstance(result, TensorBase):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    if result is not None:
        raise RuntimeError("Tensor post accumulate grad hooks should return None.")
