"""Random tensors with PyTorch's numbers, and the methods that fill a tensor with them."""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from seegrad.arrays import dtypes, generators
from seegrad.arrays.dtypes import get_default_dtype
from seegrad.arrays.multinomial import multinomial as draw_multinomial
from seegrad.arrays.normal import normal as draw_normal
from seegrad.arrays.random import EXACT_BITS, integers, permutation, uniform
from seegrad.arrays.random import bernoulli as draw_bernoulli
from seegrad.device import device as Device
from seegrad.graph.recorded import recorded as op
from seegrad.graph.state import recording, thread
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.ops.calls import public
from seegrad.ops.grids import common_shape
from seegrad.ops.out import into
from seegrad.tensor.creation import as_dtype, finished, size_of
from seegrad.tensor.filling import FillingMethods, alike, drawn_like, into_out, made, normal_of

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "SamplingMethods",
    "bernoulli",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "multinomial",
    "normal",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "seed",
    "set_rng_state",
    "thread_safe_generator",
]


class Generator(generators.Generator):
    """A stream of random numbers, the same as PyTorch's for the same seed.

    Raises RuntimeError for devices other than the CPU.

    >>> import seegrad as torch
    >>> generator = torch.Generator().manual_seed(0)
    >>> torch.rand(2, generator=generator)
    tensor([0.4963, 0.7682])
    """

    @property
    def device(self) -> Any:
        """The device that draws, always the CPU."""
        return Device("cpu")

    def get_state(self) -> Any:
        """The state, a uint8 tensor of shape (5056,), byte for byte PyTorch's."""
        return finished(super().get_state())

    def set_state(self, new_state: Any) -> Generator:
        """Goes to a state that `get_state` returned; returns the generator.

        Raises TypeError for what is no tensor of bytes, RuntimeError for one of another size.
        """
        super().set_state(new_state._array if isinstance(new_state, TensorBase) else new_state)
        return self

    def graphsafe_get_state(self) -> Any:
        """Raises NotImplementedError: only generators of a GPU share their state."""
        raise NotImplementedError("graphsafe_get_state is not supported in this Generator")

    def graphsafe_set_state(self, state: Any) -> Any:
        """Raises NotImplementedError: only generators of a GPU share their state."""
        if not isinstance(state, Generator):
            raise TypeError(f"expected a Generator, but got {type(state).__name__}")
        raise NotImplementedError("graphsafe_set_state is not supported in this Generator")

    def get_offset(self) -> Any:
        """Raises RuntimeError: only generators of a GPU have an offset."""
        raise RuntimeError("CPU Generator does not use offset")

    def set_offset(self, offset: int) -> Any:
        """Raises RuntimeError: only generators of a GPU have an offset."""
        raise RuntimeError("CPU Generator does not use offset")

    def __setstate__(self, state: tuple[int, Any, Any]) -> None:
        """As files have it: seed, offset (of other devices), state."""
        self.set_state(state[2])

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"


# The stream of the arrays' floor gets its face here: it is one object for both.
generators.default_generator.__class__ = Generator
default_generator = cast(Generator, generators.default_generator)


def manual_seed(seed: Any) -> Generator:
    """Starts the default stream of random numbers at `seed`; returns its generator.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    default_generator.manual_seed(int(seed))
    return default_generator


def seed() -> int:
    """Starts the default stream at a seed from the operating system, which is returned.

    >>> import seegrad as torch
    >>> torch.seed() >= 0
    True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """The seed at which the default stream was started.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(3)
    >>> torch.initial_seed()
    3
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default stream, uint8.

    >>> import seegrad as torch
    >>> state = torch.get_rng_state()
    >>> torch.set_rng_state(state)
    """
    state: Tensor = default_generator.get_state()
    return state


def set_rng_state(new_state: Any) -> None:
    """Sets the state of the default stream.

    >>> import seegrad as torch
    >>> torch.set_rng_state(torch.get_rng_state())
    """
    default_generator.set_state(new_state)


def thread_safe_generator() -> Generator | None:
    """The generator of a DataLoader's worker that is a thread; None elsewhere, so always here.

    >>> import seegrad as torch
    >>> torch.rand(2, generator=torch.thread_safe_generator()).shape
    torch.Size([2])
    """
    return None


def kind_of(dtype: Any) -> Any:
    """The NumPy dtype, the default one for None."""
    return (as_dtype(dtype) or get_default_dtype()).numpy


def rand(
    *size: Any,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    **named: Any,
) -> Tensor:
    """Numbers evenly distributed in [0, 1).

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.rand(3)
    tensor([0.4963, 0.7682, 0.0885])
    """
    shape, draw = given_size("rand", size, named), partial(uniform, generator)
    return made("rand", draw, shape, kind_for(dtype, out), requires_grad, device, out)


