# cause: function-grad-ignored
# says: backward returns the local derivative and never multiplies by grad_output
# follows: "Custom loss function: gradient does not change when I scale the loss"
import torch
from torch.autograd import Function


class HuberLike(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        ctx.save_for_backward(prediction, target)
        difference = prediction - target
        return torch.sqrt(1 + difference**2).sum() - difference.numel()

    @staticmethod
    def backward(ctx, grad_output):
        prediction, target = ctx.saved_tensors
        difference = prediction - target
        slope = difference / torch.sqrt(1 + difference**2)
        return slope, None  # <- here


def train(scale, steps=10):
    torch.manual_seed(0)
    weight = torch.zeros(3, 1, requires_grad=True)
    x = torch.randn(20, 3)
    y = x @ torch.tensor([[1.0], [-2.0], [0.5]])
    optimizer = torch.optim.SGD([weight], lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = HuberLike.apply(x @ weight, y) * scale
        loss.backward()
        optimizer.step()
    return weight.detach().flatten()


for scale in (1.0, 0.1, 0.0):
    print(f"scale {scale}:", [round(w, 3) for w in train(scale).tolist()])
