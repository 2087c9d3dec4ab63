# cause: flow-zero-init
# says: all units of the hidden layer start alike, get the same gradient and stay alike
# follows: forum: constant initialisation, the network never learns XOR
import torch
from torch import nn


class Mlp(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.second = nn.Linear(hidden, 1)
        for p in self.parameters():
            nn.init.constant_(p, 0.2)  # <- here

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


net = Mlp(2, 8)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
for _ in range(150):
    opt.zero_grad()
    loss = (net(x) - y).square().mean()
    loss.backward()
    opt.step()
assert loss.item() < 0.05, f"XOR is not learnt: {loss.item():.3f}"
