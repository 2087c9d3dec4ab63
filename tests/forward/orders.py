"""Second derivatives: forward over reverse, reverse over forward, and `.grad` inside a level."""

from typing import Any

_MAKERS: dict[str, Any] = {
    "cubes": lambda torch, x: (x**3).sum(),
    "exp": lambda torch, x: x.exp().mul(x).sum(),
    "tanh": lambda torch, x: x.tanh().pow(2).sum(),
    "product": lambda torch, x: x.prod(),
    "matmul": lambda torch, x: (x.outer(x) @ x).sigmoid().sum(),
    "written": lambda torch, x: x.clone().mul_(x).add_(x).mul_(x).sum(),
    "views": lambda torch, x: (x[1:] * x[:-1]).sin().sum() + x.view(3, 1).t().norm(),
    "max": lambda torch, x: x.max() ** 2 + x.sort().values[1] ** 3,
}


def _round(tensor: Any) -> Any:
    return [round(one, 5) + 0.0 for one in tensor.detach().tolist()]


def hessian_vector(torch: Any) -> Any:
    """The tangent of a gradient, and the gradient of a tangent."""
    fw = torch.autograd.forward_ad
    values, direction = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.0, 2.0, -0.5])
    seen = {}
    for name, function in _MAKERS.items():
        found = []
        for create in (False, True):
            x = values.clone().requires_grad_()
            with fw.dual_level():
                y = function(torch, fw.make_dual(x, direction))
                (grad,) = torch.autograd.grad(y, x, create_graph=create)
                tangent = fw.unpack_dual(grad).tangent
                found += [_round(tangent), tangent.requires_grad == create]
        x, v = values.clone().requires_grad_(), direction.clone().requires_grad_()
        with fw.dual_level():
            tangent = fw.unpack_dual(function(torch, fw.make_dual(x, v))).tangent
            of_x, of_v = torch.autograd.grad(tangent, (x, v))
        seen[name] = [*found, _round(of_x), _round(of_v)]
    return seen


def accumulated(torch: Any) -> Any:
    """`.grad` of a leaf inside a level."""
    fw = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    seen = []
    with fw.dual_level():
        for _ in range(2):
            (fw.make_dual(x, torch.tensor([1.0, -1.0])) ** 3).sum().backward()
            seen.append(repr(x.grad))
        x.grad = None
        (x * fw.make_dual(torch.ones(2), torch.ones(2))).sum().backward()
        seen.append(repr(x.grad))
    return [*seen, repr(x.grad)]


def third(torch: Any) -> Any:
    """Reverse over forward over reverse."""
    fw = torch.autograd.forward_ad
    x = torch.tensor([0.5, -1.0], requires_grad=True)
    with fw.dual_level():
        y = (fw.make_dual(x, torch.tensor([1.0, 3.0])) ** 4).sum()
        (grad,) = torch.autograd.grad(y, x, create_graph=True)
        return _round(torch.autograd.grad(fw.unpack_dual(grad).tangent.sum(), x)[0])


def hooked(torch: Any) -> Any:
    """Hooks see gradients that carry tangents, and may replace them."""
    fw = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    seen = []
    with fw.dual_level():
        y = fw.make_dual(x, torch.ones(2)) ** 2
        y.register_hook(lambda grad: grad * 2)
        z = y * y
        y.retain_grad()
        (grad,) = torch.autograd.grad(z.sum(), x)
        seen.append(repr(grad))
    return seen


def packed(torch: Any) -> Any:
    """What hooks packed, and what is computed again, has the tangents that it had."""
    fw = torch.autograd.forward_ad
    checkpoint = torch.utils.checkpoint.checkpoint
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, -1.0])
    a = x.clone().requires_grad_()
    seen = []
    with fw.dual_level():
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
            y = fw.make_dual(a, v)
            y = y * y * x
            y = y.sin() + y[0] * fw.make_dual(x, v)
        (grad,) = torch.autograd.grad(y.sum(), a, create_graph=True)
        seen += [_round(grad), _round(fw.unpack_dual(grad).tangent)]
        y = checkpoint(lambda t: (t.sin() * t).exp(), fw.make_dual(a, v), use_reentrant=False)
        (grad,) = torch.autograd.grad(y.sum(), a)
        return [*seen, _round(y), _round(grad), _round(fw.unpack_dual(grad).tangent)]
