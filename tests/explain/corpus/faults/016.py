# cause: cut-inference-mode
# says: the features are inference tensors: they cannot be saved for the backward of the head
# follows: "Inference tensors cannot be saved for backward" (issue tracker)
import torch
from torch import nn

torch.manual_seed(0)

backbone = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 8))
head = nn.Linear(8, 3)


@torch.inference_mode()  # <- here
def extract(batch):
    backbone.eval()
    return backbone(batch)  # <- or here


images = torch.randn(30, 12)
labels = torch.randint(0, 3, (30,))
cache = [(extract(x), y) for x, y in zip(images.split(10), labels.split(10), strict=True)]

optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for epoch in range(3):
    for features, y in cache:
        loss = nn.functional.cross_entropy(head(features), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
