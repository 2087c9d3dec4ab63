# healthy: adversarial examples: the input is a leaf again after every projected step
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.rand(60, 8)
y = (x[:, :4].sum(1) > x[:, 4:].sum(1)).long()
model = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for _ in range(60):
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()

model.eval()
for p in model.parameters():
    p.requires_grad_(False)


def fgsm(x, y, eps):
    x = x.clone().detach().requires_grad_(True)
    F.cross_entropy(model(x), y).backward()
    return (x + eps * x.grad.sign()).clamp(0, 1).detach()


def pgd(x, y, eps, alpha, steps):
    adv = x.clone().detach() + torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        adv = adv.detach().requires_grad_(True)
        (grad,) = torch.autograd.grad(F.cross_entropy(model(adv), y), adv)
        adv = adv.detach() + alpha * grad.sign()
        adv = torch.clamp(x + torch.clamp(adv - x, -eps, eps), 0, 1)
    return adv.detach()


def accuracy(inputs):
    return (model(inputs).argmax(1) == y).float().mean().item()


print("weaker under attack:", accuracy(fgsm(x, y, 0.1)) < accuracy(x))
print("pgd too:", accuracy(pgd(x, y, 0.1, 0.03, 5)) < accuracy(x))
