"""Random tensors with PyTorch's numbers, and the methods that fill a tensor with them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from seegrad.arrays import dtypes, generators
from seegrad.arrays.dtypes import get_default_dtype
from seegrad.arrays.multinomial import multinomial as draw_multinomial
from seegrad.arrays.normal import log_normal
from seegrad.arrays.normal import normal as draw_normal
from seegrad.arrays.random import bernoulli as draw_bernoulli
from seegrad.arrays.random import (
    cauchy,
    exponential,
    geometric,
    integers,
    integers_full,
    permutation,
    uniform,
)
from seegrad.graph.recorded import recorded as op
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.graph.versions import is_inference
from seegrad.ops.grids import common_shape
from seegrad.ops.out import into
from seegrad.tensor.creation import as_dtype, finished, size_of

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
]


class Generator(generators.Generator):
    """A stream of random numbers, the same as PyTorch's for the same seed.

    Raises RuntimeError for devices other than the CPU.

    >>> import seegrad as torch
    >>> generator = torch.Generator().manual_seed(0)
    >>> torch.rand(2, generator=generator)
    tensor([0.4963, 0.7682])
    """

    def get_state(self) -> Any:
        """The state, a uint8 tensor of shape (5056,), byte for byte PyTorch's."""
        return finished(super().get_state())

    def set_state(self, new_state: Any) -> Generator:
        """Goes to a state that `get_state` returned; returns the generator.

        Raises TypeError for what is no tensor of bytes, RuntimeError for one of another size.
        """
        super().set_state(new_state._array if isinstance(new_state, TensorBase) else new_state)
        return self

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
    shape = size_of("rand", size, named.get("size"))
    return finished(uniform(generator, shape, kind_of(dtype)), requires_grad, device, out)


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
    shape = size_of("randn", size, named.get("size"))
    return finished(draw_normal(generator, shape, kind_of(dtype)), requires_grad, device, out)


