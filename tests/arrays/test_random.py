"""Random streams: PyTorch's numbers from a seed on, through any mixture of calls."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import dtype
from seegrad.arrays.generators import Generator
from seegrad.arrays.normal import log_normal, normal
from seegrad.arrays.random import (
    bernoulli,
    cauchy,
    default_generator,
    exponential,
    geometric,
    integers,
    integers_full,
    permutation,
    uniform,
)

torch = pytest.importorskip("torch")

FLOATS = [dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64]
COMPLEX = [dtypes.complex64, dtypes.complex128]
REALS = [one for one in dtypes.ALL if not one.is_complex]
SIZES = [*range(41), 100, 1000, 10007]


class Pair:
    """Our generator and PyTorch's, with the same seed."""

    def __init__(self, seed: int = 3) -> None:
        self.ours = Generator().manual_seed(seed)
        self.theirs = torch.Generator().manual_seed(seed)

    def assert_in_step(self) -> None:
        ours = self.ours.get_state()
        np.testing.assert_array_equal(ours, self.theirs.get_state().numpy())


@pytest.fixture
def pair() -> Pair:
    return Pair()


def theirs(of: dtype) -> Any:
    return getattr(torch, of.name)


def numpy(tensor: Any) -> Any:
    if tensor.dtype is torch.bfloat16:
        return tensor.float().numpy().astype(ml_dtypes.bfloat16)
    return tensor.numpy()


def assert_same(ours: Any, expected: Any) -> None:
    expected = numpy(expected)
    assert ours.dtype == expected.dtype
    np.testing.assert_array_equal(ours, expected)


def wide(array: Any) -> Any:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def assert_close(ours: Any, expected: Any, scale: float = 1) -> None:
    """Allow double precision the last places, where NumPy's functions are not the C library's."""
    expected = numpy(expected)
    assert ours.dtype == expected.dtype
    step = float(np.finfo(np.float64).eps) if ours.dtype in ("f8", "c16") else 0.0
    np.testing.assert_allclose(
        wide(ours), wide(expected), rtol=2 * step, atol=2 * step * scale, equal_nan=False
    )


# The generator ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**32 + 5, 2**63 - 1, -1, -5, -(2**63), 2**64 - 1])
def test_seed(seed: int) -> None:
    pair = Pair(seed)
    assert pair.ours.initial_seed() == pair.theirs.initial_seed()
    pair.assert_in_step()
    assert_same(uniform(pair.ours, (700,), np.dtype("f4")), torch.rand(700, generator=pair.theirs))


def test_a_new_generator_has_pytorchs_seed() -> None:
    np.testing.assert_array_equal(Generator().get_state(), torch.Generator().get_state().numpy())


@pytest.mark.parametrize("seed", [2**64, -(2**63) - 1, 1.5, "a", None, True])
def test_bad_seeds_are_refused_as_by_pytorch(seed: Any) -> None:
    with pytest.raises((RuntimeError, ValueError)) as expected:
        torch.Generator().manual_seed(seed)
    with pytest.raises(expected.type) as error:
        Generator().manual_seed(seed)
    assert str(error.value) == str(expected.value)


@pytest.mark.parametrize("draws", [0, 1, 623, 624, 625, 2000])
def test_states_travel_both_ways(pair: Pair, draws: int) -> None:
    uniform(pair.ours, (draws,), np.dtype("f4"))
    normal(pair.ours, (1,), np.dtype("f4"))
    pair.theirs.set_state(torch.from_numpy(pair.ours.get_state()))
    pair.assert_in_step()
    other = Generator()
    other.set_state(pair.theirs.get_state().numpy())
    np.testing.assert_array_equal(other.get_state(), pair.ours.get_state())
    drawn = normal(pair.ours, (3,), np.dtype("f8"))
    np.testing.assert_array_equal(normal(other, (3,), np.dtype("f8")), drawn)
    assert_same(drawn, torch.randn(3, generator=pair.theirs, dtype=torch.float64))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, Generator.clone_state])
def test_copies_are_independent(pair: Pair, copied: Callable[[Generator], Generator]) -> None:
    normal(pair.ours, (3,), np.dtype("f4"))
    other = copied(pair.ours)
    first = normal(other, (5,), np.dtype("f4"))
    np.testing.assert_array_equal(normal(pair.ours, (5,), np.dtype("f4")), first)


