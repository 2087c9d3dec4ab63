# healthy: double where, eps in sqrt and log, logsumexp: zeros and large numbers do no harm
import torch


def safe_norm(x, eps=1e-12):
    return torch.sqrt((x * x).sum(-1) + eps)


def xlogx(p):
    positive = p > 0
    inner = torch.where(positive, p, torch.ones_like(p))
    return torch.where(positive, p * torch.log(inner), torch.zeros_like(p))


def log_mean_exp(x):
    return torch.logsumexp(x, dim=-1) - torch.log(torch.tensor(float(x.shape[-1])))


points = torch.tensor([[3.0, 4.0], [0.0, 0.0]], requires_grad=True)
safe_norm(points).sum().backward()
print(points.grad)

p = torch.tensor([0.0, 0.25, 0.75], requires_grad=True)
(-xlogx(p).sum()).backward()
print(p.grad)

big = torch.tensor([1000.0, 1001.0, -1000.0], requires_grad=True)
log_mean_exp(big).backward()
print(big.grad)

q = torch.tensor([0.0, 1.0], requires_grad=True)
loss = (
    -(torch.log(q + 1e-8) + torch.log(1 - q + 1e-6)).mean() * 0.0 + q.clamp(1e-6, 1 - 1e-6).sum()
)
loss.backward()
print(bool(torch.isfinite(q.grad).all()))
