# cause: function-missing-gradient
# says: backward returns None for the weight, which needs a gradient
# follows: Custom Function: weight.grad is None
import torch
from torch import nn
import torch.nn.functional as F


class BinaryLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return F.linear(x, w.sign())

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w.sign(), None  # <- here


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pre = nn.Linear(5, 6)
        self.w = nn.Parameter(torch.randn(4, 6))
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        return self.fc(BinaryLinear.apply(torch.relu(self.pre(x)), self.w))


torch.manual_seed(0)
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.randn(10, 5), torch.randn(10, 1)
for _ in range(5):
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
assert net.w.grad is not None, "binary weights get no gradient"
