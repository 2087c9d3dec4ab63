# healthy: differences that are rounding only: Newton's residual, identities, autograd beside a formula
import torch

root = torch.tensor(1.0)
for _ in range(8):
    root = root - (root * root - 2) / (2 * root)
print("residual", (root * root - 2).item(), (root - 2**0.5).item())

x = torch.linspace(0.1, 3, 7, requires_grad=True)
print("identity", (x.sin() ** 2 + x.cos() ** 2 - 1).abs().max().item())
print("inverse", (x.exp().log() - x).abs().max().item())
y = (x.sin() * x.exp()).sum()
y.backward()
with torch.no_grad():
    formula = (x.cos() + x.sin()) * x.exp()
print("gradient", (x.grad - formula).abs().max().item())

flow = torch.zeros(3)
target = torch.tensor([1.0, 2.0, 3.0])
for _ in range(80):
    flow = flow - 0.3 * (flow - target)
print("distance", flow - target)
assert (flow - target).abs().max() < 1e-5
