# cause: hidden-write-backward
# says: MyReLU.backward writes into grad_output itself, which the skip connection shares.
# follows: Custom ReLU without grad_output.clone(): wrong gradients in a residual network
import torch


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        grad_input = grad_output
        grad_input[input < 0] = 0  # <- here
        return grad_input


def network(x, activation, w1, w2):
    skip = x @ w1
    side = activation(x @ w2)
    return (skip + side).square().mean()


torch.manual_seed(0)
x = torch.randn(6, 4)
w1 = torch.randn(4, 3, requires_grad=True)
w2 = torch.randn(4, 3, requires_grad=True)

results = []
for activation in (torch.relu, MyReLU.apply):
    value = network(x, activation, w1, w2)
    results.append(torch.autograd.grad(value, (w1, w2)))
    print("value", round(value.item(), 4))

(a1, a2), (b1, b2) = results
print("w1", round(a1.norm().item(), 4), round(b1.norm().item(), 4))
print("w2", round(a2.norm().item(), 4), round(b2.norm().item(), 4))
assert torch.allclose(a2, b2), "w2 should agree"
assert torch.allclose(a1, b1), "w1 should agree"
