# cause: view-regenerated
# says: the view was made before its base was changed in place; its history is regenerated and its grad not kept
# follows: own
import torch

torch.manual_seed(0)
base = torch.zeros(4)
row = base[1:3]
w = torch.ones(2, requires_grad=True)
base[1:3] = w * 3  # <- here
print(row.requires_grad, row.grad_fn)
(row**2).sum().backward()
print(row.grad, w.grad)
assert row.grad is not None
