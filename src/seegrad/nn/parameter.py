"""`Parameter` and `Buffer`: tensors that a Module registers when they are assigned to it.

Their uninitialized forms have a dtype, and no shape before `materialize` gives them one.
"""

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from seegrad.graph.asked import disabled, keep_quiet, tap
from seegrad.graph.loans import unshare
from seegrad.graph.tensor import mark, set_requires
from seegrad.tensor.copying import rebuild
from seegrad.tensor.creation import empty
from seegrad.tensor.history import check_may_require
from seegrad.tensor.tensor import Tensor

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "UninitializedTensorMixin",
    "is_lazy",
]

_NO_SHAPE = (
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens "
    "in `load_state_dict` when trying to load an uninitialized parameter into an initialized one. "
    "Call `forward` to initialize the parameters before accessing their attributes."
)
_NO_MEMORY = (
    "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the "
    "parameters before calling `module.share_memory()`."
)
_WHOLE_NUMBERS = "Only Tensors of floating point and complex dtype can require gradients"


class _ParameterMeta(type):
    """Tensors marked `_is_param` count as Parameters: subclasses of Tensor keep their class."""

    def __instancecheck__(cls, instance: object) -> bool:
        if type.__instancecheck__(cls, instance):
            return True
        # Only tensors are asked: other objects may answer anything to a name they do not know.
        is_tensor = cls is Parameter and isinstance(instance, Tensor)
        return is_tensor and bool(getattr(instance, "_is_param", False))


def of_own_class(data: Any, requires_grad: bool) -> Any:
    """A parameter that keeps its class of tensors, marked as one."""
    made = data.detach()
    if requires_grad:  # `requires_grad_` is refused inside of transformations
        made.requires_grad = True
    if type(made) is not type(data):
        raise RuntimeError(
            f"Creating a Parameter from an instance of type {type(data).__name__} requires that "
            "detach() returns an instance of the same type, but return type "
            f"{type(made).__name__} was found instead. To use the type as a Parameter, please "
            "correct the detach() semantics defined by its __torch_dispatch__() implementation."
        )
    made._is_param = True
    return made


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that a Module owns and an optimiser changes.

    Args: `data` any tensor, whose memory is shared; `requires_grad`. Raises RuntimeError for
    integer or bool data that shall require a gradient.

    >>> import seegrad as torch
    >>> torch.nn.Parameter(torch.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __module__ = "torch.nn.parameter"  # as it is printed

    _is_param = True
    __torch_function__ = disabled  # type: ignore[assignment]

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> "Parameter":
        """A leaf over the memory of `data`, without its history."""
        if isinstance(data, Tensor) and type(data) not in (Tensor, Parameter, cls):
            return of_own_class(data, requires_grad)  # type: ignore[no-any-return]
        source = empty(0) if data is None else data.detach()
        if requires_grad and not (source.is_floating_point() or source.is_complex()):
            raise RuntimeError(_WHOLE_NUMBERS)
        unshare(source)
        made: Parameter = object.__new__(cls)
        made._array = source._array
        made._counter = source._counter
        mark(made)
        if requires_grad:
            check_may_require(made)
        set_requires(made, requires_grad)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> "Parameter":
        """A copy of the numbers; the gradient and what users hung on it stay behind."""
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]  # type: ignore[no-any-return]

    def __reduce_ex__(self, protocol: Any) -> Any:
        made, values = self._reduced()  # without a word on hooks, as in PyTorch: models have them
        return (rebuilt, values[1:]) if type(self) is Parameter else (made, values)

    def __repr__(self, **options: Any) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__(**options)


def rebuilt(*values: Any) -> Any:
    """A parameter out of a pickle, which cannot name the class by the module that is printed."""
    return rebuild(Parameter, *values)


keep_quiet(Parameter)
tap(Parameter.__new__, "torch.nn", "Parameter")


