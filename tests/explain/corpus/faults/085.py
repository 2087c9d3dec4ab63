# cause: state-on-class
# says: The mask is kept on the class, so both backwards use the one of the second call.
# follows: Function keeps self/cls attribute instead of ctx: wrong when applied twice
import torch
from torch import nn
from torch.autograd import Function


class Clip(Function):
    inside = None

    @staticmethod
    def forward(ctx, x, bound):
        Clip.inside = x.abs() <= bound  # <- here
        return x.clamp(-bound, bound)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * Clip.inside, None  # <- or here


class Net(nn.Module):
    def __init__(self, clip):
        super().__init__()
        self.one, self.two = nn.Linear(3, 4), nn.Linear(4, 4)
        self.clip = clip

    def forward(self, x):
        h = self.clip(self.one(x), 1.0)
        return self.clip(self.two(h), 0.5)


def weight_gradient(clip):
    torch.manual_seed(0)
    net = Net(clip)
    net(torch.randn(5, 3)).square().sum().backward()
    return net.one.weight.grad


ours = weight_gradient(Clip.apply)
theirs = weight_gradient(lambda x, bound: x.clamp(-bound, bound))
print("ours  ", [round(v, 4) for v in ours[:, 0].tolist()])
print("theirs", [round(v, 4) for v in theirs[:, 0].tolist()])
assert torch.allclose(ours, theirs)
