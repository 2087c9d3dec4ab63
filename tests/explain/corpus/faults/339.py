# cause: gradcheck-wrong-part
# says: of the parts of the network it is Swish whose backward lacks the factor 1 - s
# follows: own
import torch
import torch.nn as nn


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        return g * (s + x * s)  # <- here


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 4).double(), nn.Linear(4, 2).double()

    def forward(self, x):
        return torch.tanh(self.b(Swish.apply(self.a(x))))


torch.manual_seed(0)
net = Net()
x = torch.randn(2, 3, dtype=torch.double, requires_grad=True)
torch.autograd.gradcheck(net, (x,))
