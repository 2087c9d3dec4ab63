# cause: gradcheck-kink
# says: one margin is exactly zero, where relu has a kink; check at another point
# follows: "gradcheck fails for relu/abs when the input contains zeros" (tracker)
import torch


def hinge(scores, sign, weight):
    margin = 1 - sign * scores
    return (weight * torch.relu(margin)).sum()  # <- here


sign = torch.tensor([1.0, -1.0, 1.0, 1.0], dtype=torch.float64)
weight = torch.tensor([0.5, 1.0, 1.5, 2.0], dtype=torch.float64)
scores = torch.tensor([0.7, 0.4, 1.0, 3.0], dtype=torch.float64, requires_grad=True)  # <- or here

value = hinge(scores, sign, weight)
print("value", value.item())
assert torch.autograd.gradcheck(lambda s: hinge(s, sign, weight), (scores,))
print("gradients agree")
