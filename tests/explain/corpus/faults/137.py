# cause: function-aliased-output
# says: forward returns a view of its input, so the output cannot be changed in place
# follows: "Output 0 of ...Backward is a view and is being modified inplace (custom Function)"
import torch
from torch import nn


class ScaleGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view(x.shape)  # <- here

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 4)
        self.policy = nn.Linear(4, 2)
        self.value = nn.Linear(4, 1)

    def forward(self, x):
        features = self.trunk(x)
        slow = ScaleGradient.apply(features, 0.5)
        slow += 0.1
        return self.policy(features), self.value(torch.relu(slow))


torch.manual_seed(0)
net = TwoHeads()
policy, value = net(torch.randn(3, 4))
loss = policy.logsumexp(dim=1).mean() + value.square().mean()
loss.backward()
print("trunk", net.trunk.weight.grad.norm().item())
