# cause: zero-mask
# says: the attention mask excludes the whole prefix, so the prompt embedding gets a zero gradient
# follows: own
import torch
from torch import nn


class Prompted(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.prompt = nn.Parameter(torch.randn(n, d))
        self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.n = n

    def forward(self, x):
        seq = torch.cat([self.prompt, x])
        keep = torch.ones(len(seq))
        keep[: self.n] = 0
        seq = seq * keep[:, None]  # <- here
        s = self.q(x) @ self.k(seq).T / 2
        return s.softmax(-1) @ self.v(seq)


torch.manual_seed(42)
m = Prompted(4, 3)
tune = torch.optim.Adam([m.prompt], lr=0.1)
x, y = torch.randn(6, 4), torch.randn(6, 4)
seen = []
for _ in range(10):
    tune.zero_grad()
    loss = (m(x) - y).square().sum()
    loss.backward()
    tune.step()
    seen.append(loss.item())
print(seen[0], seen[-1])
print(m.prompt.grad)
assert seen[-1] < seen[0]
