# cause: cut-rounding
# says: the derivative of round is zero everywhere, so nothing before it gets a gradient
# follows: "torch.round gives zero gradient" (forum)
import torch

torch.manual_seed(13)


def quantise(w, bits=4):
    levels = 2 ** (bits - 1) - 1
    scale = w.detach().abs().max() / levels
    return torch.round(w / scale) * scale  # <- here


weight = torch.randn(6, 3, requires_grad=True)
bias = torch.zeros(3, requires_grad=True)
x = torch.randn(40, 6)
goal = x @ torch.randn(6, 3) + 0.5

optimizer = torch.optim.SGD([weight, bias], lr=0.1)
for step in range(40):
    out = x @ quantise(weight) + bias
    loss = (out - goal).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, f"{loss.item():.4f}")

print("weight.grad", weight.grad.abs().max().item())
print("bias.grad is zero", bool((bias.grad == 0).all()))
