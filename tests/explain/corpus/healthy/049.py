# healthy: a pairwise difference (N, 1) - (N) is wanted: a Gaussian kernel and a ranking loss
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.linspace(-2, 2, 12)
y = torch.sin(2 * x) + 0.05 * torch.randn(12)
log_length = torch.zeros((), requires_grad=True)
log_noise = torch.tensor(-1.0, requires_grad=True)


def kernel(a, b):
    difference = a[:, None] - b
    return torch.exp(-0.5 * (difference / log_length.exp()) ** 2)


def negative_log_likelihood():
    K = kernel(x, x) + log_noise.exp() * torch.eye(12)
    L = torch.linalg.cholesky(K)
    alpha = torch.cholesky_solve(y[:, None], L)
    return 0.5 * (y @ alpha).squeeze() + L.diagonal().log().sum()


optimizer = torch.optim.Adam([log_length, log_noise], lr=0.1)
first = negative_log_likelihood().item()
for _ in range(25):
    optimizer.zero_grad()
    loss = negative_log_likelihood()
    loss.backward()
    optimizer.step()
print("better", loss.item() < first)

scores = torch.randn(6, requires_grad=True)
order = torch.tensor([3.0, 1.0, 2.0, 6.0, 5.0, 4.0])
sign = torch.sign(order[:, None] - order)
ranking = F.softplus(-sign * (scores[:, None] - scores))[sign != 0].mean()
ranking.backward()
print(scores.grad.shape)
