"""The end of the backward pass: a gradient arrives at a leaf.

Note [Fresh]: an array is fresh when a built-in rule made it, it is not the incoming gradient and
its `base` is None, or when it is a sum that the loop made. Only fresh arrays are stolen by a leaf
or added to in place. User code (hooks, custom backward) gets a Tensor marked shared: its first
in-place write copies. So no hook corrupts a sibling branch, at no cost to the rest.

Accumulation holds a lock: NumPy releases the GIL inside an addition.
"""

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.hooks import (
    lend,
    run_posthooks,
    run_prehooks,
    run_tensor_hooks,
)
from seegrad.graph.recorded import recorded as operators
from seegrad.graph.tensor import TensorBase, requires, wrap
from seegrad.graph.versions import bump

if TYPE_CHECKING:
    from seegrad.graph.node import AccumulateGrad

__all__ = ["accumulate"]

ndarray = np.ndarray
_lock = threading.Lock()


def accumulate(node: "AccumulateGrad", grad: Any, fresh: bool, recorded: bool) -> None:
    """Adds `grad`, an array or a Tensor, to the gradient of the node's leaf."""
    variable = node.variable
    if variable._requires_grad is not True and not requires(variable):
        return  # it did when the graph was made
    if variable._hooks is not None or node._hooks is not None:
        accumulate_with_hooks(node, grad, recorded)
    elif recorded:
        accumulate_recorded(variable, grad)
    else:
        accumulate_array(variable, grad, fresh)


def accumulate_array(variable: TensorBase, grad: Any, fresh: bool) -> None:
    """Adds an array: stolen when fresh, copied when not, added in place the second time."""
    if grad.__class__ is not ndarray:  # a Tensor from a hook, or a scalar of NumPy's
        grad = np.asarray(getattr(grad, "_array", grad))
    with _lock:
        current = variable._grad
        if current is None:
            if fresh and (grad.strides == variable._array.strides or follows(grad, variable)):
                variable._grad = wrap(grad)
            else:
                variable._grad = wrap(owned(grad, variable))
                bump(variable._grad)  # PyTorch counts the copying
        elif requires(current) or not current._array.flags.writeable:
            variable._grad = wrap(current._array + grad)
        else:
            bump(current)  # before the sum, because it may refuse
            np.add(current._array, grad, out=current._array, casting="unsafe")


def follows(grad: Any, variable: TensorBase) -> bool:
    """Whether a gradient lies in memory as PyTorch's layout contract asks."""
    return grad.__class__ is np.ndarray and (
        grad.strides == variable._array.strides
        or (grad.flags.c_contiguous and not dense(variable._array))
    )


def dense(array: Any) -> bool:
    """Whether the elements of `array` fill one block of memory, in any order of dimensions."""
    expected = array.itemsize
    for stride, size in sorted(zip(array.strides, array.shape, strict=True)):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True


def owned(grad: Any, variable: TensorBase) -> Any:
    """A copy that follows the strides of a dense leaf, else is contiguous."""
    array = variable._array
    if array.flags.c_contiguous or not dense(array):
        return np.array(grad, order="C")
    copy = np.empty_like(array, dtype=grad.dtype)  # order K: the strides of the leaf
    copy[...] = grad
    return copy


def accumulate_recorded(variable: TensorBase, grad: Any) -> None:
    """Adds a gradient with a history, as under `create_graph`: never in place."""
    current = variable._grad
    if current is not None:
        variable._grad = operators.add(current, grad)
    elif requires(grad):
        variable._grad = operators.copy_(wrap(np.zeros_like(grad._array)), grad)
    else:
        accumulate_array(variable, grad._array, fresh=False)


def accumulate_with_hooks(node: "AccumulateGrad", grad: Any, recorded: bool) -> None:
    """The full order at a leaf, where someone hung hooks on the tensor or on the node."""
    variable, hooks, on_node = node.variable, node.variable._hooks, node._hooks
    if hooks is not None:
        grad = run_tensor_hooks(hooks.tensor.get(0, {}), grad)
    grads = (grad,)
    if on_node is not None and on_node.pre:
        grads = run_prehooks(on_node.pre, grads)
    if grads[0] is not None:
        if recorded:
            accumulate_recorded(variable, lend(grads[0]))
        else:
            accumulate_array(variable, grads[0], fresh=False)
    if hooks is not None:
        for hook in tuple(hooks.post_accumulate.values()):
            check_post_accumulate(hook(variable))
    if on_node is not None and on_node.post:
        run_posthooks(on_node.post, (), grads)


def check_post_accumulate(result: Any) -> None:
    """A post-accumulate hook returns nothing."""
    if result is not None and not isinstance(result, TensorBase):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    if result is not None:
        raise RuntimeError("Tensor post accumulate grad hooks should return None.")
