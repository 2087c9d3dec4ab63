"""Functions under the names of kernels, and segments: what PyTorch cannot vouch for."""

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad.autograd import gradcheck, gradgradcheck

X = torch.tensor([[0.3, -1.2, 2.1], [0.7, 1.1, -0.4]], dtype=torch.float64, requires_grad=True)


def test_what_a_strided_view_overwrites_gets_no_gradient() -> None:
    src = torch.ones(2, dtype=torch.float64, requires_grad=True)
    gradcheck(lambda x, s: torch.as_strided_scatter(x, s, (2,), (3,), 1), (X, src))
    gradgradcheck(lambda x, s: torch.as_strided_scatter(x, s, (2,), (3,), 1) ** 3, (X, src))
    torch.as_strided_scatter(X, src, (2,), (3,), 1).sum().backward()
    assert X.grad.tolist() == [[1, 0, 1], [1, 0, 1]]


def test_strided_scatter_of_a_part_of_a_base() -> None:
    base = torch.arange(12.0)
    part = base[4:8].requires_grad_()
    made = torch.as_strided_scatter(part, torch.zeros(2), (2,), (2,))
    assert made.tolist() == [0, 5, 0, 7]
    made.sum().backward()
    assert part.grad.tolist() == [0, 1, 0, 1]
    assert base.tolist() == list(range(12))


def test_input_of_a_strided_scatter_is_contiguous() -> None:
    with pytest.raises(RuntimeError, match="only supported for contiguous inputs"):
        torch.as_strided_scatter(X.T, torch.ones(1, dtype=torch.float64), (1,), (1,))


@pytest.mark.parametrize("reduce", ["sum", "mean", "max", "min", "prod"])
@pytest.mark.parametrize("initial", [None, 0.5])
def test_segments_have_derivatives_of_two_orders(reduce: str, initial: float | None) -> None:
    lengths = torch.tensor([[1, 1], [0, 3]])

    def reduced(x: Any) -> Any:
        found = torch.segment_reduce(x, reduce, lengths=lengths, axis=1, unsafe=True,
                                     initial=initial)  # fmt: skip
        return found[torch.isfinite(found)] ** 2

    gradcheck(reduced, (X,))
    gradgradcheck(reduced, (X,))


def test_means_and_deviations_of_groups_have_gradients() -> None:
    gradcheck(lambda x: torch.native_group_norm(x, None, None, 2, 3, 1, 1, 1e-3), (X,))


def test_memory_of_a_buffer_is_shared() -> None:
    memory = bytearray(4)
    made = torch.frombuffer(memory, dtype=torch.int16)
    made[1] = 258
    assert memory == b"\0\0\2\1"
    memory[0] = 7
    assert made.tolist() == [7, 258]


def test_arrays_are_buffers_where_they_are_contiguous() -> None:
    array = np.arange(6.0).reshape(2, 3)
    assert torch.frombuffer(array, dtype=torch.float64).tolist() == list(range(6))
    with pytest.raises(RuntimeError, match="could not retrieve buffer"):
        torch.frombuffer(array.T, dtype=torch.float64)


def test_a_file_is_memory(tmp_path: Path) -> None:
    path = str(tmp_path / "numbers")
    np.arange(3, dtype=np.float32).tofile(path)
    made, own = torch.from_file(path, shared=True, size=4), torch.from_file(path, size=2)
    made[1], own[0] = 7, 9
    assert np.fromfile(path, np.float32).tolist() == [0, 7, 2, 0]
    assert own.tolist() == [9, 7]
    assert torch.from_file(path, size=0).shape == (0,)
    for wrong, said in ((path, "size <16> is smaller than the required mapping size <20>"),
                        (path + "no", "in read-only mode: No such file")):  # fmt: skip
        with pytest.raises(RuntimeError, match=said):
            torch.from_file(wrong, size=5)


def test_a_forked_process_writes_to_shared_memory() -> None:
    layer = torch.nn.Linear(2, 1).share_memory()
    base = torch.zeros(3, 2)
    view, alone = base.t()[1].share_memory_(), torch.zeros(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which BLAS may have
        child = os.fork()
    if not child:
        with torch.no_grad():
            layer.weight.fill_(5)
            view.fill_(1)
            alone.fill_(1)
        os._exit(0)
    os.waitpid(child, 0)
    assert layer.weight.tolist() == [[5, 5]]
    assert base.tolist() == [[0, 1]] * 3
    assert view.storage_offset() == 1
    assert [one.is_shared() for one in (layer.bias, base, base[0], base + 1, alone)] == [
        True, True, True, False, False,
    ]  # fmt: skip
    assert alone.item() == 0


def test_what_a_function_wrote_is_noticed() -> None:
    saved = torch.ones(2)
    product = saved * torch.ones(2, requires_grad=True)
    saved.apply_(lambda one: one + 1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()


def test_views_see_what_a_function_wrote() -> None:
    base = torch.arange(4.0)
    base[1:].map_(torch.tensor(10.0), lambda one, other: one * other)
    assert base.tolist() == [0, 10, 20, 30]
