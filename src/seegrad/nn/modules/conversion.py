"""Changing all tensors of a module at once: `to`, `double`, `requires_grad_`, `zero_grad` ..."""

import warnings
from collections.abc import Callable
from typing import Any, Self

from seegrad.arrays.dtypes import dtype
from seegrad.autograd.grad_mode import no_grad
from seegrad.nn.modules.traversal import Traversal
from seegrad.nn.parameter import is_lazy
from seegrad.tensor.creation import empty_like
from seegrad.tensor.tensor import Tensor

Convert = Callable[[Tensor], Any]
_COMPLEX = (
    "Complex modules are a new feature under active development whose design may change, and "
    "some modules might not work as expected when using complex tensors as parameters or buffers. "
    "Please file an issue at "
    "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml "
    "if a complex module does not work as expected."
)


class Conversion(Traversal):
    """Conversions write into the same Parameters, so that optimisers keep seeing them."""

    training: bool

    def _apply(self, fn: Convert, recurse: bool = True) -> Self:
        """Replace the data of every parameter, gradient and buffer by `fn` of it."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        with no_grad():
            for parameter in self._parameters.values():
                if parameter is not None:
                    _convert_parameter(parameter, fn)
            for name, buffer in self._buffers.items():
                if is_lazy(buffer):
                    _convert_parameter(buffer, fn)  # it stays, and has its dtype from now on
                elif buffer is not None:
                    self._buffers[name] = fn(buffer)
        return self

    def apply(self, fn: Callable[[Any], Any]) -> Self:
        """Call `fn` on every module below, then on this one; returns this module.

        >>> import seegrad as torch
        >>> _ = torch.nn.Sequential(torch.nn.ReLU()).apply(lambda m: print(type(m).__name__))
        ReLU
        Sequential
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Convert all floating-point tensors: `to(dtype)`, `to(device, dtype)`, `to(tensor)`.

        Integer buffers keep their dtype. Raises TypeError for a dtype that cannot train.

        >>> import seegrad as torch
        >>> torch.nn.Linear(1, 1).to(torch.float64).weight.dtype
        torch.float64
        """
        if not args and not kwargs:
            return self
        target = _target_dtype(args, kwargs)
        if target is not None:
            if not (target.is_floating_point or target.is_complex):
                raise TypeError(
                    "nn.Module.to only accepts floating point or complex dtypes, but got "
                    f"desired dtype={target}"
                )
            if target.is_complex:
                warnings.warn(_COMPLEX, UserWarning, stacklevel=2)
        whole_too = target is None  # integers follow to a device, never to another dtype

        def convert(tensor: Tensor) -> Any:
            if whole_too or tensor.is_floating_point() or tensor.is_complex():
                return tensor.to(*args, **kwargs)
            return tensor

        return self._apply(convert)

    def type(self, dst_type: Any) -> Self:
        """Convert all parameters and buffers to `dst_type`."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def float(self) -> Self:
        """Convert floating-point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Self:
        """Convert floating-point parameters and buffers to float64.

        >>> import seegrad as torch
        >>> torch.nn.Linear(1, 1).double().bias.dtype
        torch.float64
        """
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Self:
        """Convert floating-point parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self) -> Self:
        """Convert floating-point parameters and buffers to bfloat16."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def cpu(self) -> Self:
        """This module: everything is on the CPU already."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Self:
        """Raises for a module with tensors what a tensor raises: there is the CPU only."""
        return self._apply(lambda t: t.cuda(device))

    def xpu(self, device: Any = None) -> Self:
        """Raises, as `cuda`."""
        return self._apply(lambda t: t.to("xpu" if device is None else device))

    def share_memory(self) -> Self:
        """This module, its tensors moved into memory that forked processes share."""
        return self._apply(lambda t: t.share_memory_())

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """New memory for all parameters and buffers, which holds anything.

        >>> import seegrad as torch
        >>> torch.nn.Linear(2, 3).to_empty(device="cpu").weight.shape
        torch.Size([3, 2])
        """
        return self._apply(lambda t: empty_like(t, device=device), recurse=recurse)

    def train(self, mode: bool = True) -> Self:
        """Set training mode here and below (Dropout and its like ask `self.training`).

        >>> import seegrad as torch
        >>> torch.nn.Dropout().eval().training
        False
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Set evaluation mode: the same as `train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say for all parameters whether they record; frozen ones get no gradient."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters (`set_to_none=False`: fill them with zeros)."""
        for parameter in self.parameters():
            clear_grad(parameter, set_to_none)


def clear_grad(parameter: Tensor, set_to_none: bool) -> None:
    """Forget the gradient of `parameter`, or cut it off its history and fill it with zeros."""
    grad = parameter.grad
    if grad is None:
        return
    if set_to_none:
        parameter.grad = None
        return
    if grad.grad_fn is not None:
        grad.detach_()
    else:
        grad.requires_grad_(False)
    grad.zero_()


def _convert_parameter(parameter: Any, fn: Convert) -> None:
    converted = fn(parameter)
    grad = parameter.grad
    parameter.data = converted
    if grad is not None:
        converted_grad = fn(grad)
        parameter.grad = None  # a gradient must have its tensor's dtype when it is set
        parameter.grad = converted_grad.requires_grad_(grad.requires_grad)


def _target_dtype(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dtype | None:
    """The dtype asked for in the arguments of `to`, or None."""
    for arg in (*args, *kwargs.values()):
        if isinstance(arg, Tensor):
            return arg.dtype
        if isinstance(arg, dtype):
            return arg
    return None
