"""Sparse tensors: made, printed, computed with, differentiated."""

import warnings
from typing import Any

from tests.observe import attempt, rounded

# Two elements stand in one place.
PLACES, NUMBERS, SIZE = [[1, 0, 1], [0, 2, 0]], [3.0, 4.0, 5.0], (2, 4)


def _one(torch: Any, **options: Any) -> Any:
    return torch.sparse_coo_tensor(PLACES, NUMBERS, SIZE, **options)


def _parts(tensor: Any) -> list[Any]:
    """All of a sparse tensor but its history."""
    if not tensor.is_sparse:
        return rounded(tensor)
    return [
        tensor._indices().tolist(),
        rounded(tensor._values()),
        list(tensor.shape),
        str(tensor.dtype),
        tensor.is_coalesced(),
    ]


def printed(torch: Any) -> None:
    x = _one(torch)
    make = torch.sparse_coo_tensor
    for one in (
        x, x.coalesce(), x.double(), x.int(), x.half(), x.t(), x.to_dense(),
        _one(torch, requires_grad=True), make((2, 3)), make([[0, 1], [1, 2]], [1, 2]),
        make([[0]], [1j], (2,)), make([[0, 1]], torch.ones(2, 3), (4, 3)),
        make([[2]], [True], (3,)),
        make([list(range(2000))] * 2, torch.arange(2000.0), (2000, 2000)),
        torch.eye(2).to_sparse(),
    ):  # fmt: skip
        print(one)
    print(f"{x!s:.8}", x.layout, type(x), x.type(), x.device)


def made(torch: Any) -> list[Any]:
    make = torch.sparse_coo_tensor
    x = _one(torch)
    calls = [
        lambda: make([[0, 2]], [1, 2], dtype=torch.float64).shape,
        lambda: make(torch.tensor([[0, 2]], dtype=torch.int32), [1, 2])._indices().dtype,
        lambda: make([[0.0, 1]], [1.0, 2.0], (3,))._indices().tolist(),
        lambda: make([0, 2], [1, 2]),
        lambda: make([[0, 1]], [1.0, 2.0, 3.0], (3,)),
        lambda: make([[0, 1]], [1.0, 2.0], (3, 3)),
        lambda: make([[0, 1]], 1.0, (3,)),
        lambda: make([[0, 1]], torch.ones(2, 3), (4, 2)),
        lambda: make([[0, -1]], [1.0, 2.0]),
        lambda: make([[0, 5]], [1.0, 2.0], (3,), check_invariants=True),
        lambda: make([[0]], [1], (2,), requires_grad=True),
        lambda: make([[1, 0]], [1.0, 2.0], (3,), is_coalesced=True).is_coalesced(),
        lambda: x.indices(),
        lambda: x.values(),
        lambda: torch.ones(2).values(),
        lambda: torch.ones(2).indices(),
        lambda: torch.ones(2).coalesce(),
        lambda: torch.ones(2).is_coalesced(),
        lambda: x.numpy(),
        lambda: bool(x),
        lambda: x.item(),
        lambda: make([[0]], [7.0], (1,)).item(),
        lambda: x.to_sparse(1),
        lambda: torch.ones(2).to_sparse(2),
        lambda: x.to_dense(dtype=torch.float64),
        lambda: torch.ones(3, 3).sparse_mask(x),
        lambda: x[2],
        lambda: torch.sparse.sum(torch.ones(2)),
    ]
    y = x.coalesce()
    shared = y.values()
    shared.mul_(2)
    told = [x.is_sparse, x.is_sparse_csr, torch.ones(1).is_sparse, x.sparse_dim(), x.dense_dim()]
    told += [x._nnz(), x.numel(), x.dim(), len(x), x.size(1), x.stride(), x.is_contiguous()]
    told += [isinstance(x, torch.Tensor), torch.is_tensor(x), x.is_floating_point()]
    told += [torch.ones(2, 3).sparse_dim(), torch.ones(2, 3).dense_dim(), x.element_size()]
    told += [y.coalesce() is y, _parts(y), _parts(torch.eye(3).to_sparse(1))]
    return [attempt(call) for call in calls] + told


