"""`Parameter` and `Buffer`: tensors that a Module registers when they are assigned to it."""

from typing import Any

from seegrad.graph.asked import disabled, keep_quiet, tap
from seegrad.graph.loans import unshare
from seegrad.graph.tensor import mark, set_requires
from seegrad.tensor.creation import empty
from seegrad.tensor.history import check_may_require
from seegrad.tensor.tensor import Tensor

__all__ = ["Buffer", "Parameter"]

_WHOLE_NUMBERS = "Only Tensors of floating point and complex dtype can require gradients"


class _ParameterMeta(type):
    """Tensors marked `_is_param` count as Parameters: subclasses of Tensor keep their class."""

    def __instancecheck__(cls, instance: object) -> bool:
        if type.__instancecheck__(cls, instance):
            return True
        return cls is Parameter and bool(getattr(instance, "_is_param", False))


def of_own_class(data: Any, requires_grad: bool) -> Any:
    """A parameter that keeps its class of tensors, marked as one."""
    made = data.detach().requires_grad_(requires_grad)
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
        return self._reduced()  # without a word on hooks, as in PyTorch: models have them

    def __repr__(self, **options: Any) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__(**options)


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
