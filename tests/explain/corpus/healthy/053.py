# healthy: MAML: the inner step is differentiated through, fast weights are no leaves
import torch
import torch.nn.functional as F

torch.manual_seed(0)


def net(x, params):
    w1, b1, w2, b2 = params
    return torch.tanh(x @ w1 + b1) @ w2 + b2


meta = [
    (0.5 * torch.randn(1, 16)).requires_grad_(),
    torch.zeros(16, requires_grad=True),
    (0.5 * torch.randn(16, 1)).requires_grad_(),
    torch.zeros(1, requires_grad=True),
]
optimizer = torch.optim.Adam(meta, lr=0.01)


def task():
    phase = torch.rand(1) * 3
    x = torch.rand(20, 1) * 6 - 3
    y = torch.sin(x + phase)
    return x[:10], y[:10], x[10:], y[10:]


for _ in range(12):
    outer = 0.0
    for _ in range(3):
        xs, ys, xq, yq = task()
        fast = list(meta)
        for _ in range(2):
            inner = F.mse_loss(net(xs, fast), ys)
            grads = torch.autograd.grad(inner, fast, create_graph=True)
            fast = [p - 0.05 * g for p, g in zip(fast, grads, strict=True)]
        outer = outer + F.mse_loss(net(xq, fast), yq)
    optimizer.zero_grad()
    (outer / 3).backward()
    optimizer.step()

print("meta gradients", [tuple(p.grad.shape) for p in meta])
print("finite", bool(torch.isfinite(outer)))