def test_pickle(pair: Pair) -> None:
    uniform(pair.ours, (5,), np.dtype("f4"))
    other = pickle.loads(pickle.dumps(pair.ours))
    np.testing.assert_array_equal(other.get_state(), pair.ours.get_state())


@pytest.mark.parametrize("state", ["3", np.zeros(3, np.uint8), np.zeros(5056, np.float32)])
def test_bad_states_are_refused_as_by_pytorch(state: Any) -> None:
    their_state = torch.from_numpy(state) if isinstance(state, np.ndarray) else state
    with pytest.raises((RuntimeError, TypeError)) as expected:
        torch.Generator().set_state(their_state)
    with pytest.raises(expected.type) as error:
        Generator().set_state(state)
    assert str(error.value) == str(expected.value).split("\n")[0]


def test_a_state_of_zeros_is_refused() -> None:
    with pytest.raises(RuntimeError, match=r"^Invalid mt19937 state$"):
        Generator().set_state(np.zeros(5056, np.uint8))


def test_seed_is_unpredictable() -> None:
    generator = Generator()
    assert generator.seed() != generator.seed()
    assert generator.initial_seed() == int.from_bytes(
        generator.get_state()[:8].tobytes(), "little"
    )


def test_other_devices_are_refused() -> None:
    assert str(Generator("cpu:0").device) == "cpu"
    with pytest.raises(RuntimeError, match="CPU only"):
        Generator("cuda")


def test_none_is_the_default_generator() -> None:
    state = default_generator.get_state()
    drawn = uniform(None, (3,), np.dtype("f4"))
    default_generator.set_state(state)
    np.testing.assert_array_equal(uniform(default_generator, (3,), np.dtype("f4")), drawn)


# Distributions ------------------------------------------------------------------------------


@pytest.mark.parametrize("one", FLOATS + COMPLEX, ids=str)
def test_uniform(pair: Pair, one: dtype) -> None:
    for shape in [(), (3,), (0,), (4, 5), (1000,)]:
        expected = torch.rand(shape, dtype=theirs(one), generator=pair.theirs)
        assert_same(uniform(pair.ours, shape, one.numpy), expected)
    pair.assert_in_step()


@pytest.mark.parametrize(
    "bounds", [(-1, 2), (0.1, 0.3), (-0.37, 0.91), (0, 10), (-1e4, 1e-4), (1, 1.0000002)]
)
@pytest.mark.parametrize("one", FLOATS, ids=str)
def test_uniform_between_bounds(pair: Pair, one: dtype, bounds: tuple[float, float]) -> None:
    expected = torch.empty(5000, dtype=theirs(one)).uniform_(*bounds, generator=pair.theirs)
    assert_same(uniform(pair.ours, (5000,), one.numpy, *bounds), expected)


@pytest.mark.parametrize("one", FLOATS + COMPLEX, ids=str)
def test_normal_of_every_size(pair: Pair, one: dtype) -> None:
    for size in SIZES:
        expected = torch.randn(size, dtype=theirs(one), generator=pair.theirs)
        assert_close(normal(pair.ours, (size,), one.numpy), expected)
        pair.assert_in_step()


def test_many_normal_numbers(pair: Pair) -> None:
    expected = torch.randn(100_003, generator=pair.theirs)
    assert_same(normal(pair.ours, (100_003,), np.dtype("f4")), expected)


@pytest.mark.parametrize("size", [0, 1, 3, 15, 16, 100])
@pytest.mark.parametrize("one", FLOATS + COMPLEX, ids=str)
def test_normal_with_mean_and_deviation(pair: Pair, one: dtype, size: int) -> None:
    for mean, std in [(0, 10.0), (1.5, 0.3), (-0.37, 0.0)]:
        tensor = torch.empty(size, dtype=theirs(one))
        expected = tensor.normal_(mean, std, generator=pair.theirs)
        ours = normal(pair.ours, (size,), one.numpy, mean, std)
        assert_close(ours, expected, scale=10)
        pair.assert_in_step()