def randint(
    *args: Any,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
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
        raise TypeError("randint() missing the argument 'size', a tuple of ints")
    low, high = named.get("low"), named.get("high")
    if low is None:
        low = bounds.pop(0) if len(bounds) + (high is not None) > 1 else 0
    high = bounds.pop(0) if high is None else high
    kind = (as_dtype(dtype) or dtypes.NAMES["int64"]).numpy
    array = integers(generator, int(low), int(high), size_of("randint", (size,)), kind)
    return finished(array, requires_grad, device, out)


def randperm(
    n: int,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
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
    kind = (as_dtype(dtype) or dtypes.NAMES["int64"]).numpy
    return finished(permutation(generator, n).astype(kind), requires_grad, device, out)


def rand_like(
    input: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
    generator: Any = None,
) -> Tensor:
    """`rand` of the shape and dtype of `input`.

    >>> import seegrad as torch
    >>> torch.rand_like(torch.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    return rand(
        *input.shape,
        dtype=as_dtype(dtype) or input.dtype,
        device=device,
        requires_grad=requires_grad,
        generator=generator,
        size=input.shape,
    )


def randn_like(
    input: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
    generator: Any = None,
) -> Tensor:
    """`randn` of the shape and dtype of `input`.

    >>> import seegrad as torch
    >>> torch.randn_like(torch.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    return randn(
        dtype=as_dtype(dtype) or input.dtype,
        device=device,
        requires_grad=requires_grad,
        generator=generator,
        size=input.shape,
    )


def randint_like(input: Any, *bounds: int, dtype: Any = None, **options: Any) -> Tensor:
    """`randint` of the shape and dtype of `input`.

    >>> import seegrad as torch
    >>> torch.randint_like(torch.ones(2, 3), 5).shape
    torch.Size([2, 3])
    """
    return randint(*bounds, tuple(input.shape), dtype=as_dtype(dtype) or input.dtype, **options)


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
        shape = size_of("normal", (size,))
        array = draw_normal(generator, shape, kind_of(dtype), float(mean), float(std))
        return finished(array, requires_grad, device, out)
    if out is None:
        made: Tensor = normal_around(mean, std, generator)
    else:
        made = into(out, "normal", normal_around, mean, std, generator)
    return made


def normal_around(mean: Any, std: Any, generator: Any) -> Any:
    """Normal numbers, of which one of mean and standard deviation is a tensor, or both are."""
    middle, width = (np.asarray(getattr(v, "_array", v)) for v in (mean, std))
    check_deviation(std, width)
    shape = common_shape([middle.shape, width.shape])
    like = middle if isinstance(mean, TensorBase) else width
    noise = draw_normal(generator, shape, like.dtype)
    drawn = np.asarray(noise * width + middle).astype(like.dtype)
    if not isinstance(std, TensorBase):
        return op.normal_mean(mean, drawn)
    return op.normal(mean, std, drawn) if like is middle else op.normal_std(std, drawn)


def check_deviation(std: Any, width: Any) -> None:
    """Standard deviations are real and not negative."""
    if width.dtype.kind == "c":
        raise RuntimeError("normal expects standard deviation to be non-complex")
    if (width < 0).any():
        single = not isinstance(std, TensorBase)
        raise RuntimeError(
            f"normal expects std >= 0.0, but found std {std:g}"
            if single
            else "normal expects all elements of std >= 0.0"
        )


def bernoulli(input: Any, p: Any = None, *, generator: Any = None, out: Any = None) -> Tensor:
    """Ones with the probabilities in `input` (or `p`), else zeros, in the dtype of `input`.

    >>> import seegrad as torch
    >>> torch.bernoulli(torch.ones(3))
    tensor([1., 1., 1.])
    """
    if out is not None:
        call = partial(bernoulli, generator=generator)
        written: Tensor = into(out, "bernoulli", call, input, p)
        return written
    array, chance = input._array, input._array if p is None else p
    drawn = np.asarray(draw_bernoulli(generator, chance, array.shape, array.dtype))
    made: Tensor = op.bernoulli(input, drawn) if p is None else op.bernoulli_p(input, drawn)
    return made


def fill(self: Any, array: Any) -> Any:
    """Writes drawn numbers into a tensor, in place; the gradient of what was there is zero."""
    drawn = wrap(array)
    if is_inference(self):
        drawn._counter = self._counter  # nothing normal stands beside it
    op.copy_(self, drawn)
    return self


def multinomial(
    input: Any,
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
    drawn = draw_multinomial(generator, input._array, num_samples, replacement)
    return finished(drawn, out=out)


class SamplingMethods(TensorBase):
    """The methods that fill a tensor with random numbers."""

    bernoulli = bernoulli
    multinomial = multinomial

    def uniform_(
        self, from_: float = 0.0, to: float = 1.0, *, generator: Any = None, **named: Any
    ) -> Any:
        """Fills the tensor with numbers evenly distributed in [from, to)."""
        low = named.get("from", from_)
        drawn = uniform(generator, self._array.shape, self._array.dtype, float(low), float(to))
        return fill(self, drawn)

    def normal_(self, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
        """Fills the tensor with normal numbers."""
        contiguous = self._array.flags.c_contiguous
        drawn = draw_normal(
            generator,
            self._array.shape,
            self._array.dtype,
            float(mean),
            float(std),
            contiguous=contiguous,
        )
        return fill(self, drawn)

    def bernoulli_(self, p: Any = 0.5, *, generator: Any = None) -> Any:
        """Fills the tensor with ones of probability `p`, else zeros."""
        chance = p._array if isinstance(p, TensorBase) else float(p)
        return fill(self, draw_bernoulli(generator, chance, self._array.shape, self._array.dtype))

    def random_(self, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Any:
        """Fills the tensor with integers from `from_` to before `to`, or of the whole type."""
        shape, kind = self._array.shape, self._array.dtype
        if to is None and from_:
            from_, to = 0, from_
        if to is None:
            return fill(self, integers_full(generator, shape, kind))
        return fill(self, integers(generator, int(from_), int(to), shape, kind))

    def exponential_(self, lambd: float = 1.0, *, generator: Any = None) -> Any:
        """Fills the tensor with numbers of the exponential distribution of rate `lambd`."""
        return fill(
            self, exponential(generator, self._array.shape, self._array.dtype, float(lambd))
        )

    def cauchy_(self, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Any:
        """Fills the tensor with numbers of Cauchy's distribution."""
        bounds = float(median), float(sigma)
        return fill(self, cauchy(generator, self._array.shape, self._array.dtype, *bounds))

    def geometric_(self, p: float, *, generator: Any = None) -> Any:
        """Fills the tensor with numbers of trials until one of probability `p` succeeds."""
        return fill(self, geometric(generator, self._array.shape, self._array.dtype, float(p)))

    def log_normal_(self, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Any:
        """Fills the tensor with numbers whose logarithms are normally distributed."""
        widths = float(mean), float(std)
        return fill(self, log_normal(generator, self._array.shape, self._array.dtype, *widths))
