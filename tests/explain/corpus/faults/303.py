# cause: nan-forward
# says: the Dice score of an empty prediction and an empty target is 0 / 0
# follows: "Dice loss becomes nan on images without any foreground"
import torch
from torch import nn


def dice_loss(probability, target):
    overlap = (probability * target).sum(dim=(1, 2))
    total = probability.sum(dim=(1, 2)) + target.sum(dim=(1, 2))
    return (1 - 2 * overlap / total).mean()  # <- here


torch.manual_seed(0)
images = torch.rand(4, 5, 5)
targets = (images > 0.6).float()
targets[2] = 0.0
images[2] = -400.0

gain = nn.Parameter(torch.tensor(5.0))
optimizer = torch.optim.Adam([gain], lr=0.05)
for step in range(3):
    loss = dice_loss(torch.sigmoid(gain * (images - 0.6)), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), gain.item())
