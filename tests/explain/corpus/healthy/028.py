# healthy: domain-adversarial training, the gradient is reversed on purpose
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Function


class ReverseLayerF(Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class DANN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.label = nn.Linear(16, 2)
        self.domain = nn.Linear(16, 2)

    def forward(self, x, alpha):
        f = self.features(x)
        return self.label(f), self.domain(ReverseLayerF.apply(f, alpha))


torch.manual_seed(0)
source = torch.randn(40, 4)
target = torch.randn(40, 4) + torch.tensor([0.0, 0.0, 2.0, 0.0])
y = (source[:, 0] > 0).long()
domain = torch.cat([torch.zeros(40), torch.ones(40)]).long()
model = DANN()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for step in range(40):
    alpha = 2 / (1 + math.exp(-10 * step / 40)) - 1
    label, where = model(torch.cat([source, target]), alpha)
    loss = F.cross_entropy(label[:40], y) + F.cross_entropy(where, domain)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("classes learned:", F.cross_entropy(label[:40], y).item() < 0.4)