def computed(torch: Any) -> list[Any]:
    warnings.simplefilter("ignore", UserWarning)  # that PyTorch has just begun with CSR
    x, make = _one(torch), torch.sparse_coo_tensor
    c = x.coalesce()
    other = make([[1, 1, 0], [3, 0, 1]], [2.0, -1.0, 8.0], SIZE).coalesce()
    hybrid = make([[0, 1, 0]], torch.arange(6.0).reshape(3, 2), (2, 2))
    cube = make([[0, 1], [1, 2], [2, 3]], [1.0, 2.0], (2, 3, 4))
    m, w = torch.arange(8.0).reshape(4, 2), torch.arange(6.0).reshape(3, 2)
    mm = torch.sparse.mm
    results = [
        x * 2, 2 * x, c * 2, x / 2, -c, x + x, c + c, c + other, c - other, x - x, m.t() + x,
        m.t() - x, torch.add(x, x, alpha=3), torch.add(m.t(), x, alpha=3), x * x, c * x, x * c,
        c * other, x * m.t(), m.t() * c, x * torch.arange(4.0), x * torch.tensor(2.0),
        x + x.int(), x * x.double(), x.int() / 2, x.int() * 1.5, x.t(), x.transpose(0, 1), c.T,
        c.mT, cube.permute(1, 0, 2), cube.transpose(0, 0), hybrid.transpose(0, 0),
        x.clone(), x.detach(), c.double(), x.to(torch.int64), x.relu(), torch.relu(c), x.sin(),
        x.sqrt(), x**2, x.abs(), torch.expm1(c), torch.nn.functional.relu(x),
        torch.zeros_like(x), x.to_sparse(), hybrid.coalesce(), hybrid.to_dense(), x.to_dense(),
        make([[0, 0]], [True, True], (2,)).to_dense(), make([[0, 0]], [1j, 2], (2,)).to_dense(),
        x.half().to_dense(), x[0], x[1], c[1], x[1, 0], x[-1, -2], hybrid[0], hybrid[0, 1],
        hybrid.select(1, 0), list(c)[1], x @ m, x.mm(m), torch.mm(x, m), torch.matmul(x, m),
        mm(x, m), mm(w, x), w @ x, x @ torch.arange(4.0), torch.mv(x, torch.arange(4.0)),
        x @ c.t(), mm(c, c.t()), x.t() @ x, torch.spmm(x, m), mm(w, w.t()),
        torch.sparse.addmm(torch.ones(2, 2), x, m, beta=2, alpha=3),
        torch.addmm(torch.ones(2, 2), x, m), x.half() @ m.half(), make((2, 4)) @ m,
        make((2, 4)) + x, x.sum(), torch.sum(x), x.sum(0), torch.sparse.sum(x),
        torch.sparse.sum(x, 1), torch.sparse.sum(x, [0, -1]),
        torch.sparse.sum(x, 1, torch.float64), torch.sparse.sum(c, 0),
        torch.sparse.sum(hybrid, 0), torch.sparse.sum(hybrid, 1),
        torch.sparse.sum(x, dtype=torch.float64), torch.sparse.softmax(other, 1),
        torch.sparse.log_softmax(other, 0), torch.sparse.softmax(x, 1), m.t().sparse_mask(c),
        m.t().sparse_mask(x),
    ]  # fmt: skip
    calls = [
        lambda: x @ torch.ones(3, 2),
        lambda: mm(x, torch.ones(3, 2)),
        lambda: torch.ones(3, 3) @ x,
        lambda: x @ torch.ones(3),
        lambda: x @ x,
        lambda: x @ torch.ones(4, 2).double(),
        lambda: x + torch.ones(2, 4),
        lambda: x + 1,
        lambda: torch.ones(4) + x,
        lambda: x + make((3, 4)),
        lambda: x / x,
        lambda: x * make((3, 4)),
        lambda: cube.t(),
        lambda: hybrid.t(),
        lambda: hybrid.transpose(0, 1),
        lambda: hybrid.T,
        lambda: torch.sparse.sum(x, 2),
    ]
    return [_parts(one) for one in results] + [attempt(call) for call in calls]


