# cause: cut-rounding
# says: floor has a derivative of zero everywhere
# follows: own
import torch

torch.manual_seed(0)
levels = torch.tensor(8.0)
x = torch.rand(10)
gain = torch.tensor(1.3, requires_grad=True)


def quantize(v):
    return torch.floor(v * levels) / levels  # <- here


out = quantize(gain * x)
loss = (out - x).square().mean()
(g,) = torch.autograd.grad(loss, gain)
print(loss.item(), g.item())
assert g != 0
