# cause: requires-grad-never-set
# says: x was never set to require a gradient: saliency is None
# follows: input gradient is None
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3))
img = torch.rand(1, 1, 4, 4)  # <- here
score = net(img)
score[0, score.argmax()].backward()
saliency = img.grad
assert saliency is not None
print(saliency.abs().amax(1))
