"""Copies and pickles of tensors: what is kept, what is shared, what is refused."""

import copy
import sys
import warnings
from typing import Any

import numpy as np

from seegrad.arrays.strides import storage
from seegrad.errors import noted
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, mark, requires, set_requires, tensor_class
from seegrad.graph.versions import UNTRACKED, Counter
from seegrad.graph.views import history
from seegrad.ops.once import users_level

__all__ = ["CopyingFace", "rebuild", "warn_if_has_hooks"]

ONLY_LEAVES = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)
HOOKED = (
    "backward hook {!r} on tensor will not be serialized.  If this is expected, you can decorate "
    "the function with @torch.utils.hooks.unserializable_hook to suppress this warning"
)

# What a copy makes anew: everything that TensorBase declares.
OWN = frozenset(TensorBase.__annotations__)


class CopyingFace(TensorBase):
    """`copy.copy`, `copy.deepcopy` and `pickle` of a tensor."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if requires(self) and history(self) is not None:
            where = attribute_path()
            error = RuntimeError(ONLY_LEAVES)
            raise noted(error, f"The tensor with a history is {where}.") if where else error
        if id(self) in memo:
            return memo[id(self)]
        made = leaf(type(self), copied(self._array, memo), requires(self))
        memo[id(self)] = made
        made.__dict__.update(copy.deepcopy(extras(self), memo))
        if self._grad_dtype is not ...:
            made._grad_dtype = self._grad_dtype
        if self._grad is not None:
            made._grad = copy.deepcopy(self._grad, memo)
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        warn_if_has_hooks(self)
        return self._reduced()

    def _reduced(self) -> tuple[Any, ...]:
        """What a pickle keeps."""
        cls = None if type(self) is tensor_class() else type(self)
        return rebuild, (cls, self._array, requires(self), extras(self))


def extras(tensor: TensorBase) -> dict[str, Any]:
    """What users hung on a tensor."""
    return {name: value for name, value in vars(tensor).items() if name not in OWN}


def leaf(cls: Any, array: Any, requires_grad: bool) -> Any:
    """A leaf on this array, written to once as PyTorch counts."""
    made = object.__new__(cls)
    made._array = array
    made._counter = UNTRACKED if thread.state.inference else Counter(1)
    mark(made)
    set_requires(made, requires_grad)
    return made


def rebuild(cls: Any, array: Any, requires_grad: bool, extra: dict[str, Any]) -> Any:
    """A leaf out of a pickle."""
    made = leaf(cls or tensor_class(), array, requires_grad)
    made.__dict__.update(extra)
    return made


def copied(array: Any, memo: dict[int, Any]) -> Any:
    """The same view of a copy of the memory, which is copied once for all that look at it."""
    owner = storage(array)
    if not owner.flags.forc:
        return array.copy(order="K")
    memory = memo.get(id(owner))
    if memory is None:
        memory = memo[id(owner)] = owner.copy(order="K")
    start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    if not array.size:
        return np.empty(array.shape, array.dtype)
    return np.ndarray(array.shape, array.dtype, memory, start, array.strides)


def attribute_path() -> str:
    """Where the object stands that is being copied now, read from the frames of `copy`."""
    names: list[str] = []
    holder: Any = None
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_globals.get("__name__") != "copy":
            continue
        if "key" in frame.f_locals and frame.f_code.co_name == "_deepcopy_dict":
            names.append(str(frame.f_locals["key"]))
        elif frame.f_code.co_name == "deepcopy":
            holder = frame.f_locals["x"]
    kept = [
        name for name in reversed(names) if name not in ("_modules", "_parameters", "_buffers")
    ]
    return f"the attribute '{'.'.join(kept)}' of {type(holder).__name__}" if kept else ""


def warn_if_has_hooks(tensor: Any) -> None:
    """Warns of each hook on a tensor that a pickle leaves out, unless it is marked for that."""
    for hook in tuple((tensor._backward_hooks or {}).values()):
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(HOOKED.format(hook), UserWarning, stacklevel=users_level())