def test_normal_in_a_tensor_that_is_not_contiguous(pair: Pair) -> None:
    expected = torch.empty(5, 8, dtype=torch.float64).T.normal_(generator=pair.theirs)
    # The order of memory: rows of the tensor before it was transposed.
    assert_same(normal(pair.ours, (5, 8), np.dtype("f8"), contiguous=False), expected.T)
    pair.assert_in_step()


BOUNDS = [(0, 1), (0, 10), (-5, 5), (0, 2**28 - 1), (0, 2**28), (-(2**31), 2**31)]
BOUNDS += [(0, 2**32), (0, 2**63 - 1), (-(2**63), 2**63 - 1)]


@pytest.mark.parametrize("bounds", BOUNDS)
def test_integers(pair: Pair, bounds: tuple[int, int]) -> None:
    expected = torch.randint(*bounds, (7, 30), generator=pair.theirs)
    assert_same(integers(pair.ours, *bounds, (7, 30), np.dtype("i8")), expected)
    pair.assert_in_step()


@pytest.mark.parametrize("one", REALS, ids=str)
def test_integers_of_every_type(pair: Pair, one: dtype) -> None:
    expected = torch.randint(0, 2, (50,), dtype=theirs(one), generator=pair.theirs)
    assert_same(integers(pair.ours, 0, 2, (50,), one.numpy), expected)
    expected = torch.empty(50, dtype=theirs(one)).random_(generator=pair.theirs)
    assert_same(integers_full(pair.ours, (50,), one.numpy), expected)
    pair.assert_in_step()


@pytest.mark.parametrize("n", [0, 1, 2, 10, 1000, 30000])
def test_permutation(pair: Pair, n: int) -> None:
    assert_same(permutation(pair.ours, n), torch.randperm(n, generator=pair.theirs))
    pair.assert_in_step()


@pytest.mark.parametrize("one", FLOATS, ids=str)
def test_bernoulli_of_an_array(pair: Pair, one: dtype) -> None:
    p = np.linspace(0, 1, 500).astype(one.numpy)
    their_p = torch.from_numpy(p.astype(np.float64)).to(theirs(one))
    expected = torch.bernoulli(their_p, generator=pair.theirs)
    assert_same(bernoulli(pair.ours, p, (500,), one.numpy), expected)
    pair.assert_in_step()


def draws_from_an_own_stream() -> bool:
    """Say whether this PyTorch draws Bernoulli numbers by MKL, as it may on some processors."""
    pair = Pair()
    torch.empty(30).bernoulli_(0.5, generator=pair.theirs)
    uniform(pair.ours, (30,), np.dtype("f8"))
    return bool((pair.ours.get_state() != pair.theirs.get_state().numpy()).any())


@pytest.mark.parametrize("one", REALS, ids=str)
def test_bernoulli_of_a_number(pair: Pair, one: dtype) -> None:
    if draws_from_an_own_stream():
        pytest.skip("PyTorch uses another generator on this processor")
    for p in [0.0, 0.3, 0.5, 1.0]:
        expected = torch.empty(400, dtype=theirs(one)).bernoulli_(p, generator=pair.theirs)
        assert_same(bernoulli(pair.ours, p, (400,), one.numpy), expected)
    pair.assert_in_step()


def test_dropout_keeps_where_bernoulli_is_one() -> None:
    if draws_from_an_own_stream():
        pytest.skip("PyTorch uses another generator on this processor")
    torch.manual_seed(5)
    kept = torch.nn.functional.dropout(torch.ones(500), 0.3) != 0
    ours = bernoulli(Generator().manual_seed(5), 1 - 0.3, (500,), np.dtype(bool))
    assert_same(ours, kept)


@pytest.mark.parametrize("one", FLOATS, ids=str)
def test_exponential(pair: Pair, one: dtype) -> None:
    expected = torch.empty(500, dtype=theirs(one)).exponential_(1.5, generator=pair.theirs)
    ours = exponential(pair.ours, (500,), one.numpy, 1.5)
    np.testing.assert_allclose(ours.astype(float), expected.double(), rtol=2 * finfo_eps(one))
    pair.assert_in_step()


