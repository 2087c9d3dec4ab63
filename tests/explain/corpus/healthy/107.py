# healthy: what detach and no_grad do to a gradient is asserted, as in a test suite
import torch

w = torch.tensor([2.0, -1.0], requires_grad=True)
frozen = torch.tensor([1.0, 1.0])
hidden = w * frozen
hidden.retain_grad()
cut = hidden.detach()
loss = (hidden * cut).sum()
loss.backward()
assert w.grad is not None
assert frozen.grad is None
assert cut.grad is None
assert not cut.requires_grad
with torch.no_grad():
    assert not (w * 2).requires_grad
assert not (w > 0).requires_grad
assert hidden.grad.tolist() == cut.tolist()
print("as expected")
