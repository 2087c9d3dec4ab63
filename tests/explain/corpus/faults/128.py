# cause: function-grad-changed
# says: backward writes zeros into grad_output itself, which the other branch also receives
# follows: "Why does the tutorial's MyReLU clone grad_output before changing it?"
import torch


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        grad_output[input < 0] = 0  # <- here
        return grad_output


class Residual(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.skip = torch.nn.Linear(width, width, bias=False)
        self.main = torch.nn.Linear(width, width, bias=False)

    def forward(self, x, relu):
        return self.skip(x) + relu(self.main(x))


torch.manual_seed(0)
x, target = torch.randn(6, 3), torch.randn(6, 3)
block = Residual(3)
grads = []
for relu in (MyReLU.apply, torch.relu):
    block.zero_grad()
    loss = torch.nn.functional.mse_loss(block(x, relu), target)
    loss.backward()
    grads.append(block.skip.weight.grad.clone())
print("loss", round(loss.item(), 4))
assert torch.allclose(grads[0], grads[1]), "skip connection got another gradient"
