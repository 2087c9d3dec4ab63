# healthy: saved_tensors_hooks pack activations as half and unpack them again
import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks

torch.manual_seed(0)
packed = []


def pack(t):
    packed.append(t.numel())
    return t.dtype, t.half()


def unpack(stored):
    dtype, t = stored
    return t.to(dtype)


model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
x = torch.randn(20, 6)
model(x).pow(2).mean().backward()
exact = [p.grad.clone() for p in model.parameters()]
model.zero_grad()
with saved_tensors_hooks(pack, unpack):
    loss = model(x).pow(2).mean()
loss.backward()

error = max(
    (a - p.grad).abs().max().item() for a, p in zip(exact, model.parameters(), strict=True)
)
print("packed some:", len(packed) > 0, "close:", error < 1e-2)
