# healthy: spiking network, surrogate gradients, state over time
import torch


class Spike(torch.autograd.Function):
    gamma = 0.3

    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > 0).to(v.dtype)

    @staticmethod
    def backward(ctx, g):
        (v,) = ctx.saved_tensors
        return g * Spike.gamma * torch.clamp(1 - v.abs(), min=0)


torch.manual_seed(0)
w = (torch.randn(10, 6) * 0.5).requires_grad_()
out = torch.randn(6, 2, requires_grad=True)
opt = torch.optim.Adam([w, out], lr=0.02)
for epoch in range(5):
    v = torch.zeros(4, 6)
    total = 0
    torch.manual_seed(1)
    for t in range(8):
        x = (torch.rand(4, 10) > 0.5).float()
        v = 0.9 * v + x @ w
        z = Spike.apply(v - 1)
        v = v - z.detach()
        total = total + z @ out
    loss = torch.nn.functional.cross_entropy(total, torch.tensor([0, 1, 0, 1]))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
