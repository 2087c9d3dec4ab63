"""What a tensor shows of its history: flags, gradient, node, version, view, hooks."""

import warnings
import weakref
from collections import OrderedDict
from typing import Any

from seegrad.arrays.dtypes import cpp_type_name, dtype, from_numpy
from seegrad.errors import INFERENCE_REQUIRES
from seegrad.graph.hooks import Hook, Hooks, RemovableHandle, add, hooks_of
from seegrad.graph.loans import share, unshare
from seegrad.graph.node import Node
from seegrad.graph.read_only import read_only
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, mark, requires, set_requires, wrap
from seegrad.graph.versions import NEVER, alias_counter, cut, is_inference, version_of
from seegrad.graph.views import has_node, history, update_accumulator
from seegrad.operators.signatures import type_name
from seegrad.tensor.differentiate import backward, backward_of_loss, is_usual_loss

__all__ = ["HistoryFace", "check_may_require"]

NOT_A_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
ONLY_LEAVES = "you can only change requires_grad flags of leaf variables."
USE_DETACH = (
    " If you want to use a computed variable in a subgraph that doesn't require differentiation "
    "use var_no_grad = var.detach()."
)
GRAD_IS_THERE = (
    "Cannot set grad_dtype to '{}' because there is already a gradient with dtype '{}'. Please "
    "clear the gradient (.grad = None) before changing grad_dtype, or ensure the new grad_dtype "
    "matches the existing gradient's dtype."
)
NO_VOLATILE = "volatile was removed (Variable.volatile is always False)"
SET_VOLATILE = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
GRAD_DTYPE = (
    "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The "
    "gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set "
    "the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set "
    "grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
    "downstream systems that assume they match."
)
IN_TRANSFORM = (
    "You are attempting to call Tensor.{0}(){1} inside of a function being transformed by a "
    "functorch transform. This is unsupported, please attempt to use the functorch transforms "
    "(e.g. grad, vjp, jacrev, jacfwd, hessian) or call {0}() outside of a function being "
    "transformed instead."
)
OR_FUNCTIONAL = " (or perhaps using torch.autograd.functional.* APIs)"
DETACH_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
    "(DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP "
    "buckets, and hence detach_() cannot be called on these gradients. To fix this error, please "
    "refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
)