@pytest.mark.parametrize("one", FLOATS, ids=str)
def test_cauchy(pair: Pair, one: dtype) -> None:
    expected = torch.empty(500, dtype=theirs(one)).cauchy_(1.5, 0.5, generator=pair.theirs)
    ours = cauchy(pair.ours, (500,), one.numpy, 1.5, 0.5)
    np.testing.assert_allclose(ours.astype(float), expected.double(), rtol=2 * finfo_eps(one))
    pair.assert_in_step()


@pytest.mark.parametrize("one", FLOATS, ids=str)
def test_geometric(pair: Pair, one: dtype) -> None:
    expected = torch.empty(500, dtype=theirs(one)).geometric_(0.2, generator=pair.theirs)
    assert_same(geometric(pair.ours, (500,), one.numpy, 0.2), expected)
    pair.assert_in_step()


@pytest.mark.parametrize("one", FLOATS, ids=str)
def test_log_normal(pair: Pair, one: dtype) -> None:
    expected = torch.empty(501, dtype=theirs(one)).log_normal_(0.3, 0.7, generator=pair.theirs)
    ours = log_normal(pair.ours, (501,), one.numpy, 0.3, 0.7)
    np.testing.assert_allclose(ours.astype(float), expected.double(), rtol=2 * finfo_eps(one))
    pair.assert_in_step()


@pytest.mark.parametrize("one", COMPLEX, ids=str)
def test_complex_uniform_with_bounds(pair: Pair, one: dtype) -> None:
    expected = torch.empty(50, dtype=theirs(one)).uniform_(-1, 2, generator=pair.theirs)
    assert_same(uniform(pair.ours, (50,), one.numpy, -1, 2), expected)


def finfo_eps(one: dtype) -> float:
    return float(torch.finfo(theirs(one)).eps)


# Mixtures -----------------------------------------------------------------------------------

Call = tuple[Callable[[Generator], Any], Callable[[Any], Any]]


def calls() -> list[Call]:
    """Return draws, each as ours and as PyTorch's."""
    found: list[Call] = []
    for one, size in itertools.product(FLOATS, [1, 4, 15, 17, 32]):
        np_dtype, their_dtype = one.numpy, theirs(one)

        def our_normal(g: Generator, size: int = size, kind: Any = np_dtype) -> Any:
            return normal(g, (size,), kind)

        def their_normal(g: Any, size: int = size, kind: Any = their_dtype) -> Any:
            return torch.randn(size, dtype=kind, generator=g)

        def our_uniform(g: Generator, size: int = size, kind: Any = np_dtype) -> Any:
            return uniform(g, (size,), kind)

        def their_uniform(g: Any, size: int = size, kind: Any = their_dtype) -> Any:
            return torch.rand(size, dtype=kind, generator=g)

        found += [(our_normal, their_normal), (our_uniform, their_uniform)]
    found += [
        (lambda g: permutation(g, 11), lambda g: torch.randperm(11, generator=g)),
        (
            lambda g: integers(g, -3, 99, (5,), np.dtype("i8")),
            lambda g: torch.randint(-3, 99, (5,), generator=g),
        ),
        (
            lambda g: bernoulli(g, np.full(3, 0.4), (3,), np.dtype("f8")),
            lambda g: torch.bernoulli(torch.full((3,), 0.4, dtype=torch.float64), generator=g),
        ),
    ]
    return found


@pytest.mark.parametrize("seed", range(20))
def test_any_mixture_of_calls(seed: int) -> None:
    pair = Pair(seed)
    for ours, expected in random.Random(seed).choices(calls(), k=40):
        assert_close(ours(pair.ours), expected(pair.theirs))
        pair.assert_in_step()


# Errors -------------------------------------------------------------------------------------

