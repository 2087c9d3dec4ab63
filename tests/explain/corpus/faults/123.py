# cause: function-saved-intermediate
# says: the saved gate is made inside forward, so the gradient penalty cannot see it depend on x
# follows: own
import torch
from torch import nn


class Gate(torch.autograd.Function):
    """x * sigmoid(x), keeping memory small."""

    @staticmethod
    def forward(ctx, x):
        gate = x.sigmoid()
        ctx.save_for_backward(x, gate)  # <- here
        return x * gate

    @staticmethod
    def backward(ctx, grad):
        x, gate = ctx.saved_tensors
        return grad * (gate + x * gate * (1 - gate))


class Critic(nn.Module):
    def __init__(self, activation):
        super().__init__()
        self.first = nn.Linear(2, 6)
        self.last = nn.Linear(6, 1)
        self.activation = activation

    def forward(self, x):
        return self.last(self.activation(self.first(x)))


def penalty_gradient(critic, points):
    points = points.clone().requires_grad_()
    (slope,) = torch.autograd.grad(critic(points).sum(), points, create_graph=True)
    penalty = ((slope.norm(dim=1) - 1) ** 2).mean()
    critic.zero_grad()
    penalty.backward()
    return critic.first.weight.grad.clone()


torch.manual_seed(0)
critic = Critic(Gate.apply)
points = torch.randn(5, 2)
ours = penalty_gradient(critic, points)
critic.activation = nn.functional.silu
plain = penalty_gradient(critic, points)
assert torch.allclose(ours, plain, atol=1e-5), f"differ by {(ours - plain).abs().max():.3f}"
