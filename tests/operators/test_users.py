"""What users write: every form of a call, compared with PyTorch's answer or its refusal."""

import importlib
import re
import warnings
from typing import Any

import numpy as np
import pytest

import seegrad

pytestmark = pytest.mark.oracle

CALLS = r"""
x.sum(axis=1)
x.sum(axis=1, keepdims=True)
x.sum(axis=(0, 1))
x.sum(axis=0, dim=1)
x.mean(axis=0)
x.std(axis=0, keepdims=True)
x.max(axis=1)
x.argmin(axis=0)
x.amax(axis=(0, 1))
x.softmax(axis=0)
torch.log_softmax(x, axis=1)
torch.cat([x, x], axis=0)
torch.stack([v, v], axis=1)
x.squeeze(axis=0)
x.unsqueeze(axis=0)
x.unbind(axis=1)
x.index_select(axis=0, index=torch.tensor([0]))
torch.gather(x, axis=1, index=torch.tensor([[0]]))
torch.linalg.norm(x, axis=1)
x.cumsum_(axis=0)
x.sort(axis=0, descending=True)
torch.cross(v, v, axis=0)
x.tensor_split(2, axis=1)
x.repeat_interleave(2, axis=1)
torch.diff(x, axis=0)
v.clamp(np.float64(1))
np.float64(7) - v
torch.nn.functional.leaky_relu(v, np.float64(0.1))
x.half() @ x.T
torch.nn.functional.linear(v.half(), x)
torch.dot(v.half(), v)
v - True
True - v
torch.exp([1.0])
torch.dot(v, 1)
torch.dot(1, v)
torch.matmul([1], x)
torch.nn.Linear(2, 2)([1.0, 2.0])
torch.nn.Linear(2, 2)(np.ones(2))
torch.nn.Linear(2, 2)(torch.ones(2, dtype=torch.float64))
torch.nn.Linear(2, 2)(torch.ones(1, 2, dtype=torch.float64))
torch.topk(v, torch.tensor(2))
torch.topk(v, 1.5)
torch.diag(v, torch.tensor(1))
torch.split(v, torch.tensor(2))
v.sum(torch.tensor(0))
F.leaky_relu(v, torch.tensor(0.5))
F.softplus(v, torch.tensor(2.0))
v.kthvalue(torch.tensor(2))
torch.mul(2, 3)
torch.add(2, 3.5)
torch.div(1, 2)
torch.floor_divide(7, 2)
1 << i
8 >> i
[1, 2] @ v
v.copy_(5)
i.copy_(2.7)
x.all(dim=[])
x.any(dim=())
torch.tensor(0.5).all(dim=0)
torch.tensor(0.5).any(dim=-1)
x.size(2)
torch.tensor(1).size(0)
torch.tensor(1).stride(0)
x.type('a')
x.view(dtype=torch.int32)
torch.ones(1, 2, 1).squeeze_((0, 2))
x.squeeze_((0, 5))
F.mse_loss(v, i)
F.mse_loss(i, v)
F.mse_loss(i, i)
F.mse_loss(v, v.double())
F.smooth_l1_loss(v, i)
F.huber_loss(v, i)
F.l1_loss(v, i)
F.soft_margin_loss(v, i)
torch.dist(v, i)
F.pairwise_distance(i, i)
F.cosine_similarity(x, i)
F.cosine_similarity(i, i, dim=0)
torch.cdist(x, torch.ones(2, 3).long())
torch.cross(v, i, dim=0)
torch.trapezoid(i)
torch.trapezoid(i, i)
torch.trapezoid(i > 1)
torch.cumulative_trapezoid(i)
torch.cumulative_trapezoid(i > 1)
torch.addr(torch.ones(3, 3), v, i)
torch.tensor([np.int32(1), 2])
torch.tensor([np.int32(1), 2.5])
torch.tensor([[np.int32(1)], [2]])
torch.tensor([1, np.float64(2)])
torch.tensor([1.0, np.float64(2)])
torch.tensor([np.float16(1), 2])
torch.tensor([np.float16(1), 2.0])
torch.tensor([np.int8(1), True])
torch.tensor([np.float32(1), 2j])
torch.tensor([torch.tensor(1, dtype=torch.int8), 2])
torch.tensor([1, [2]])
torch.tensor([1.0, [2.0]])
torch.tensor([[1], 2])
torch.tensor(2**70)
torch.tensor([[1, 2**70]])
torch.tensor(None)
torch.tensor([1, None])
torch.zeros(7, 3).fill_diagonal_(1)
torch.zeros(7, 3).fill_diagonal_(1, True)
torch.zeros(7, 3).t().contiguous().t().fill_diagonal_(1, wrap=True)
torch.zeros(2, 2, 2).fill_diagonal_(1)
torch.zeros(2, 2, 3).fill_diagonal_(1)
torch.zeros(3).fill_diagonal_(1)
(torch.zeros(2, 2, requires_grad=True) * 1).fill_diagonal_(5)
torch.zeros(2, 2, requires_grad=True).fill_diagonal_(5)
torch.zeros(3, 4)[:, 1:].fill_diagonal_(2)
F.nll_loss(v, i)
F.cross_entropy(v, torch.tensor([1]))
F.linear(v, v, v)
x.index_fill(1, torch.tensor([[0]]), 1)
torch.arange(end=4)
torch.arange(end=4, start=2)
torch.full(2, 3)
torch.full((2,), np.float64(2))
torch.full((2,), np.int64(2))
torch.concatenate([v, v])
torch.detach(v)
torch.is_signed(v)
torch.is_same_size(v, x)
torch.get_default_device()
torch.set_default_device('cpu')
torch.optim.lr_scheduler.StepLR(v, 3)
torch.from_numpy(np.matrix([[1.0, 2.0]])) * torch.tensor([[2.0], [3.0]])
""".strip().splitlines()