F4, F2, I8, U1, C8 = (np.dtype(kind) for kind in ["f4", "f2", "i8", "u1", "c8"])
ERRORS: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
    (lambda: uniform(None, (3,), F4, 3, 1), lambda: torch.empty(3).uniform_(3, 1)),
    (
        lambda: uniform(None, (3,), F4, 0, float("inf")),
        lambda: torch.empty(3).uniform_(0, float("inf")),
    ),
    (
        lambda: uniform(None, (3,), F4, float("nan"), 1),
        lambda: torch.empty(3).uniform_(float("nan"), 1),
    ),
    (
        lambda: uniform(None, (3,), F4, -3e38, 3e38),
        lambda: torch.empty(3).uniform_(-3e38, 3e38),
    ),
    (
        lambda: uniform(None, (3,), F2, 0, 1e5),
        lambda: torch.empty(3, dtype=torch.float16).uniform_(0, 1e5),
    ),
    (lambda: uniform(None, (3,), I8), lambda: torch.rand(3, dtype=torch.int64)),
    (lambda: normal(None, (3,), F4, 0, -1), lambda: torch.empty(3).normal_(0, -1)),
    (lambda: normal(None, (3,), I8), lambda: torch.randn(3, dtype=torch.int64)),
    (lambda: integers(None, 5, 5, (2,), I8), lambda: torch.randint(5, 5, (2,))),
    (
        lambda: integers(None, 0, 300, (2,), U1),
        lambda: torch.randint(0, 300, (2,), dtype=torch.uint8),
    ),
    (
        lambda: integers(None, -1, 3, (2,), U1),
        lambda: torch.randint(-1, 3, (2,), dtype=torch.uint8),
    ),
    (
        lambda: integers(None, 0, 3, (2,), np.dtype(bool)),
        lambda: torch.randint(0, 3, (2,), dtype=torch.bool),
    ),
    (
        lambda: integers(None, 0, 2**17, (2,), F2),
        lambda: torch.randint(0, 2**17, (2,), dtype=torch.float16),
    ),
    (
        lambda: integers(None, 0, 3, (2,), C8),
        lambda: torch.randint(0, 3, (2,), dtype=torch.complex64),
    ),
    (
        lambda: integers_full(None, (2,), C8),
        lambda: torch.empty(2, dtype=torch.complex64).random_(),
    ),
    (lambda: permutation(None, -1), lambda: torch.randperm(-1)),
    (lambda: bernoulli(None, 1.5, (3,), F4), lambda: torch.empty(3).bernoulli_(1.5)),
    (
        lambda: bernoulli(None, np.array([1.5]), (1,), F4),
        lambda: torch.bernoulli(torch.tensor([1.5])),
    ),
    (
        lambda: bernoulli(None, np.array([1]), (1,), F4),
        lambda: torch.empty(1, dtype=torch.int64).bernoulli_(torch.tensor([1])),
    ),
    (
        lambda: bernoulli(None, 0.5, (1,), C8),
        lambda: torch.empty(1, dtype=torch.complex64).bernoulli_(0.5),
    ),
    (lambda: exponential(None, (3,), F4, 0), lambda: torch.empty(3).exponential_(0)),
    (
        lambda: exponential(None, (3,), I8),
        lambda: torch.empty(3, dtype=torch.int64).exponential_(),
    ),
    (lambda: cauchy(None, (3,), F4, 0, -1), lambda: torch.empty(3).cauchy_(0, -1)),
    (lambda: cauchy(None, (3,), C8), lambda: torch.empty(3, dtype=torch.complex64).cauchy_()),
    (lambda: geometric(None, (3,), F4, 1.0), lambda: torch.empty(3).geometric_(1.0)),
    (lambda: log_normal(None, (3,), F4, 0, 0), lambda: torch.empty(3).log_normal_(0, 0)),
    (
        lambda: log_normal(None, (3,), I8),
        lambda: torch.empty(3, dtype=torch.int64).log_normal_(),
    ),
]


@pytest.mark.parametrize("ours, expected", ERRORS, ids=range(len(ERRORS)))
def test_errors_are_pytorchs(ours: Callable[[], Any], expected: Callable[[], Any]) -> None:
    with pytest.raises((RuntimeError, NotImplementedError)) as theirs:
        expected()
    with pytest.raises(theirs.type) as error:
        ours()
    assert str(error.value) == str(theirs.value).split("\n")[0].split("Exception raised")[0]


def test_ranges_too_wide_for_a_float_warn() -> None:
    with pytest.warns(UserWarning, match=r"^to - 1 is out of bounds \[-\(2\^24\), 2\^24\]\. Due"):
        integers(None, 0, 2**25, (2,), F4)
