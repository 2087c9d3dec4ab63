# healthy: features of a frozen network for a style loss, collected by hooks anew in each step
import torch
from torch import nn

torch.manual_seed(3)
vision = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 4, 3, padding=1), nn.ReLU()
)
for p in vision.parameters():
    p.requires_grad_(False)
features = []
for layer in vision:
    if isinstance(layer, nn.ReLU):
        layer.register_forward_hook(lambda module, args, output: features.append(output))


def gram(f):
    flat = f.flatten(2).squeeze(0)
    return flat @ flat.t() / flat.shape[1]


def look(image):
    features.clear()
    vision(image)
    return [gram(f) for f in features]


wanted = [g.detach() for g in look(torch.rand(1, 1, 8, 8))]
image = torch.rand(1, 1, 8, 8, requires_grad=True)
optimizer = torch.optim.Adam([image], lr=0.05)
history = []
for step in range(12):
    loss = sum((a - b).pow(2).sum() for a, b in zip(look(image), wanted, strict=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history.append(loss.item())
print("closer:", history[-1] < history[0])
