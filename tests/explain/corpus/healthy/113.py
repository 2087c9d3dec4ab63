# healthy: an attack on the input: the image is made a leaf, the model's gradients are not kept
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).eval()
for p in model.parameters():
    p.requires_grad = False
image = torch.rand(1, 8)
label = model(image).argmax(dim=1)
adversarial = image.clone()
for _ in range(10):
    adversarial.requires_grad_(True)
    loss = nn.functional.cross_entropy(model(adversarial), label)
    loss.backward()
    adversarial = (adversarial + 0.05 * adversarial.grad.sign()).clamp(0, 1).detach()
print(model[0].weight.grad, (adversarial - image).abs().max().item() > 0)
