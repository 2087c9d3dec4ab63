# cause: empty-mean
# says: a batch without any positive sample makes the mean of an empty selection, which is NaN
# follows: "Masked loss is nan for some batches, mean of empty tensor"
import torch
from torch import nn
from torch.nn import functional as F


def box_loss(predicted, wanted, positive):
    each = F.smooth_l1_loss(predicted, wanted, reduction="none").sum(dim=1)
    return each[positive].mean()  # <- here


torch.manual_seed(0)
images = torch.randn(12, 6)
boxes = torch.rand(12, 4)
has_object = torch.tensor([1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 1], dtype=torch.bool)

head = nn.Linear(6, 5)
optimizer = torch.optim.SGD(head.parameters(), lr=0.05)
for start in range(0, 12, 3):
    batch = slice(start, start + 3)
    output = head(images[batch])
    score, box = output[:, 0], output[:, 1:]
    objectness = F.binary_cross_entropy_with_logits(score, has_object[batch].float())
    loss = objectness + box_loss(box, boxes[batch], has_object[batch])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"batch {start // 3}: {loss.item():.4f}")
print("weights finite:", torch.isfinite(head.weight).all().item())
