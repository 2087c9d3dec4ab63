"""Random arrays from a `Generator`: PyTorch's numbers, to the bit.

Every function takes the generator first (None is the default one), and draws exactly the words
that PyTorch draws, so mixed calls stay in step:

    uniform, float32 and narrower   1 word a number      its low 24 bits
    uniform, float64                2 words a number     the low 53 bits, first word high
    integers, range below 2**28     1 word a number      the remainder by the range
    integers, larger ranges         2 words a number     the remainder by the range
    bernoulli, one probability      2 words a number     a float64 uniform is below it
    bernoulli, an array of them     as uniform of the array's type
    exponential                     2 words a number
    permutation of n                n - 1 words          Fisher-Yates from the front
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import NumpyDtype, dtype
from seegrad.arrays.generators import Generator as Generator
from seegrad.arrays.generators import chosen
from seegrad.arrays.generators import default_generator as default_generator
from seegrad.arrays.limits import finfo, iinfo

Array = np.ndarray[Any, Any]
Shape = Sequence[int]


def not_implemented(kernel: str, of: dtype) -> NoReturn:
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{of.scalar_name}'")


def unit32(generator: Generator, count: int) -> Array:
    """Return float32 numbers in [0, 1), shape (count,)."""
    bits = generator.words(count).astype(np.uint32)
    bits &= np.uint32(2**24 - 1)
    unit: Array = bits.astype(np.float32)
    unit *= np.float32(2**-24)
    return unit


def _pairs(generator: Generator, count: int) -> Array:
    """Return numbers of 64 bits, shape (count,), uint64, each from two words."""
    words = generator.words(2 * count)
    pairs: Array = words[0::2] << np.uint64(32)
    pairs |= words[1::2]
    return pairs


def unit64(generator: Generator, count: int) -> Array:
    """Return float64 numbers in [0, 1), shape (count,)."""
    bits = _pairs(generator, count)
    bits &= np.uint64(2**53 - 1)
    unit: Array = bits.astype(np.float64)
    unit *= 2.0**-53
    return unit


def multiply_add(x: Array, factor: float, term: float) -> Array:
    """Return x * factor + term rounded once, as the processor's instruction does.

    `factor` and `term` are numbers that the type of `x`, float32 or float64, holds exactly.
    """
    if term == 0:
        scaled: Array = x * x.dtype.type(factor)
        return scaled
    if x.dtype == np.float32:
        return (x.astype(np.float64) * factor + term).astype(np.float32)  # the product is exact
    product, product_error = _exact_product(x, np.float64(factor))
    total = product + term
    shift = total - product
    sum_error = (product - (total - shift)) + (term - shift)
    rounded: Array = total + (sum_error + product_error)
    return rounded


def _exact_product(x: Array, y: Any) -> tuple[Array, Array]:
    """Return x * y, float64, and what its rounding lost (Dekker)."""
    product = x * y
    x_high, x_low = _halves(x)
    y_high, y_low = _halves(y)
    error = x_high * y_high - product + x_high * y_low + x_low * y_high + x_low * y_low
    return product, error


def _halves(x: Any) -> tuple[Any, Any]:
    """Split float64 numbers into a high part of 26 bits and the rest."""
    scaled = x * 134217729.0  # 2**27 + 1
    high = scaled - (scaled - x)
    return high, x - high


def uniform(
    generator: Generator | None,
    shape: Shape,
    np_dtype: NumpyDtype,
    low: float = 0.0,
    high: float = 1.0,
) -> Array:
    """Return numbers evenly distributed in [low, high), of any floating or complex type.

    A complex type gets two numbers for each element, real part first.
    Raises `RuntimeError` for bad bounds, `NotImplementedError` for integers.
    """
    of = dtypes.from_numpy(np_dtype)
    if of.is_complex:
        parts = uniform(generator, (*shape, 2), of.to_real().numpy, low, high)
        numbers: Array = parts.view(np_dtype)[..., 0]
        return numbers
    if not of.is_floating_point:
        not_implemented("check_uniform_bounds", of)
    _check_bounds(low, high, of)
    source = unit64 if of is dtypes.float64 else unit32
    unit = source(chosen(generator), math.prod(shape)).reshape(shape)
    if (low, high) != (0, 1):
        start, stop = unit.dtype.type(low), unit.dtype.type(high)
        unit = multiply_add(unit, float(stop - start), float(start))
    return _below(high, low, unit.astype(np_dtype, copy=False))


def _below(high: float, low: float, drawn: Array) -> Array:
    """Put `low` where rounding has reached `high`, which does not belong to the range."""
    drawn = np.asarray(drawn)  # arithmetic makes scalars of 0-d arrays
    first, last = np.array([low, high]).astype(drawn.dtype)
    drawn[drawn == last] = first
    return drawn


def _check_bounds(low: float, high: float, of: dtype) -> None:
    limit = finfo(of).max
    name = dtypes.cpp_type_name(of)
    for bound, value in (("from", low), ("to", high)):
        if not -limit <= value <= limit:
            raise RuntimeError(f"{bound} is out of bounds for {name}")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if high - low > limit:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{of.scalar_name}>::max(), but found "
            f"to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )


def integers(
    generator: Generator | None, low: int, high: int | None, shape: Shape, np_dtype: NumpyDtype
) -> Array:
    """Return integers evenly distributed in [low, high), in any real type.

    Without `high`, up to the largest that the type counts exactly, included. Raises `RuntimeError`
    for an empty range or one that the type cannot hold.
    """
    of = dtypes.from_numpy(np_dtype)
    if high is None and low == -(2**63):
        return _every_integer(generator, shape, of)
    low, high = _checked_range(low, high, of)
    count = math.prod(shape)
    width = high - low
    source = _pairs if width >= 2**28 else Generator.words
    drawn = source(chosen(generator), count)
    drawn %= np.uint64(width)
    drawn += np.uint64(low % 2**64)  # the sum may wrap; read as signed it is right
    numbers: Array = drawn.view(np.int64).astype(np_dtype, copy=False).reshape(shape)
    return numbers


def _every_integer(generator: Generator | None, shape: Shape, of: dtype) -> Array:
    """Return integers of 64 bits, all equally likely."""
    if of not in (dtypes.int64, dtypes.float64, dtypes.float32, dtypes.bfloat16):
        name = "random_full_64_bits_range_kernel_cpu"
        if of.is_complex or of in (dtypes.float16, dtypes.bool_):
            not_implemented(name, of)
        raise RuntimeError(f"{name} handles only int64, double, float and bfloat16")
    drawn = _pairs(chosen(generator), math.prod(shape)).view(np.int64)
    numbers: Array = drawn.astype(of.numpy, copy=False).reshape(shape)
    return numbers


# Up to here every integer has its own floating-point number.
EXACT_BITS: Final = {
    dtypes.float16: 11,
    dtypes.bfloat16: 8,
    dtypes.float32: 24,
    dtypes.float64: 53,
}


def _checked_range(low: int, high: int | None, of: dtype) -> tuple[int, int]:
    """Return the range that is drawn from; a type that is not exact there makes it smaller."""
    if high is not None and low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    if of.is_complex:
        name = "random_from_to_impl" if high is None else "check_random_bounds"
        raise RuntimeError(f"{name} handles only integral, floating-point and boolean types")
    smallest, largest = _limits(of)
    bits = EXACT_BITS.get(of)
    if high is None:
        high = (int(largest) if bits is None else 2**bits) + 1
    elif bits is not None:
        low, high = _representable(low, of, bits, up=True), _representable(high, of, bits)
    for bound, value in (("from", low), ("to - 1", high - 1)):
        if not smallest <= value <= largest:
            raise RuntimeError(f"{bound} is out of bounds for {dtypes.cpp_type_name(of)}")
        if bits is not None and abs(value) > 2**bits:
            _warn_inexact(bound, of, bits)
    return low, high


def _representable(bound: int, of: dtype, bits: int, up: bool = False) -> int:
    """Return a bound past which no number drawn is rounded: one that the type has.

    `up` is for the lower bound. Where the number beside the bound is itself, the bound stays.
    """
    beside = bound + 1 if up else bound - 1
    with np.errstate(over="ignore"):
        rounded = np.array(beside, np.float64).astype(of.numpy).astype(np.float64)
    if not abs(rounded) < 2**63 or (rounded >= bound if up else rounded < bound):
        return bound
    step = 2 ** (abs(beside).bit_length() - bits)
    inside: int = int(rounded) + (step if up else -step)
    return inside


def _limits(of: dtype) -> tuple[float, float]:
    if of.is_floating_point:
        return finfo(of).min, finfo(of).max
    return (0, 1) if of is dtypes.bool_ else (iinfo(of).min, iinfo(of).max)


def _warn_inexact(bound: str, of: dtype, bits: int) -> None:
    warnings.warn(
        f"{bound} is out of bounds [-(2^{bits}), 2^{bits}]. Due to precision limitations "
        f"{dtypes.cpp_type_name(of)} can support discrete uniform distribution only within this "
        "range. This warning will become an error in version 1.7 release, please fix the code in "
        "advance",
        UserWarning,
        stacklevel=5,
    )


def integers_full(generator: Generator | None, shape: Shape, np_dtype: NumpyDtype) -> Array:
    """Return integers from 0 to the largest that the type counts exactly, as `random_()` does.

    Raises `NotImplementedError` for complex types.
    """
    of = dtypes.from_numpy(np_dtype)
    if of.is_complex:
        not_implemented("random_kernel_cpu", of)
    largest = 2 ** EXACT_BITS[of] if of.is_floating_point else int(_limits(of)[1])
    source = _pairs if of in (dtypes.int64, dtypes.float64) else Generator.words
    drawn = source(chosen(generator), math.prod(shape)) % np.uint64(largest + 1)
    numbers: Array = drawn.astype(np_dtype).reshape(shape)
    return numbers


def permutation(generator: Generator | None, n: int) -> Array:
    """Return the numbers 0 to n - 1 in random order, shape (n,), int64.

    Raises `RuntimeError` for negative `n`.
    """
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    steps = np.arange(n, 1, -1, dtype=np.uint64)
    targets = chosen(generator).words(len(steps)) % steps
    targets += np.arange(len(steps), dtype=np.uint64)
    return _exchanged(n, targets)


MANY: Final = 1 << 14  # exchanges; fewer are not worth the import


def _exchanged(n: int, targets: Array) -> Array:
    """Return 0 to n - 1 after each place in its turn was exchanged with its target.

    What is exchanged depends on the exchanges before: a loop, or LAPACK's for rows and pivots.
    """
    if MANY <= n < 2**31:
        from scipy.linalg.lapack import dlaswp

        rows = dlaswp(np.arange(float(n))[:, None], targets.astype(np.int32), overwrite_a=True)
        exchanged: Array = rows[:, 0].astype(np.int64)
        return exchanged
    order = list(range(n))
    for place, target in enumerate(targets.tolist()):
        order[place], order[target] = order[target], order[place]
    return np.array(order, np.int64)


def bernoulli(
    generator: Generator | None, p: float | Array, shape: Shape, np_dtype: NumpyDtype
) -> Array:
    """Return ones with probability `p`, else zeros; `p` is a number or an array, broadcast.

    Raises `RuntimeError` where `p` is not in [0, 1], `NotImplementedError` for complex results and
    for integer arrays `p`.
    """
    of = dtypes.from_numpy(np_dtype)
    count = math.prod(shape)
    if isinstance(p, np.ndarray):
        if not count:
            return np.empty(shape, np_dtype)
        if of.is_complex:
            not_implemented("bernoulli_tensor_cpu_self_", of)
        source = _check_probabilities(p)
        unit: Array = source(chosen(generator), count).reshape(shape)
    else:
        if not 0 <= p <= 1:
            raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
        if of.is_complex and count:
            not_implemented("bernoulli_scalar_cpu_", of)
        unit = unit64(chosen(generator), count).reshape(shape)
    return (unit < p).astype(np_dtype)


def _check_probabilities(p: Array) -> Any:
    """Check the values of `p` and return the source of uniform numbers that PyTorch uses."""
    of = dtypes.from_numpy(p.dtype)
    if not of.is_floating_point:
        not_implemented("bernoulli_tensor_cpu_p_", of)
    if not np.all((p >= 0) & (p <= 1)):
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
            "(Could this error message be improved?  "
            "If so, please report an enhancement request to PyTorch.)"
        )
    return unit64 if of is dtypes.float64 else unit32


def exponential(
    generator: Generator | None, shape: Shape, np_dtype: NumpyDtype, rate: float = 1.0
) -> Array:
    """Return numbers with density rate * exp(-rate * x), of a floating type.

    Raises `RuntimeError` unless `rate` is positive and the type is floating.
    """
    if not rate > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    of = dtypes.from_numpy(np_dtype)
    if not of.is_floating_point:
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {of.scalar_name}"
        )
    drawn = np.log1p(-unit64(chosen(generator), math.prod(shape))) / -rate
    numbers: Array = drawn.astype(np_dtype, copy=False).reshape(shape)
    return numbers


def cauchy(
    generator: Generator | None,
    shape: Shape,
    np_dtype: NumpyDtype,
    median: float = 0.0,
    sigma: float = 1.0,
) -> Array:
    """Return numbers of Cauchy's distribution, of a floating type.

    Raises `RuntimeError` unless `sigma` is positive and the type is floating.
    """
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    of = dtypes.from_numpy(np_dtype)
    if not of.is_floating_point:
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {dtypes.cpp_type_name(of)}"
        )
    unit = unit64(chosen(generator), math.prod(shape))
    drawn = median + sigma * np.tan(np.pi * (unit - 0.5))
    numbers: Array = drawn.astype(np_dtype, copy=False).reshape(shape)
    return numbers


def geometric(generator: Generator | None, shape: Shape, np_dtype: NumpyDtype, p: float) -> Array:
    """Return how many trials there are until one of probability `p` succeeds.

    Raises `RuntimeError` unless `p` is between 0 and 1, `NotImplementedError` for complex and
    bool types.
    """
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    of = dtypes.from_numpy(np_dtype)
    if of.is_complex or of is dtypes.bool_:
        not_implemented("geometric_cpu", of)
    unit = unit64(chosen(generator), math.prod(shape))
    numbers: Array = np.ceil(np.log(unit) / np.log1p(-p)).astype(np_dtype).reshape(shape)
    return numbers
