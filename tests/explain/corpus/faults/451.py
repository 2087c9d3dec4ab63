# cause: replaced-parameter
# says: the weight is replaced by a new Parameter in every epoch; the optimizer keeps the first
# follows: own
import torch
from torch import nn


class Ridge(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(d))

    def shrink(self, k):
        self.w = nn.Parameter(self.w.data * k)  # <- here

    def forward(self, x):
        return x @ self.w


torch.manual_seed(0)
X = torch.randn(50, 3)
y = X @ torch.tensor([1.0, -2.0, 3.0])
m = Ridge(3)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
for epoch in range(20):
    loss = (m(X) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    m.shrink(0.999)
    if epoch % 5 == 0:
        print(epoch, loss.item())
print(m.w.tolist())
