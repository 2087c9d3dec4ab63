# healthy: two gradients, one after the other, each from zero; the difference is what is wanted
import torch
from torch import nn

torch.manual_seed(4)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))


def gradient_of(x, y):
    net.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    return torch.cat([p.grad.flatten() for p in net.parameters()])


x, y = torch.randn(40, 3), torch.randn(40, 1)
whole = gradient_of(x, y)
halves = [gradient_of(x[:20], y[:20]), gradient_of(x[20:], y[20:])]
cosine = torch.cosine_similarity(halves[0], halves[1], dim=0).item()
print("agreement of the halves", cosine)
assert torch.allclose(whole, (halves[0] + halves[1]) / 2, atol=1e-6)