def randn(
    *size: Any,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    **named: Any,
) -> Tensor:
    """Numbers of the standard normal distribution.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    shape, draw = given_size("randn", size, named), standard_normal(generator, out)
    return made("randn", draw, shape, kind_for(dtype, out), requires_grad, device, out)


def given_size(name: str, size: tuple[Any, ...], named: dict[str, Any]) -> tuple[int, ...]:
    """The shape out of `rand(2, 3)`, `rand((2, 3))` and `rand(size=(2, 3))`."""
    unknown = next((key for key in named if key != "size"), None)
    if unknown is not None:
        raise TypeError(f"{name}() got an unexpected keyword argument '{unknown}'")
    if not size and "size" not in named:
        raise TypeError(f"{name}() received an invalid combination of arguments - got ()")
    return size_of(name, size, named.get("size"))


def kind_for(dtype: Any, out: Any) -> Any:
    """The NumPy dtype that is drawn, which has to be that of `out` where there is one."""
    if out is not None and as_dtype(dtype) not in (None, out.dtype):
        wanted = dtype.scalar_name
        raise RuntimeError(
            f"dtype {wanted} does not match dtype of out parameter ({out.dtype.scalar_name})"
        )
    return kind_of(dtype)


def standard_normal(generator: Any, out: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    """How normal numbers are drawn for a new tensor, or for `out`."""
    if out is None:
        return partial(draw_normal, generator, mean=mean, std=std)
    return lambda shape, kind: normal_of(generator, out._array, mean, std)(shape, kind)


def randint(
    *args: Any,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    **named: Any,
) -> Tensor:
    """Integers from `low` (default 0) to before `high`.

    Called as `randint(high, size)` or `randint(low, high, size)`.

    Raises RuntimeError for an empty range.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.randint(10, (3,))
    tensor([4, 9, 3])
    """
    bounds = [a for a in args if not isinstance(a, (tuple, list))]
    sizes = [a for a in args if isinstance(a, (tuple, list))]
    size = named.get("size", sizes[0] if sizes else None)
    if size is None:
        raise TypeError(
            f"randint(): argument 'size' (position {len(args)}) must be tuple of ints, not int"
        )
    low, high = named.get("low"), named.get("high")
    if low is None:
        low = bounds.pop(0) if len(bounds) + (high is not None) > 1 else 0
    high = bounds.pop(0) if high is None else high
    draw = integers_between(low, high, generator)
    shape = size_of("randint", (size,))
    kind = kind_of(dtype or dtypes.NAMES["int64"])
    return made("randint", draw, shape, kind, requires_grad, device, out)


def integers_between(low: Any, high: Any, generator: Any) -> Any:
    """How integers from `low` to before `high` are drawn; raises TypeError for other numbers."""
    for bound in (low, high):
        if isinstance(bound, float):
            raise TypeError("randint() received an invalid combination of arguments - got float")
        if not -(2**63) <= int(bound) < 2**63:
            raise ValueError("Overflow when unpacking long long")
    return lambda shape, kind: integers(generator, int(low), int(high), shape, kind)


@public
def randperm(
    n: int,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """The numbers 0 to n - 1 in random order.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.randperm(4)
    tensor([0, 1, 3, 2])
    """
    kind = out.dtype if out is not None else as_dtype(dtype) or dtypes.NAMES["int64"]
    draw = partial(permutation_of, generator)
    return made("randperm", draw, (operator.index(n),), kind.numpy, requires_grad, device, out)


def permutation_of(generator: Any, shape: tuple[int, ...], kind: Any) -> Any:
    """The numbers before the one in `shape` in random order; raises where the type lacks some."""
    (n,), of = shape, dtypes.from_numpy(kind)
    if of.scalar_name == "Bool" or of.is_complex:
        raise NotImplementedError(f"\"randperm\" not implemented for '{of.scalar_name}'")
    bits = EXACT_BITS.get(of)
    if bits is not None and n > 2**bits + 1 and of is not dtypes.bfloat16:
        raise RuntimeError(f"n cannot be greater than {2**bits + 1} for {of.scalar_name} type.")
    if bits is None:
        dtypes.checked_number(n, kind)
    return permutation(generator, n).astype(kind)


def rand_like(
    input: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: Any = None,
    generator: Any = None,
) -> Tensor:
    """`rand` of the shape, dtype and order in memory of `input`.

    >>> import seegrad as torch
    >>> torch.rand_like(torch.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    draw = partial(uniform, generator)
    return alike(lambda _: draw, input, dtype, device, requires_grad, memory_format)


def randn_like(
    input: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: Any = None,
    generator: Any = None,
) -> Tensor:
    """`randn` of the shape, dtype and order in memory of `input`.

    >>> import seegrad as torch
    >>> torch.randn_like(torch.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    draw_for = partial(normal_of, generator)
    return alike(draw_for, input, dtype, device, requires_grad, memory_format)


def randint_like(
    input: Any,
    *bounds: int,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: Any = None,
    generator: Any = None,
    **named: int,
) -> Tensor:
    """`randint` of the shape, dtype and order in memory of `input`.

    >>> import seegrad as torch
    >>> torch.randint_like(torch.ones(2, 3), 5).shape
    torch.Size([2, 3])
    """
    given = [*bounds, *([named["high"]] if "high" in named else [])]
    low = named.get("low", given[0] if len(given) > 1 else 0)
    draw = integers_between(low, given[-1], generator)
    return alike(lambda _: draw, input, dtype, device, requires_grad, memory_format)


@public
def normal(
    mean: Any,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Normal numbers with the given means and standard deviations.

    These are numbers, with a `size`, or tensors, which get the gradient zero.

    >>> import seegrad as torch
    >>> torch.normal(0.0, 1.0, (2, 3)).shape
    torch.Size([2, 3])
    """
    if not isinstance(mean, TensorBase) and not isinstance(std, TensorBase):
        if not isinstance(size, tuple | list):
            kinds = ", ".join(type(v).__name__ for v in (mean, std, size) if v is not None)
            raise TypeError(
                f"normal() received an invalid combination of arguments - got ({kinds})"
            )
        draw = standard_normal(generator, out, float(mean), float(std))
        kind = kind_for(dtype, out)
        return made("normal", draw, size_of("normal", (size,)), kind, requires_grad, device, out)
    if out is None:
        around: Tensor = normal_around(mean, std, generator)
    else:
        around = into(out, "normal", partial(normal_around, like=out), mean, std, generator)
    return around


def normal_around(mean: Any, std: Any, generator: Any, like: Any = None) -> Any:
    """Normal numbers, of which one of mean and standard deviation is a tensor, or both are.

    Rounded after every step, as PyTorch does; `like` is the tensor they will be written to.
    """
    check_deviation(std)
    shape = common_shape([v._array.shape for v in (mean, std) if isinstance(v, TensorBase)])
    kind = (mean if isinstance(mean, TensorBase) else std)._array.dtype
    array = np.empty(shape, kind)
    if like is not None and like._array.shape == shape:
        array = like._array
    scale = std if not isinstance(std, TensorBase) else 1.0
    noise = wrap(drawn_like(array, normal_of(generator, array, 0.0, float(scale))).astype(kind))
    with recording(False):
        if isinstance(std, TensorBase):
            noise = op.mul(noise, std).to(noise.dtype)
        drawn = op.add(noise, mean).to(noise.dtype)._array
    if not isinstance(std, TensorBase):
        return op.normal_mean(mean, drawn)
    both = isinstance(mean, TensorBase)
    return op.normal(mean, std, drawn) if both else op.normal_std(std, drawn)


def check_deviation(std: Any) -> None:
    """Standard deviations are real and not negative."""
    if not isinstance(std, TensorBase):
        if std < 0:
            raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
        return
    if std._array.dtype.kind == "c":
        raise RuntimeError("normal expects standard deviation to be non-complex")
    if (std._array < 0).any():
        raise RuntimeError("normal expects all elements of std >= 0.0")


@public
def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None, out: Any = None) -> Tensor:
    """Ones with the probabilities in `input` (or `p`), else zeros, in the dtype of `input`.

    >>> import seegrad as torch
    >>> torch.bernoulli(torch.ones(3))
    tensor([1., 1., 1.])
    """
    if out is not None:
        into_out("bernoulli", out, tuple(input.shape))
        with recording(False):
            written: Tensor = out.bernoulli_(input if p is None else p, generator=generator)
        return written
    array, chance = input._array, input._array if p is None else p
    drawn = np.asarray(draw_bernoulli(generator, chance, array.shape, array.dtype))
    one: Tensor = op.bernoulli(input, drawn) if p is None else op.bernoulli_p(input, drawn)
    return one


@public
def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Any = None,
    out: Any = None,
) -> Tensor:
    """Indices drawn with the weights in `input`, a row (or one vector) at a time, int64.

    Raises RuntimeError for weights that are negative or all zero, or too few without replacement.

    >>> import seegrad as torch
    >>> torch.multinomial(torch.tensor([0.0, 1.0]), 1)
    tensor([1])
    """
    if out is not None and out.dtype.scalar_name != "Long":
        raise RuntimeError(f"multinomial expects Long tensor out, got: {out.dtype.scalar_name}")
    count = operator.index(num_samples)
    drawn = thread.state.quiet(draw_multinomial, generator, input._array, count, replacement)
    return finished(drawn, out=out)


class SamplingMethods(FillingMethods):
    """The methods that draw by the numbers in a tensor, and those that fill it."""

    bernoulli = bernoulli
    multinomial = multinomial
