# cause: nan-backward
# says: the distance of each point to itself is 0 and sqrt has an infinite slope there: inf * 0 is NaN in backward, though the diagonal is masked afterwards
# follows: forum: "pairwise distance sqrt gives nan gradient on the diagonal"
import torch

torch.manual_seed(0)
points = torch.randn(5, 2, requires_grad=True)
delta = points[:, None] - points[None]
dist = delta.pow(2).sum(-1).sqrt()  # <- here
eye = torch.eye(5, dtype=torch.bool)
repulsion = torch.where(eye, torch.zeros(()), torch.exp(-dist)).sum()
print("energy", repulsion.item())
repulsion.backward()
print("finite gradient:", torch.isfinite(points.grad).all().item())
assert torch.isfinite(points.grad).all()
