# cause: function-kept-on-ctx
# says: x is kept by attribute instead of save_for_backward, so nothing noticed that it was changed
# follows: "What is the difference between ctx.x = x and ctx.save_for_backward(x)?"
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x  # <- here
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * ctx.x * grad_output


def energy(velocity, masses):
    kinetic = Square.apply(velocity) * masses / 2
    velocity += 1.0  # <- or here
    return kinetic.sum()


masses = torch.tensor([1.0, 2.0, 4.0])
start = torch.tensor([0.5, 1.0, -1.5], requires_grad=True)
total = energy(start * 1.0, masses)
total.backward()
print("energy", total.item())
print("momentum", start.grad.tolist())
assert torch.allclose(start.grad, masses * start.detach())