class _BufferMeta(type):
    """A buffer is a plain tensor with a mark, so `isinstance` asks for the mark."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and bool(getattr(instance, "_is_buffer", False))


class Buffer(metaclass=_BufferMeta):
    """Makes a tensor that a Module registers as a buffer when it is assigned to it.

    Args: `data` any tensor, whose memory is shared; `persistent`, whether `state_dict` holds it.

    >>> import seegrad as torch
    >>> module = torch.nn.Module()
    >>> module.mean = torch.nn.Buffer(torch.zeros(1))
    >>> list(module.state_dict())
    ['mean']
    """

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        """A plain Tensor over the memory of `data`, marked as a buffer."""
        tensor = (empty(0) if data is None else data).detach()
        tensor.persistent = persistent
        tensor._is_buffer = True
        return tensor


def is_lazy(param: Any) -> bool:
    """Whether `param` is a parameter or buffer without a shape yet."""
    return isinstance(param, UninitializedTensorMixin)


def _of_dtype(name: str) -> Callable[..., Any]:
    """A method that needs no shape: it is that of the placeholder."""

    def method(self: Any, *args: Any, **options: Any) -> Any:
        return getattr(self._placeholder, name)(*args, **options)

    method.__name__ = name
    return method


class UninitializedTensorMixin:
    """A tensor without a shape. Its placeholder, of no elements, says the dtype."""

    __torch_function__ = disabled
    cls_to_become: type[Tensor]
    _placeholder: Tensor

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Become an ordinary parameter or buffer of `shape`, which holds anything.

        >>> import seegrad as torch
        >>> weight = torch.nn.parameter.UninitializedParameter()
        >>> weight.materialize((2, 3))
        >>> weight.shape
        torch.Size([2, 3])
        """
        become(self, empty(shape, device=device, dtype=dtype or self._placeholder.dtype))

    @property
    def shape(self) -> NoReturn:
        """Raises RuntimeError: there is none."""
        raise RuntimeError(_NO_SHAPE)

    @property
    def _array(self) -> NoReturn:
        """What every operator reads first, and is refused."""
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {_caller()}. This error happens when "
            "you are using a `LazyModule` or explicitly manipulating "
            f"`torch.nn.parameter.{type(self).__name__}` objects. When using LazyModules Call "
            "`forward` with a dummy batch to initialize the parameters before calling torch "
            "functions"
        )

    @property
    def data(self) -> Tensor:
        """The placeholder; what is assigned takes its place, and so gives the dtype."""
        return self._placeholder

    @data.setter
    def data(self, value: Tensor) -> None:
        self._placeholder = value

    @property
    def dtype(self) -> Any:
        """The dtype that `materialize` gives."""
        return self._placeholder.dtype

    to, type, cpu, cuda = map(_of_dtype, ("to", "type", "cpu", "cuda"))
    half, bfloat16, float, double = map(_of_dtype, ("half", "bfloat16", "float", "double"))
    is_floating_point, is_complex = map(_of_dtype, ("is_floating_point", "is_complex"))

    def share_memory_(self) -> NoReturn:
        """Raises RuntimeError: there is no memory."""
        raise RuntimeError(_NO_MEMORY)

    def __repr__(self, **options: Any) -> str:
        return f"<{type(self).__name__}>"


def become(lazy: Any, made: Tensor) -> None:
    """Turn `lazy`, in place, into a tensor of its `cls_to_become` over the memory of `made`."""
    requires_grad = lazy.requires_grad
    del lazy._placeholder
    lazy.__class__ = lazy.cls_to_become
    lazy._array, lazy._counter = made._array, made._counter
    mark(lazy)
    set_requires(lazy, requires_grad)


def _without_shape(cls: Any, requires_grad: bool, device: Any, dtype: Any) -> Any:
    made = object.__new__(cls)
    made._placeholder = empty(0, device=device, dtype=dtype)
    made._counter = made._placeholder._counter
    made._requires_grad = requires_grad
    return made


def _caller() -> str:
    """The function that met the tensor: of those the program runs in, the last outside of nn."""
    frame: Any = sys._getframe(2)
    while (around := frame.f_back) is not None:
        name = around.f_globals.get("__name__", "")
        if not name.startswith("seegrad.") or name.startswith("seegrad.nn."):
            break
        frame = around
    return f"<function {frame.f_code.co_name}>"


class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc]
    """A Parameter that gets its shape later, by `materialize`.

    >>> import seegrad as torch
    >>> torch.nn.parameter.UninitializedParameter()
    <UninitializedParameter>
    """

    cls_to_become = Parameter

    def __new__(
        cls, requires_grad: bool = True, device: Any = None, dtype: Any = None
    ) -> "UninitializedParameter":
        """A leaf of this dtype, without a shape."""
        return _without_shape(cls, requires_grad, device, dtype)  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: dict[int, Any]) -> "UninitializedParameter":
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, None, self.dtype)
        return memo[id(self)]  # type: ignore[no-any-return]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return UninitializedParameter, (self.requires_grad, None, self.dtype)


class UninitializedBuffer(UninitializedTensorMixin, Tensor):  # type: ignore[misc]
    """A buffer that gets its shape later, by `materialize`.

    >>> import seegrad as torch
    >>> torch.nn.parameter.UninitializedBuffer()
    <UninitializedBuffer>
    """

    cls_to_become = Tensor

    def __new__(
        cls,
        requires_grad: bool = False,
        device: Any = None,
        dtype: Any = None,
        persistent: bool = True,
    ) -> "UninitializedBuffer":
        """A tensor of this dtype, without a shape."""
        made = _without_shape(cls, requires_grad, device, dtype)
        made.persistent, made._is_buffer = persistent, True
        return made  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: dict[int, Any]) -> "UninitializedBuffer":
        if id(self) not in memo:
            memo[id(self)] = type(self)(
                self.requires_grad, None, self.dtype, getattr(self, "persistent", True)
            )
        return memo[id(self)]  # type: ignore[no-any-return]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return UninitializedBuffer, (self.requires_grad, None, self.dtype)


keep_quiet(UninitializedParameter)
keep_quiet(UninitializedBuffer)