class HistoryFace(TensorBase):
    """The attributes and methods of a tensor that concern its gradient."""

    @property
    def requires_grad(self) -> bool:
        """Whether gradients with respect to this tensor are wanted."""
        return requires(self)

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if not isinstance(flag, bool):
            raise RuntimeError("requires_grad must be a bool")
        if has_node(self) and requires(self):
            raise RuntimeError(ONLY_LEAVES + ("" if flag else USE_DETACH))
        change_requires(self, flag, "only Tensors of floating point and complex dtype")

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Sets `requires_grad` and returns the tensor itself.

        Raises RuntimeError for a non-leaf set to False, and for integer and bool tensors.
        """
        if not isinstance(requires_grad, bool):
            raise TypeError(
                "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                f"{type_name(requires_grad)}"
            )
        if thread.state.transforms:
            raise RuntimeError(IN_TRANSFORM.format("requires_grad_", OR_FUNCTIONAL))
        change_requires(self, requires_grad, "only Tensors of floating point dtype")
        return self

    @read_only
    def is_leaf(self) -> bool:
        """Whether the tensor was not made by an operator that was recorded."""
        return not requires(self) or history(self) is None

    @read_only
    def grad_fn(self) -> Node | None:
        """The node that made this tensor, None for a leaf."""
        return history(self) if requires(self) else None

    @property
    def _grad_fn(self) -> Node | None:
        return self.grad_fn

    @_grad_fn.setter
    def _grad_fn(self, node: Any) -> None:
        if node is not None:
            raise RuntimeError("_grad_fn can be only set to None")
        self.detach_()

    @_grad_fn.deleter
    def _grad_fn(self) -> None:
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    @read_only
    def output_nr(self) -> int:
        """Which output of its node this tensor is."""
        return self._nr

    @property
    def grad(self) -> Any:
        """The gradient accumulated by `backward()`, None before; reading a non-leaf's warns."""
        if self._grad is None and requires(self) and seen_history(self) is not None:
            if not self.retains_grad:
                warnings.warn(NOT_A_LEAF, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None:
            check_gradient(self, value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    @property
    def grad_dtype(self) -> dtype | None:
        """The dtype of `.grad`: the tensor's own unless set, None where any will do."""
        if seen_history(self) is not None and requires(self):
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        return self.dtype if self._grad_dtype is ... else self._grad_dtype

    @grad_dtype.setter
    def grad_dtype(self, value: Any) -> None:
        if value is not None and not isinstance(value, dtype):
            kind = type_name(value)
            raise RuntimeError(f"grad_dtype must be a torch.dtype or None, but got {kind}")
        if seen_history(self) is not None and requires(self):
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        if self._grad is not None and value is not None and self._grad.dtype is not value:
            found = cpp_type_name(self._grad.dtype)
            raise RuntimeError(GRAD_IS_THERE.format(value.scalar_name, found))
        self._grad_dtype = value
        update_accumulator(self)

    @property
    def volatile(self) -> bool:
        """False: what `no_grad` does was once an attribute."""
        warnings.warn(NO_VOLATILE, UserWarning, stacklevel=2)
        return False

    @volatile.setter
    def volatile(self, _: Any) -> None:
        warnings.warn(SET_VOLATILE, UserWarning, stacklevel=2)

    @volatile.deleter
    def volatile(self) -> None:
        warnings.warn(SET_VOLATILE, UserWarning, stacklevel=2)

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Adds the gradient of this tensor with respect to the leaves into their `.grad`.

        `gradient` has this tensor's shape and may be left out when it has one element.
        Raises RuntimeError as `torch.autograd.backward` does.

        >>> import seegrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).backward(torch.tensor([1.0, 10.0]))
        >>> x.grad
        tensor([ 2., 40.])
        """
        if gradient is None and inputs is None and not create_graph and is_usual_loss(self):
            backward_of_loss(self, retain_graph)
        else:
            backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def retain_grad(self) -> None:
        """Keeps the gradient of a non-leaf in `.grad`; does nothing for a leaf.

        Raises RuntimeError for a tensor that does not require a gradient.
        """
        if thread.state.transforms:
            raise RuntimeError(IN_TRANSFORM.format("retain_grad", ""))
        if not requires(self):
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        node = history(self) if has_node(self) else None
        if node is not None and not self.retains_grad:
            hooks_of(node).retains[self._nr] = weakref.ref(self)

    @read_only
    def retains_grad(self) -> bool:
        """Whether this is a non-leaf whose gradient is kept."""
        node = seen_history(self)
        hooks = node._hooks if node is not None else None
        reference = hooks.retains.get(self._nr) if hooks is not None else None
        return reference is not None and reference() is self

    def register_hook(self, hook: Hook) -> RemovableHandle:
        """Calls `hook(grad)` with each gradient of this tensor; a returned tensor replaces it.

        Raises RuntimeError for a tensor that does not require a gradient.
        """
        if not requires(self):
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node = history(self)
        hooks = leaf_hooks(self) if node is None else hooks_of(node)
        nr = self._nr if node is not None else 0
        return add(hooks.tensor.setdefault(nr, OrderedDict()), hook)

    def register_post_accumulate_grad_hook(self, hook: Hook) -> RemovableHandle:
        """Calls `hook(tensor)` after a gradient was added to this leaf's `.grad`.

        Raises RuntimeError for a non-leaf, or a tensor that does not require a gradient.
        """
        if not requires(self):
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if history(self) is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        return add(leaf_hooks(self).post_accumulate, hook)

    @property
    def _backward_hooks(self) -> Any:
        node = history(self)
        hooks = self._hooks if node is None else node._hooks
        return hooks.tensor.get(self._nr) if hooks is not None else None

    @_backward_hooks.setter
    def _backward_hooks(self, hooks: Any) -> None:
        node = history(self)
        found = leaf_hooks(self) if node is None else hooks_of(node)
        if hooks:
            found.tensor[self._nr] = hooks
        else:
            found.tensor.pop(self._nr, None)

    @_backward_hooks.deleter
    def _backward_hooks(self) -> None:
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    @property
    def _post_accumulate_grad_hooks(self) -> Any:
        return self._hooks.post_accumulate or None if self._hooks is not None else None

    @_post_accumulate_grad_hooks.setter
    def _post_accumulate_grad_hooks(self, hooks: Any) -> None:
        leaf_hooks(self).post_accumulate = OrderedDict() if hooks is None else hooks

    @_post_accumulate_grad_hooks.deleter
    def _post_accumulate_grad_hooks(self) -> None:
        raise RuntimeError("Deletion of _post_accumulate_grad_hooks not allowed!")

    def detach(self) -> Any:
        """The same memory without history; writes through either are seen by both."""
        out = aliased(self)
        out._counter = alias_counter(self)
        out._cut = "detach" if requires(self) else self._cut
        return out

    def detach_(self) -> Any:
        """Cuts this tensor from its history, in place. Raises RuntimeError for a view.

        As in PyTorch nothing happens in inference mode, nor to an inference tensor.
        """
        if thread.state.inference or is_inference(self):
            return self
        if self._view is not None:
            raise RuntimeError(DETACH_VIEW)
        if requires(self):
            self._cut = "detach"
        if self._node is not None:
            cut(self)
        self._node = None
        self._nr = 0
        self._tangents = None
        set_requires(self, False)
        return self

    @property
    def data(self) -> Any:
        """The same memory without history and with a version counter of its own."""
        out = aliased(self)
        out._counter = alias_counter(self) if is_inference(self) else NEVER
        out._cut = "data" if requires(self) else self._cut
        return out

    @data.setter
    def data(self, value: Any) -> None:
        if not isinstance(value, TensorBase):
            raise TypeError(f"Variable data has to be a tensor, but got {type_name(value)}")
        if requires(self) and not differentiable(value):
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        flag = requires(self)
        unshare(value)
        self._array, self._shared = value._array, False
        accumulator = self._accumulator
        if is_inference(value):
            self._counter = alias_counter(value)
        elif is_inference(self):
            self._counter = NEVER
        mark(self)
        set_requires(self, flag)
        self._accumulator = accumulator
        update_accumulator(self)

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    @read_only
    def _version(self) -> int:
        return version_of(self)

    @read_only
    def _base(self) -> Any:
        return self._view.base if self._view is not None else None

    def _is_view(self) -> bool:
        return self._view is not None

    def is_inference(self) -> bool:
        """Whether the tensor was made in inference mode."""
        return is_inference(self)


def aliased(tensor: TensorBase) -> Any:
    """Another tensor on the same memory."""
    out = wrap(tensor._array)
    if tensor._shared and not share(tensor, out):
        out._array = tensor._array
    return out


def seen_history(tensor: TensorBase) -> Node | None:
    """As `history`, None too for a view whose history may not be read any more."""
    try:
        return history(tensor)
    except RuntimeError:
        return None


def differentiable(tensor: TensorBase) -> bool:
    """Whether the dtype can have a gradient."""
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


def change_requires(tensor: TensorBase, flag: bool, only: str) -> None:
    """Sets the flag of a leaf."""
    if has_node(tensor) and requires(tensor):
        if not flag:
            raise RuntimeError(ONLY_LEAVES + USE_DETACH)
        return
    if flag and not differentiable(tensor):
        raise RuntimeError(f"{only} can require gradients")
    if flag:
        check_may_require(tensor)
    set_requires(tensor, bool(flag))


def check_may_require(tensor: TensorBase) -> None:
    """Refuses to let an inference tensor require a gradient outside of inference mode."""
    if is_inference(tensor) and not thread.state.inference:
        raise RuntimeError(INFERENCE_REQUIRES)


def leaf_hooks(leaf: TensorBase) -> Hooks:
    """The hooks of a leaf, which live on the tensor; its AccumulateGrad may come and go."""
    if leaf._hooks is None:
        leaf._hooks = Hooks()
    return leaf._hooks


def check_gradient(tensor: TensorBase, value: Any) -> None:
    """What is assigned to `.grad` is another tensor of the same shape and dtype."""
    if not isinstance(value, TensorBase):
        raise TypeError(
            f"assigned grad expected to be a Tensor or None but got grad of type "
            f"{type_name(value)}"
        )
    if value is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    # Of the arrays: the attribute `dtype` would ask the class of the tensor.
    wanted, found = (from_numpy(one._array.dtype) for one in (tensor, value))
    if tensor._grad_dtype is not ...:
        wanted = tensor._grad_dtype
    if wanted is not None and found is not wanted:
        raise RuntimeError(GRAD_DTYPE.format(cpp_type_name(found), wanted.scalar_name))
    if value._array.shape != tensor._array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(value._array.shape)}' to a tensor of "
            f"size '{list(tensor._array.shape)}'. Please ensure that the gradient and the tensor "
            "are the same size"
        )
