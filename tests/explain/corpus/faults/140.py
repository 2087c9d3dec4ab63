# cause: function-global-state
# says: backward reads the module-level temperature, which changed after forward had used it
# follows: own
import torch
from torch import nn

config = {"temperature": 1.0}


class Sharpen(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits):
        ctx.save_for_backward(logits)
        return torch.sigmoid(logits / config["temperature"])

    @staticmethod
    def backward(ctx, grad_output):
        (logits,) = ctx.saved_tensors
        temperature = config["temperature"]  # <- here
        s = torch.sigmoid(logits / temperature)
        return grad_output * s * (1 - s) / temperature


def anneal(step):
    config["temperature"] = max(0.1, 1.0 - 0.3 * step)


torch.manual_seed(0)
gate = nn.Parameter(torch.tensor([0.4, -0.6, 0.2]))
cost = torch.tensor([1.0, 2.0, 3.0])
optimizer = torch.optim.SGD([gate], lr=0.5)
for step in range(4):
    opened = Sharpen.apply(gate)
    loss = (opened * cost).sum() + (1 - opened).square().sum()
    anneal(step + 1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3), [round(v, 3) for v in gate.grad.tolist()])
