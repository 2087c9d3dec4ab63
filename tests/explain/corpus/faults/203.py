# cause: requires-grad-never-set
# says: require_grad is misspelt: it only makes a new attribute, requires_grad stays False
# follows: "x.require_grad = True does nothing" (question site)
import torch

a = torch.tensor([2.0, 3.0])
a.require_grad = True  # <- here
b = (a**2).sum()
b.backward()
print(a.grad)
