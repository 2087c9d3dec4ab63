"""Random indices, reading and writing: values beside NumPy, everything else beside PyTorch."""

import random
import warnings
from typing import Any

import numpy as np
import pytest

import seegrad
from tests.observe import clean

SHAPES = [(4,), (2, 3), (3, 1, 2), (2, 3, 4), (1, 5), (2, 2, 1, 3)]


def an_item(r: random.Random, size: int, advanced: bool) -> str:
    """One index of one dimension, as text."""
    start, stop = r.randrange(-size - 1, size + 2), r.randrange(-size - 1, size + 2)
    basic = [
        str(r.randrange(-size, size)),
        str(r.randrange(-size, size)),
        f"slice({start}, {stop})",
        f"slice({start}, None, {r.choice([1, 2, 3])})",
        "slice(None)",
    ]
    if not advanced:
        return r.choice(basic)
    places = [r.randrange(-size, size) for _ in range(2)]
    mask = [r.random() < 0.6 for _ in range(size)]
    return r.choice(
        [
            *basic,
            f"torch.tensor({places})",
            f"torch.tensor([{places}, {places[::-1]}])",
            f"torch.tensor({places[:1]})",
            f"torch.tensor({places[0]})",
            f"torch.tensor({mask})",
            str(places),
        ]
    )


def an_index(r: random.Random, shape: tuple[int, ...], advanced: bool) -> str:
    """A tuple of indices, as text; some take too many dimensions, or lie outside."""
    count = r.randrange(len(shape) + 1)
    front = r.randrange(count + 1)
    items = [an_item(r, n, advanced) for n in shape[:front]]
    if front < count:
        items += ["..."] + [an_item(r, n, advanced) for n in shape[front - count :]]
    for _ in range(r.choice([0, 0, 0, 1])):
        items.insert(r.randrange(len(items) + 1), "None")
    if r.random() < 0.04:
        items.insert(r.randrange(len(items) + 1), r.choice(["9", "'a'", "0.5", "0, 0, 0, 0"]))
    return f"({', '.join(items)},)" if items else "()"


def observed(torch: Any, shape: tuple[int, ...], index: str, value: str) -> Any:
    """What reading and writing at an index shows."""
    leaf = torch.arange(float(np.prod(shape)), dtype=torch.float64).reshape(shape).requires_grad_()
    weights = torch.arange(1.0, 1 + np.prod(shape), dtype=torch.float64).reshape(shape)
    places = eval(index, {"torch": torch})
    seen: list[Any] = []
    try:
        part = leaf[places]
        seen += [part.tolist(), type(part.grad_fn).__name__, part._is_view()]
        part.cos().sum().backward()
        seen.append(leaf.grad.tolist())
    except (IndexError, TypeError, RuntimeError, ValueError) as error:
        return [*seen, clean(f"{type(error).__name__}: {error}")]
    target, source = leaf.detach() * 1, torch.tensor(eval(value), dtype=torch.float64)
    target.requires_grad_()
    source.requires_grad_()
    written = target * 1
    try:
        written[places] = source
        seen += [written.tolist(), type(written.grad_fn).__name__, written._version]
        (written * weights).sum().backward()
        seen += [target.grad.tolist(), None if source.grad is None else source.grad.tolist()]
    except (IndexError, TypeError, RuntimeError, ValueError) as error:
        seen.append(clean(f"{type(error).__name__}: {error}"))
    return seen


def repeats(index: str, shape: tuple[int, ...]) -> bool:
    """Whether a place is meant twice: then which value is written last is not defined."""
    counts = np.zeros(shape)
    try:
        np.add.at(counts, eval(index, {"torch": AsNumPy}), 1)
    except (IndexError, TypeError, ValueError):
        return False
    return bool((counts > 1).any())


class AsNumPy:
    """What an index says, for NumPy."""

    tensor = staticmethod(np.array)


def cases(seed: int, count: int, advanced: bool) -> list[tuple[tuple[int, ...], str, str]]:
    r = random.Random(seed)
    found: list[tuple[tuple[int, ...], str, str]] = []
    while len(found) < count:
        shape = r.choice(SHAPES)
        index = an_index(r, shape, advanced)
        if not repeats(index, shape):
            found.append((shape, index, r.choice(["5.0", "[5.0]", "[[5.0]]", "[[[[7.0]]]]"])))
    return found


@pytest.mark.oracle
@pytest.mark.parametrize("advanced", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_beside_pytorch(seed: int, advanced: bool) -> None:
    torch = pytest.importorskip("torch")
    for shape, index, value in cases(seed, 150, advanced):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = observed(torch, shape, index, value)
            assert observed(seegrad, shape, index, value) == expected, (shape, index, value)


def test_beside_numpy() -> None:
    compared = 0
    for shape, index, _ in cases(11, 300, advanced=False):
        array = np.arange(float(np.prod(shape))).reshape(shape)
        try:
            expected = array[eval(index, {"torch": AsNumPy})]
        except (IndexError, TypeError):
            continue
        tensor = seegrad.from_numpy(array.copy())
        places = eval(index, {"torch": seegrad})
        assert np.array_equal(tensor[places].numpy(), expected), (shape, index)
        tensor[places] = -1.0
        array[eval(index, {"torch": AsNumPy})] = -1.0
        assert np.array_equal(tensor.numpy(), array), (shape, index)
        compared += 1
    assert compared > 200


def test_read_view_and_copy() -> None:
    x = seegrad.arange(12.0).view(3, 4)
    assert x[1].data_ptr() == x.data_ptr() + 4 * 4
    x[1:, ::2].zero_()
    assert x.tolist() == [[0, 1, 2, 3], [0, 5, 0, 7], [0, 9, 0, 11]]
    x[seegrad.tensor([0])].fill_(9)
    assert x[0].tolist() == [0, 1, 2, 3]
    assert x[...]._is_view()
    assert x[...] is not x


def test_written_value_is_cast() -> None:
    x = seegrad.zeros(3, dtype=seegrad.int64)
    x[0] = 2.9
    x[1:] = seegrad.tensor([1.5, -1.5])
    assert x.tolist() == [2, 1, -1]
    flags = seegrad.zeros(2, dtype=seegrad.bool)
    flags[0] = 5
    assert flags.tolist() == [True, False]


def test_written_arrays_and_lists() -> None:
    x = seegrad.zeros(2, 2)
    x[0] = np.array([1, 2])
    x[seegrad.tensor([1])] = np.array([3.0, 4.0])
    assert x.tolist() == [[1, 2], [3, 4]]


def test_iteration_and_unpacking() -> None:
    x = seegrad.arange(6.0, requires_grad=True)
    first, second = x.view(2, 3)
    (first * second).sum().backward()
    assert x.grad.tolist() == [3, 4, 5, 0, 1, 2]
    assert len(x) == 6
    assert 3 in x
    with pytest.raises(TypeError, match="iteration over a 0-d tensor"):
        iter(seegrad.tensor(1.0))


def test_deleting_is_refused() -> None:
    with pytest.raises(TypeError, match="does not support deleting items"):
        del seegrad.zeros(2)[0]
