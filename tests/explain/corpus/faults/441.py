# cause: requires-grad-never-set
# says: the image is handed to the optimizer, but was made without requires_grad
# follows: Neural style transfer: element 0 of tensors does not require grad
import torch
from torch import nn

torch.manual_seed(0)
cnn = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 4, 3, padding=1))
for p in cnn.parameters():
    p.requires_grad_(False)
content = torch.rand(1, 3, 8, 8)
target = cnn(content)
image = content.clone() + 0.1 * torch.randn(1, 3, 8, 8)  # <- here
opt = torch.optim.Adam([image], lr=0.05)  # <- or here
for _ in range(3):
    opt.zero_grad()
    loss = (cnn(image) - target).pow(2).mean()
    loss.backward()
    opt.step()
