"""How the operator database is written: an entry is one callable with its samples.

    Entry("lerp", function("lerp"), samples(lerp_samples), operators="lerp_scalar lerp_tensor")
    unary("exp", complex=True)                     # standard samples, one line
    binary("atan2", domain=(-2.0, 2.0))

`call(torch, *args, **kwargs)` is given the library, which is seegrad or PyTorch, so that one entry
serves both. A float array in a sample becomes a tensor that requires a gradient, an array of ints
or bools a tensor that does not, a list of arrays a list of tensors; other Python values stay.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

Call = Callable[..., Any]
Domain = tuple[float, float]

WHOLE_LINE: Domain = (-2.0, 2.0)
POSITIVE: Domain = (0.3, 3.0)


class Sample:
    """The arguments of one call."""

    __slots__ = ("args", "kwargs")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.kwargs = kwargs


@dataclass(frozen=True)
class Entry:
    """One callable, its samples, and what may be asked of it."""

    name: str
    call: Call
    samples: tuple[Sample, ...]
    operators: str
    """The registered operators that the samples reach, separated by spaces."""
    complex: bool = False
    """Float arrays may be complex: values and gradients are compared in complex128 too."""
    half: bool = True
    """float16 and bfloat16 are compared too."""
    half_ulps: int = 1
    """How many units in the last place a half-precision result may be off."""
    first: bool = True
    """The result depends on the inputs differentiably."""
    second: bool = True
    """The gradient is differentiable too."""
    integer: bool = False
    """Float arrays may be int64: values and dtypes are compared."""
    inplace: str | None = None
    """The method that does the same in place, as `exp_`."""
    single: bool = True
    """float32 is compared."""
    tolerance: float = 1.0
    """A factor on the tolerances in float64 and float32, for badly conditioned functions."""
    gradcheck: bool = True
    """Finite differences make sense at the samples (no kinks)."""


def function(path: str) -> Call:
    """The public function at a path in the library: `function("nn.functional.relu")`."""
    find = attrgetter(path)
    return lambda torch, *args, **kwargs: find(torch)(*args, **kwargs)


def method(name: str) -> Call:
    """A method of the first argument: `method("view")`."""
    return lambda torch, self, *args, **kwargs: getattr(self, name)(*args, **kwargs)


def numbers(*shape: int, domain: Domain = WHOLE_LINE, seed: int = 0) -> NDArray[np.float64]:
    """Float numbers of a domain: well apart, without ties, the same in every run."""
    size = int(np.prod(shape))
    low, high = domain
    steps = (np.arange(size) + 0.41 + 0.13 * (seed % 5)) / max(size + 1, 2)
    order = np.random.default_rng(seed + size).permutation(size)
    return np.asarray(low + (high - low) * steps[order], np.float64).reshape(shape)


def unary_samples(domain: Domain = WHOLE_LINE) -> tuple[Sample, ...]:
    """A matrix, a 0-d tensor and an empty one."""
    return (
        Sample(numbers(2, 3, domain=domain)),
        Sample(numbers(domain=domain, seed=3)),
        Sample(numbers(0, 2, domain=domain)),
    )


def binary_samples(
    domain: Domain = WHOLE_LINE, other_domain: Domain | None = None
) -> tuple[Sample, ...]:
    """Equal shapes, both ways of broadcasting, 0-d and empty."""
    other = domain if other_domain is None else other_domain
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((2, 3), (2, 3)),
        ((2, 3), (3,)),
        ((2, 1), (1, 3)),
        ((2, 3), ()),
        ((), (2,)),
        ((), ()),
        ((0, 2), (2,)),
    ]
    return tuple(
        Sample(numbers(*left, domain=domain, seed=1), numbers(*right, domain=other, seed=2))
        for left, right in shapes
    )


def unary(name: str, domain: Domain = WHOLE_LINE, **options: Any) -> Entry:
    """An elementwise function of one tensor; `path` says where it is, if not `torch.<name>`."""
    return _elementwise(name, unary_samples(domain), options)


def binary(
    name: str, domain: Domain = WHOLE_LINE, other_domain: Domain | None = None, **options: Any
) -> Entry:
    """An elementwise function of two tensors with the standard samples."""
    return _elementwise(name, binary_samples(domain, other_domain), options)


def _elementwise(name: str, cases: tuple[Sample, ...], options: dict[str, Any]) -> Entry:
    extra: Iterable[Sample] = options.pop("extra", ())
    call = function(options.pop("path", name))
    options.setdefault("operators", name)
    return Entry(name, call, (*cases, *extra), **options)
