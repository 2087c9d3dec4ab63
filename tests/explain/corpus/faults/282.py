# cause: hidden-write-hook
# says: The hook zeroes small entries of its gradient in place; the other branch shares it.
# follows: own
import torch

torch.manual_seed(0)
signal = torch.randn(6, requires_grad=True)
smooth = torch.sin(signal)
rough = torch.cos(3 * signal)


def sparsify(gradient):
    small = gradient.abs() < gradient.abs().mean()
    gradient[small] = 0.0  # <- here


rough.register_hook(sparsify)
energy = (smooth + rough).square().sum()
smooth.retain_grad()
energy.backward()
print("gradient at the smooth branch", smooth.grad)
print("by hand", 2 * (smooth + rough).detach())
