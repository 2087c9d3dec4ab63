# healthy: Gumbel-softmax with hard samples, top-k gates, experts that get no input in a step
import torch
import torch.nn.functional as F
from torch import nn


class Mixture(nn.Module):
    def __init__(self, experts=4, k=2):
        super().__init__()
        self.gate = nn.Linear(3, experts)
        self.experts = nn.ModuleList(nn.Linear(3, 1) for _ in range(experts))
        self.k = k

    def forward(self, x):
        scores = self.gate(x)
        top, index = scores.topk(self.k, dim=-1)
        weights = torch.zeros_like(scores).scatter(1, index, F.softmax(top, dim=-1))
        out = torch.zeros(len(x), 1)
        for i, expert in enumerate(self.experts):
            rows = (index == i).any(dim=1).nonzero().squeeze(1)
            if rows.numel():
                out = out.index_add(0, rows, weights[rows, i : i + 1] * expert(x[rows]))
        return out


torch.manual_seed(0)
model = Mixture()
x = torch.randn(40, 3)
y = torch.where(x[:, :1] > 0, x[:, 1:2], -x[:, 2:3])
optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
first = None
for _ in range(50):
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    first = first or loss.item()
print("fell", loss.item() < first)

logits = torch.randn(5, 3, requires_grad=True)
hard = F.gumbel_softmax(logits, tau=0.7, hard=True)
(hard * torch.arange(3.0)).sum().backward()
print("one hot", bool((hard.sum(1) == 1).all()), bool(logits.grad.abs().sum() > 0))
