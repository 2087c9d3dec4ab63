# cause: view-regenerated
# says: left is a view: mul_ re-made its history after retain_grad, and the loss reads h
# follows: own
import torch
import torch.nn as nn

torch.manual_seed(0)

encode = nn.Linear(5, 6)
decode = nn.Linear(6, 2)


def forward(x, keep):
    h = encode(x)
    left, right = h[:, :3], h[:, 3:]
    left.retain_grad()
    right.retain_grad()
    left.mul_(keep)  # <- here
    return decode(h), left  # <- or here


def train(batches):
    seen = []
    for x, y in batches:
        out, left = forward(x, keep=0.8)
        nn.functional.mse_loss(out, y).backward()
        assert left.grad is not None, "nothing arrived at the left half"
        seen.append(left.grad.norm().item())
    return seen


print(train([(torch.randn(4, 5), torch.randn(4, 2)) for _ in range(3)]))
