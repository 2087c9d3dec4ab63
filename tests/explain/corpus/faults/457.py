# cause: flow-vanishing
# says: the recurrent weights are tiny: over 40 steps nothing of the gradient reaches the first input
# follows: own
import torch
from torch import nn

torch.manual_seed(0)


class MyRNN(nn.Module):
    def __init__(self, i, h):
        super().__init__()
        self.inp = nn.Linear(i, h)
        self.rec = nn.Linear(h, h, bias=False)
        nn.init.normal_(self.rec.weight, std=0.01)  # <- or here
        self.out = nn.Linear(h, 2)

    def forward(self, x):
        h = torch.zeros(x.shape[1], self.rec.in_features)
        for t in range(x.shape[0]):
            h = torch.tanh(self.inp(x[t]) + self.rec(h))  # <- here
        return self.out(h)


net = MyRNN(1, 16)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for it in range(5):
    x = torch.randn(40, 8, 1, requires_grad=True)
    y = (x[0, :, 0] > 0).long()
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), "first", x.grad[0].norm().item(), "last", x.grad[-1].norm().item())
