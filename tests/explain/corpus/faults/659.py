# cause: tying-broken
# says: decoder weights copied at init instead of tied
# follows: own
import torch
from torch import nn


class AE(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Linear(6, 3, bias=False)
        self.d = nn.Linear(3, 6, bias=False)
        self.d.weight = nn.Parameter(self.e.weight.t().clone())  # <- here

    def forward(self, x):
        return self.d(torch.tanh(self.e(x)))


torch.manual_seed(0)
m = AE()
opt = torch.optim.SGD(m.parameters(), 0.2)
x = torch.randn(20, 6)
for _ in range(5):
    opt.zero_grad()
    (m(x) - x).pow(2).mean().backward()
    opt.step()
assert torch.equal(m.e.weight.t(), m.d.weight), "decoder is not the transpose"
