"""More graphs to draw, of every kind of operator, each plainly and with all that its nodes keep.

Where our nodes keep something else than PyTorch's the second picture is asked of PyTorch's only.
"""

from typing import Any

from tests.documents.doc000 import _product_and_sum, _product_function
from tests.documents.doc002 import _cube
from tests.viz.drawn_cases import drawn


def _both(torch: Any, var: Any, **params: Any) -> list[Any]:
    return [
        drawn(torch, var, params),
        drawn(torch, var, params, show_attrs=True, show_saved=True),
    ]


def _leaf(torch: Any, *shape: int) -> Any:
    return torch.ones(*shape, requires_grad=True)


def document_product_and_sum(torch: Any) -> Any:
    return _both(torch, _product_and_sum(torch))


def document_product_function(torch: Any) -> Any:
    a, b = _leaf(torch, 2), _leaf(torch, 2)
    return _both(torch, _product_function(torch).apply(a, b), a=a, b=b)


def document_cube_three_times(torch: Any) -> Any:
    x = _leaf(torch, 2)
    out = _cube(torch)(x)
    (first,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    return _both(torch, (second, first, x, out), second=second, first=first, x=x, out=out)


def second_derivative(torch: Any) -> Any:
    x = _leaf(torch, 3)
    (grad,) = torch.autograd.grad((x.sin() * x.exp()).sum(), x, create_graph=True)
    return _both(torch, grad, x=x)


def penalty_on_the_gradient(torch: Any) -> Any:
    x, w = _leaf(torch, 4, 2), _leaf(torch, 2, 1)
    out = (x @ w).sin().sum()
    (grad,) = torch.autograd.grad(out, x, create_graph=True)
    return _both(torch, out + (grad**2).sum(), x=x, w=w)


def convolutional_network(torch: Any) -> Any:
    nn = torch.nn
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2),
                        nn.Flatten(), nn.Linear(18, 3))  # fmt: skip
    loss = nn.functional.cross_entropy(net(torch.ones(2, 1, 8, 8)), torch.tensor([0, 2]))
    return _both(torch, loss, **dict(net.named_parameters()))


def attention(torch: Any) -> Any:
    q, k, v = (_leaf(torch, 2, 4) for _ in range(3))
    scores = (q @ k.transpose(0, 1) / 2).softmax(-1)
    return _both(torch, scores @ v, q=q, k=k, v=v)


def normalised(torch: Any) -> Any:
    x, w, b = _leaf(torch, 2, 4), _leaf(torch, 4), _leaf(torch, 4)
    return _both(torch, torch.nn.functional.layer_norm(x, (4,), w, b), x=x, w=w, b=b)


def embedded(torch: Any) -> Any:
    table = _leaf(torch, 5, 2)
    return _both(torch, torch.nn.functional.embedding(torch.tensor([0, 3]), table), table=table)


def joined(torch: Any) -> Any:
    a, b = _leaf(torch, 2), _leaf(torch, 2)
    return _both(torch, (torch.cat([a, b * 2, a]).sum(), torch.stack([a, b])), a=a, b=b)


def split_and_chunked(torch: Any) -> Any:
    x = _leaf(torch, 4)
    a, b = torch.chunk(x * 1, 2)
    return _both(torch, (a + b, a), x=x)


def indexed(torch: Any) -> Any:
    x = _leaf(torch, 3, 3)
    return _both(
        torch, x[1:, [0, 2]].sum() + x[0, 0] + x.gather(0, torch.tensor([[1]])).sum(), x=x
    )


def chosen(torch: Any) -> Any:
    x, y = _leaf(torch, 3), _leaf(torch, 3)
    return _both(torch, torch.where(x > 0, x, y).max() + torch.maximum(x, y).sum(), x=x, y=y)


def with_indices(torch: Any) -> Any:
    x = _leaf(torch, 2, 3)
    values, _ = x.max(dim=1)
    return _both(torch, values + x.topk(1, dim=1).values.squeeze(1) + x.sort().values[:, 0], x=x)


def statistics(torch: Any) -> Any:
    x = _leaf(torch, 2, 3)
    return _both(torch, x.var() + x.std(0).sum() + x.norm() + x.prod() + x.logsumexp(1).sum())


def linear_algebra(torch: Any) -> Any:
    a = torch.eye(2).mul(2).requires_grad_()
    return _both(torch, torch.linalg.inv(a).sum() + torch.linalg.det(a) + torch.einsum("ii", a))


def complex_values(torch: Any) -> Any:
    z = torch.ones(2, dtype=torch.complex64, requires_grad=True)
    return _both(torch, (z * z.conj()).real.sum() + z.abs().sum(), z=z)


def changing_dtypes(torch: Any) -> Any:
    x = _leaf(torch, 2)
    return _both(torch, x.double().sum() + x.half().float().sum() + x.to(torch.float64).mean())


def written_in_place(torch: Any) -> Any:
    x, base = _leaf(torch, 2), torch.zeros(2, 2)
    base[0] = x
    base[1].add_(x).mul_(2)
    return _both(torch, base.relu_().sum(), x=x)


def losses(torch: Any) -> Any:
    x, functional = _leaf(torch, 2), torch.nn.functional
    target = torch.zeros(2)
    total = functional.mse_loss(x, target) + functional.huber_loss(x, target)
    return _both(torch, total + functional.binary_cross_entropy_with_logits(x, target), x=x)


def reused_layers(torch: Any) -> Any:
    layer, x = torch.nn.Linear(2, 2), torch.ones(1, 2)
    for _ in range(3):
        x = torch.nn.functional.gelu(layer(x))
    return _both(torch, x, **dict(layer.named_parameters()))


def frozen_and_detached(torch: Any) -> Any:
    x, frozen = _leaf(torch, 2), torch.ones(2)
    return _both(torch, x * frozen + x.detach() * x, x=x, frozen=frozen)


def resampled(torch: Any) -> Any:
    x, functional = _leaf(torch, 1, 1, 4, 4), torch.nn.functional
    small = functional.avg_pool2d(x, 2)
    return _both(torch, functional.interpolate(functional.pad(small, (1, 1)), scale_factor=2))


def function_with_two_outputs(torch: Any) -> Any:
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            ctx.save_for_backward(a, b)
            return a * b, a + b

        @staticmethod
        def backward(ctx: Any, product: Any, total: Any) -> Any:
            a, b = ctx.saved_tensors
            return product * b + total, product * a + total

    a, b = _leaf(torch, 2), _leaf(torch, 2)
    product, total = Both.apply(a, b)
    return _both(torch, (product * total, Both.apply(total, a)[0]), a=a, b=b)
