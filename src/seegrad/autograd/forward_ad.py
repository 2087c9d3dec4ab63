"""Forward mode: `torch.autograd.forward_ad`, derivatives in one direction beside the values.

Inside of a level a dual tensor carries a tangent, and so does whatever is computed from it.

>>> import seegrad as torch
>>> from seegrad.autograd import forward_ad
>>> x, direction = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0])
>>> with forward_ad.dual_level():
...     y = forward_ad.make_dual(x, direction) ** 3
...     forward_ad.unpack_dual(y).tangent
tensor([3., 0.])
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from seegrad.autograd.grad_mode import Mode, Setting
from seegrad.graph.levels import Level, close_level, is_enabled, open_level
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase
from seegrad.operators.signatures import type_name
from seegrad.tensor.duals import dual, primal_of, refuse_tangent, tangent_at

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]

NO_LEVEL = (
    "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
    "enter_dual_level() first."
)

_current_level = -1
_levels: list[Level] = []  # the open ones; more than one are of transformations of `torch.func`
_inner: set[int] = set()  # the numbers of those


class UnpackedDualTensor(NamedTuple):
    """What `unpack_dual` returns: the value, and the tangent or None."""

    primal: Any
    tangent: Any


def enter_dual_level() -> int:
    """Opens a level, which the other functions use; its number is returned.

    Raises RuntimeError inside of another one: `torch.func.jvp` may be nested.
    """
    global _current_level
    if _levels:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _levels.append(open_level())
    _current_level = 0
    return 0


@contextmanager
def inner_level() -> Iterator[Level]:
    """A level of a transformation of `torch.func`, which may stand inside of others of its kind.

    Inside, the functions of this module speak of it.
    """
    global _current_level
    if any(level.number not in _inner for level in _levels):
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    level = open_level()
    _levels.append(level)
    _inner.add(level.number)
    _current_level = 0
    try:
        yield level
    finally:
        close_level(level)
        _levels.remove(level)
        _inner.discard(level.number)
        _current_level = 0 if _levels else -1


def exit_dual_level(*, level: int | None = None) -> None:
    """Closes the level, and takes all tangents of it away.

    Raises RuntimeError where no level is open, or `level` is another one.
    """
    global _current_level
    if level is None:
        level = _current_level
    if level < 0:
        raise RuntimeError("Dual level must be a positive number.")
    if level != _current_level:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This "
            "is not supported."
        )
    close_level(_levels.pop())
    _current_level = -1


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Any:
    """Returns a view of `tensor` that carries `tangent`.

    A tangent that lies in memory as the tensor does is taken itself, any other is copied.

    Raises RuntimeError where no level is open, where the shapes differ, and where either carries a
    tangent already; ValueError for what is not floating point or complex.

    >>> import seegrad as torch
    >>> from seegrad.autograd import forward_ad
    >>> with forward_ad.dual_level():
    ...     forward_ad.make_dual(torch.ones(2), torch.tensor([0.0, 1.0]))
    tensor([1., 1.], tangent=tensor([0., 1.]))
    """
    found = _current_level if level is None else level
    if found < 0:
        raise RuntimeError(NO_LEVEL)
    expect_differentiable(tensor, tangent)
    if found != _current_level:
        raise RuntimeError("Invalid level given to _make_dual")
    refuse_tangent(tensor, tangent, _levels[-1], found)
    return dual(tensor, tangent, _levels[-1])


def expect_differentiable(tensor: Any, tangent: Any) -> None:
    """Raises ValueError for what is not floating point or complex."""
    for name, one in (("primal", tensor), ("tangent", tangent)):
        if not (one.is_floating_point() or one.is_complex()):
            raise ValueError(
                f"Expected {name} to be floating point or complex, but got: {one.dtype}"
            )


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """Returns the value, as a view, and the tangent of `tensor`, None where it carries none.

    >>> import seegrad as torch
    >>> from seegrad.autograd import forward_ad
    >>> with forward_ad.dual_level():
    ...     y = forward_ad.make_dual(torch.tensor(2.0), torch.tensor(1.0)) * 5
    ...     forward_ad.unpack_dual(y)
    UnpackedDualTensor(primal=tensor(10.), tangent=tensor(5.))
    """
    found = _current_level if level is None else level
    if found < 0:
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, TensorBase):
        raise TypeError(
            f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {type_name(tensor)}"
        )
    if found != _current_level:
        raise RuntimeError("Invalid level given to _fw_primal")
    return UnpackedDualTensor(primal_of(tensor, _levels[-1]), tangent_at(tensor, _levels[-1]))


class dual_level(Mode):
    """A level of forward mode, for a `with` block; a decorator too.

    >>> import seegrad as torch
    >>> with torch.autograd.forward_ad.dual_level() as number:
    ...     number
    0
    """

    def __enter__(self) -> int:  # type: ignore[override]
        return enter_dual_level()

    def __exit__(self, *_: object) -> None:
        exit_dual_level()


def _is_fwd_grad_enabled() -> bool:
    return is_enabled()


class _set_fwd_grad_enabled(Setting):
    """Switches forward mode at once; as a context manager restores it at the end."""

    setter = "_set_fwd_grad_enabled"

    @staticmethod
    def is_on() -> bool:
        """Whether results get tangents."""
        return _is_fwd_grad_enabled()

    @staticmethod
    def switch(mode: bool) -> None:
        """Switches forward mode."""
        thread.state.without_tangents = not mode
