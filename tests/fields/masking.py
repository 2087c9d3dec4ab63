"""Masked tensors: made, printed, computed with, differentiated."""

import warnings
from typing import Any

from tests.observe import attempt

MASK = [[True, False, True], [False, False, True]]


def _one(torch: Any, requires_grad: bool = False, negated: bool = False) -> Any:
    mask = torch.tensor(MASK)
    data = torch.arange(6.0).reshape(2, 3) + 1
    return torch.masked.masked_tensor(data, ~mask if negated else mask, requires_grad)


def _quiet() -> None:
    warnings.simplefilter("ignore", UserWarning)  # each result is called a prototype


def made(torch: Any) -> list[Any]:
    make, kinds = torch.masked.masked_tensor, []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make(torch.ones(2, requires_grad=True), torch.tensor([True, False]))
    kinds += [str(one.message) for one in caught]
    _quiet()
    data, mask = torch.arange(6.0).reshape(2, 3), torch.tensor(MASK)
    wrong = [
        lambda: make(data, mask[0]),
        lambda: make(data, mask.t()),
        lambda: make(data, mask.float()),
        lambda: make([1, 2], mask),
        lambda: make(data, [1]),
        lambda: make(make(data, mask), mask),
        lambda: make(data.to(torch.complex64), mask),
        lambda: make(data.to(torch.uint8), mask),
        lambda: make(data, mask).numpy(),
        lambda: make(data, mask).tolist(),
        lambda: make(data, mask)[0, 1].item(),
        lambda: make(data, mask) + make(data, ~mask),
    ]
    x = make(data, mask)
    data.zero_()
    told = [str(x.shape), str(x.dtype), len(x), x.dim(), x.size(1), x.numel(), x.is_sparse]
    told += [x.requires_grad, isinstance(x, torch.Tensor), torch.masked.is_masked_tensor(x)]
    told += [torch.masked.is_masked_tensor(data), type(x).__name__, x.get_mask().tolist()]
    told += [x.get_data().tolist(), x.to_tensor(-7).tolist(), (x + 1).get_data().tolist()]
    told += [torch.masked.sum(x).tolist(), torch.masked.amax(x, 1).tolist(), float(x.sum())]
    return [*kinds, *told, *map(attempt, wrong)]


def printed(torch: Any) -> None:
    _quiet()
    make = torch.masked.masked_tensor
    yes, no = torch.tensor(True), torch.tensor(False)
    flags = torch.tensor([True, True, False])
    for data, mask in (
        (torch.arange(8.0).reshape(2, 2, 2), torch.ones(2, 2, 2).bool()),
        (torch.tensor(1.0), yes),
        (torch.tensor(1.0), no),
        (torch.tensor(5), yes),
        (torch.tensor([1, -20, 3]), flags),
        (torch.tensor([True, False, True]), flags),
        (torch.tensor([1e10, float("nan"), 1.0]), flags),
        (torch.tensor([1.0, 123.456789, 2.0]).double(), flags),
        (torch.tensor([1.0, 2.0, 3.0]).half(), flags),
        (torch.arange(9.0) * 1000, torch.arange(9) % 2 == 0),
    ):
        print(make(data, mask), repr(make(data, mask, data.is_floating_point())))


