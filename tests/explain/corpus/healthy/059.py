# healthy: a convolutional network, partly ignored labels, training resumed from a copy
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 6, 3, padding=1)
        self.norm = nn.BatchNorm2d(6)
        self.up = nn.Conv2d(6, 2, 3, padding=1)

    def forward(self, x):
        h = F.max_pool2d(F.relu(self.norm(self.down(x))), 2)
        return self.up(F.interpolate(h, scale_factor=2, mode="nearest"))


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y, ignore_index=255)
    loss.backward()
    optimizer.step()
    return loss.item()


torch.manual_seed(0)
x = torch.randn(4, 1, 8, 8)
y = (x.squeeze(1) > 0).long()
y[:, 0, :] = 255
model = Segmenter()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
losses = [step(model, optimizer, x, y) for _ in range(15)]

saved = copy.deepcopy({"model": model.state_dict(), "optimizer": optimizer.state_dict()})
resumed = Segmenter()
resumed.load_state_dict(saved["model"])
second = torch.optim.Adam(resumed.parameters(), lr=0.02)
second.load_state_dict(saved["optimizer"])
a, b = step(model, optimizer, x, y), step(resumed, second, x, y)
print("fell", losses[-1] < losses[0], "resumed alike", abs(a - b) < 1e-5)