def differentiated(torch: Any) -> list[Any]:
    found: list[Any] = []
    weights = torch.arange(8.0).reshape(SIZE)
    m = torch.arange(8.0).reshape(4, 2).requires_grad_()
    losses = [
        lambda s: (s.to_dense() * weights).sum(),
        lambda s: (s.coalesce().values() * torch.tensor([2.0, 3.0])).sum(),
        lambda s: (s @ m).pow(2).sum(),
        lambda s: (torch.sparse.mm(s, m)).pow(2).sum(),
        lambda s: ((s * 2).to_dense() * weights).sum(),
        lambda s: ((s / 2 + s).to_dense() * weights).sum(),
        lambda s: ((s.t() @ torch.ones(2, 3)).pow(2)).sum(),
        lambda s: (torch.ones(3, 2) @ s).pow(3).sum(),
        lambda s: torch.sparse.sum(s).pow(2),
        lambda s: (torch.sparse.sum(s, 0).to_dense() * torch.arange(4.0)).sum(),
        lambda s: ((torch.ones(2, 4) + s) * weights).sum(),
        lambda s: (s.relu().to_dense() * weights).sum(),
        lambda s: torch.sparse.addmm(torch.ones(2, 2), s, m).pow(2).sum(),
    ]
    for loss in losses:
        values = torch.tensor(NUMBERS, requires_grad=True)
        m.grad = None
        s = torch.sparse_coo_tensor(PLACES, values, SIZE)
        loss(s).backward()
        found.append([rounded(values.grad), m.grad is not None and rounded(m.grad), s.is_leaf])
    for loss in losses[:2] + losses[4:6]:
        leaf = _one(torch).coalesce().requires_grad_()
        loss(leaf).backward()
        found.append([_parts(leaf.grad.coalesce()), leaf.is_leaf, leaf.requires_grad])
        leaf.grad = None
        found.append(leaf.grad)
    x = torch.tensor([[0.0, 1.5, 0], [2, 0, 0]], requires_grad=True)
    for loss in (
        lambda s: (s.to_dense() * 3).sum(),
        lambda s: s.values().pow(2).sum(),
        lambda s: torch.sparse.mm(s, m[:3]).sum(),
        lambda s: torch.sparse.softmax(s, 0).to_dense().pow(2).sum(),
    ):
        x.grad = None
        loss(x.to_sparse()).backward()
        found.append(rounded(x.grad))
    leaf = _one(torch).coalesce().requires_grad_()
    (grad,) = torch.autograd.grad((leaf.to_dense() * weights).sum(), [leaf])
    v = torch.tensor(NUMBERS, dtype=torch.float64, requires_grad=True)
    w = torch.arange(8.0).double().reshape(4, 2).requires_grad_()
    for function in (
        lambda v, w: torch.sparse_coo_tensor(PLACES, v, SIZE).to_dense(),
        lambda v, w: torch.sparse.mm(torch.sparse_coo_tensor(PLACES, v, SIZE), w),
        lambda v, w: torch.sparse.sum(torch.sparse_coo_tensor(PLACES, v, SIZE), 1).to_dense(),
        lambda v, w: torch.sparse_coo_tensor(PLACES, v, SIZE).coalesce().values() ** 2,
    ):
        found.append(torch.autograd.gradcheck(function, (v, w)))
    found += [_parts(grad.coalesce()), leaf.detach().requires_grad, leaf.t().requires_grad]
    found += [leaf._values().requires_grad, leaf.coalesce().values().requires_grad]
    return found


def in_a_network(torch: Any) -> list[Any]:
    """A graph convolution: the neighbours are a sparse buffer."""
    torch.manual_seed(0)

    class Net(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            places = torch.tensor([[0, 0, 1, 2, 2], [0, 1, 2, 0, 1]])
            self.register_buffer("near", torch.sparse_coo_tensor(places, torch.ones(5), (3, 3)))
            self.linear = torch.nn.Linear(2, 2)

        def forward(self, x: Any) -> Any:
            return torch.sparse.mm(self.near, self.linear(x)).relu()

    net = Net()
    x = torch.arange(6.0).reshape(3, 2)
    loss = net(x).pow(2).mean()
    loss.backward()
    other = Net()
    other.near = torch.sparse_coo_tensor((3, 3))
    other.load_state_dict(net.state_dict())
    print(other.near, torch.equal(other(x), net(x)))
    copied = net.double()(x.double())
    return [
        rounded(loss, 4),
        [rounded(p.grad, 3) for p in net.parameters()],
        rounded(copied, 4),
        str(net.near.dtype),
        list(net.state_dict()),
    ]
