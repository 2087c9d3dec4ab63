# cause: function-global-state
# says: forward and backward both read a counter that every call raises, so backward uses the slope of a later call
# follows: own
import torch
from torch import nn

state = {"step": 0}


class Sharpened(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        state["step"] += 1
        ctx.save_for_backward(x)
        return torch.sigmoid(state["step"] * x)  # <- here

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        k = state["step"]
        p = torch.sigmoid(k * x)
        return grad_output * k * p * (1 - p)


torch.manual_seed(0)
net = nn.Linear(3, 2)
x = torch.randn(5, 3)
first, second = Sharpened.apply(net(x)), Sharpened.apply(net(-x))
first.sum().backward()
reference = nn.Linear(3, 2)
reference.load_state_dict(net.state_dict())
torch.sigmoid(reference(x)).sum().backward()
print(net.weight.grad)
print(reference.weight.grad)
assert torch.allclose(net.weight.grad, reference.weight.grad, atol=1e-6)