def _answer(torch: Any, call: str) -> str:
    """What a user sees, addresses and the name of the package left out."""
    names = {
        "torch": torch,
        "np": np,
        "F": torch.nn.functional,
        "x": torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]),
        "v": torch.tensor([1.0, 2.0, 3.0]),
        "i": torch.tensor([3, 1, 2]),
    }
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(eval(call, names))
        except Exception as error:
            return f"{type(error).__name__}: {error}".partition("\n")[0]
        finally:
            torch.set_default_device(None)  # or PyTorch asks a mode of it ever after


@pytest.mark.parametrize("call", CALLS)
def test_answers(call: str) -> None:
    torch = pytest.importorskip("torch")
    assert _answer(seegrad, call) == _answer(torch, call)


def test_arrays_share_memory_and_not_their_shape() -> None:
    array = np.ones(4)
    tensor = seegrad.from_numpy(array)
    other = tensor.numpy()
    array.shape = other.shape = (2, 2)
    array[0, 0] = 5.0
    assert tensor.tolist() == [5.0, 1.0, 1.0, 1.0]


def test_a_failing_call_fails_once_and_as_it_did() -> None:
    with pytest.raises(RuntimeError, match="non-singleton") as caught:
        seegrad.sub(seegrad.ones(2), seegrad.ones(3))
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.parametrize(
    "call",
    [
        "F.softmax(torch.ones(2, 2))",
        "torch.var(torch.ones(1))",
        "torch.ones(1).std()",
        "F.mse_loss(torch.ones(3), torch.ones(3, 1))",
        "F.kl_div(torch.ones(3), torch.ones(3))",
        "F.mse_loss(torch.ones(3), torch.ones(3), size_average=True)",
        "torch.sum(torch.ones(2, 2), 0, out=torch.ones(3))",
        "float(torch.ones(1, requires_grad=True))",
    ],
)
def test_warnings_name_the_line_of_the_user(call: str) -> None:
    names = {"torch": seegrad, "F": seegrad.nn.functional}
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        exec(compile(call, "users_file.py", "exec"), names)
    assert [warning.filename for warning in seen] == ["users_file.py"]


@pytest.mark.parametrize(
    "call, start",
    [
        ("torch.tensor([1j, 2]).float()", "Casting complex values to real discards"),
        (
            "torch.from_numpy(np.broadcast_to(np.ones(1), (3,)))",
            "The given NumPy array is not writable",
        ),
    ],
)
def test_said_once(call: str, start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once = importlib.import_module("seegrad.ops.once")
    monkeypatch.setattr(once, "_given", set())
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(2):
            eval(call, {"torch": seegrad, "np": np})
    assert [re.match(start, str(warning.message)) is not None for warning in seen] == [True]


BENDS = [
    "F.relu(t)",
    "F.relu6(t)",
    "F.leaky_relu(t)",
    "F.hardtanh(t)",
    "F.threshold(t, 0.1, 0.0)",
    "F.hardshrink(t)",
    "F.softshrink(t)",
    "F.prelu(t, torch.tensor([0.25]))",
]


@pytest.mark.parametrize("call", BENDS)
def test_second_derivatives_of_bends_are_there_and_zero(call: str) -> None:
    def derivatives(torch: Any) -> Any:
        t = torch.tensor([-2.0, -0.3, 0.4, 3.0], requires_grad=True)
        value = eval(call, {"torch": torch, "F": torch.nn.functional, "t": t})
        (first,) = torch.autograd.grad(value.sum(), t, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), t)
        return first.tolist(), second.tolist(), first.grad_fn.name()

    assert derivatives(seegrad)[:2] == derivatives(pytest.importorskip("torch"))[:2]


def test_the_laplacian_of_a_network_of_relus() -> None:
    def hessian(torch: Any) -> Any:
        torch.manual_seed(0)
        nn = torch.nn
        net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
        x = torch.tensor([[0.3, -0.7]], requires_grad=True)
        (slope,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
        rows = [torch.autograd.grad(slope[0, i], x, retain_graph=True)[0] for i in range(2)]
        return torch.cat(rows).tolist()

    assert hessian(seegrad) == hessian(pytest.importorskip("torch"))