def computed(torch: Any) -> None:
    _quiet()
    m, o = _one(torch), _one(torch) * 2
    data, mask = torch.arange(6.0).reshape(2, 3) + 1, torch.tensor(MASK)
    F = torch.nn.functional
    results = [m + o, m + 1, 1 + m, m + data, data + m, m * o, m / o, m - 2, -m, +m, m**2, 1 / m]
    results += [m.pow(2.5), m // 2, m % 2, m == o, m < 3, m > o, ~(m > 1), m.int() & 1]
    results += [m.exp(), torch.exp(m), torch.sin(m), m.sqrt(), m.abs(), m.sigmoid(), m.log()]
    results += [torch.maximum(m, o), torch.atan2(m, o), m.clamp(1, 3), m.round(), m.isnan()]
    for name in ("sum", "mean", "amax", "amin", "prod", "argmax", "argmin"):
        of, plain = getattr(torch, name), getattr(m, name)
        results += [of(m), plain(), plain(1), plain(dim=0), of(m, dim=1, keepdim=True)]
    results += [m.var(), m.std(), m.all(), (m > 1).all(), torch.sum(m, dim=(0, 1))]
    none = torch.masked.masked_tensor(data, mask & False)
    results += [none.sum(), none.mean(), m.softmax(0), torch.softmax(m, 1), F.softmax(m, dim=1)]
    results += [m[0], m[0, 0], m[0, 1], m[:, 1:], m[mask], m.t(), m.view(3, 2), m.reshape(-1)]
    results += [m.flatten(), m.unsqueeze(0), m.transpose(0, 1), m.expand(2, 2, 3), m.clone()]
    results += [m.detach(), m.double(), m.to(torch.float16), m.float(), m.contiguous()]
    results += [torch.cat([m, m]), torch.stack([m, m]), *m.chunk(3, 1), *torch.split(m, 1)]
    results += [m.select(0, 1), torch.where(mask, m, _one(torch, negated=True))]
    results += [torch.where(mask, m, 0.0), torch.where(mask, m, data), torch.where(mask, data, m)]
    results += [m.clone().add_(1), m.clone().mul_(2), m.clone().abs_(), torch.ones_like(m)]
    results += [m.sum().item(), bool(m.sum() > 1), (m == m).all()]
    for one in results:
        print(one)


LOSSES = [
    lambda m, data, torch: m.sum(),
    lambda m, data, torch: m.mean(),
    lambda m, data, torch: m.amax(),
    lambda m, data, torch: m.amin(),
    lambda m, data, torch: m.prod(),
    lambda m, data, torch: m.std(),
    lambda m, data, torch: m.sum(1).sum(),
    lambda m, data, torch: m.mean(1).sum(),
    lambda m, data, torch: m.amax(0).sum(),
    lambda m, data, torch: m.amin(1).sum(),
    lambda m, data, torch: m.prod(1).sum(),
    lambda m, data, torch: m.exp().sum(),
    lambda m, data, torch: (m * m).sum(),
    lambda m, data, torch: (m * 3 + 1).sum(),
    lambda m, data, torch: (1 / m).sum(),
    lambda m, data, torch: (m * data).sum(),
    lambda m, data, torch: m.view(3, 2).exp().sum(),
    lambda m, data, torch: (m.softmax(1) * data).sum(),
    lambda m, data, torch: m.sqrt().sum(),
    lambda m, data, torch: (m**2).sum(),
    lambda m, data, torch: m.log().mean(),
    lambda m, data, torch: m.to_tensor(0.0).sum(),
    lambda m, data, torch: m.t().exp().sum(),
    lambda m, data, torch: m.double().sum(),
    lambda m, data, torch: torch.cat([m, m]).sum(),
    lambda m, data, torch: m.expand(2, 2, 3).sum(),
    lambda m, data, torch: (m - data).abs().sum(),
]


def differentiated(torch: Any) -> None:
    _quiet()
    data = torch.arange(6.0).reshape(2, 3) + 1
    for loss in LOSSES:
        leaf = _one(torch, requires_grad=True)
        loss(leaf, data, torch).backward()
        print(leaf.grad)
        plain = data.clone().requires_grad_()
        loss(torch.masked.as_masked_tensor(plain, torch.tensor(MASK)), data, torch).backward()
        print(plain.grad)
    leaf = _one(torch, requires_grad=True)
    print(torch.autograd.grad((leaf * 2).sum(), leaf))
    (leaf * 2).backward(_one(torch))
    print(leaf.grad, leaf.is_leaf, (leaf * 2).is_leaf, (leaf * 2).requires_grad)
    leaf.grad = None
    print(leaf.grad, leaf.detach().requires_grad, leaf.get_mask().requires_grad)


def published(torch: Any) -> None:
    """The examples of PyTorch's pages: gradients that are NaN without masks."""
    _quiet()
    masked_tensor, as_masked_tensor = torch.masked.masked_tensor, torch.masked.as_masked_tensor
    x = torch.tensor([-10.0, -5, 0, 5, 10, 50, 60, 70, 80, 90, 100], requires_grad=True)
    mask = x < 0
    mx = masked_tensor(x, mask, requires_grad=True)
    my = masked_tensor(torch.ones_like(x), ~mask, requires_grad=True)
    y = torch.where(mask, torch.exp(mx), my)
    y.sum().backward()
    print(y, mx.grad, my.grad, x.grad)

    x, div = torch.tensor([1.0, 1.0], requires_grad=True), torch.tensor([0.0, 1.0])
    y = x / div
    as_masked_tensor(y, div != 0).sum().backward()
    print(x.grad, type(x.grad).__name__)

    x = torch.tensor([1.0, 1.0], requires_grad=True)
    as_masked_tensor(x / div, div != 0).mean().backward()
    print(x.grad)
    x.grad = None
    (x * 2).sum().backward()
    print(x.grad)  # a pass without masks leaves no mask

    b = torch.ones(2, requires_grad=True)
    m = masked_tensor(torch.tensor([0.0, 2.0]), torch.tensor([False, True]))
    (m * b).log().sum().backward()
    print(b.grad)
    b = torch.ones((), requires_grad=True)
    (m * b).log().sum().backward()
    print(b.grad)

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    as_masked_tensor(x * x + x.exp().log(), div != 0).sum().backward()
    print(x.grad)
    data = torch.tensor([[3.0, 4, float("inf")], [float("nan"), 1, 2]])
    m = masked_tensor(data, ~(torch.isnan(data) | torch.isinf(data)))
    print(m, m.mean(), m.sum(0), m.amax(1))
