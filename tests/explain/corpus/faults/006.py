# cause: requires-grad-never-set
# says: the image was never told to require grad, so backward only reaches the model's weights
# follows: "FGSM attack: 'NoneType' object has no attribute 'sign'" (forum)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)


def fgsm(model, image, label, eps):
    logits = model(image)
    loss = F.cross_entropy(logits, label)
    model.zero_grad()
    loss.backward()
    return (image + eps * image.grad.sign()).clamp(0, 1)


model = nn.Sequential(nn.Flatten(), nn.Linear(36, 12), nn.ReLU(), nn.Linear(12, 4))
model.eval()

image = torch.rand(1, 1, 6, 6)  # <- here
label = model(image).argmax(dim=1)

for eps in (0.0, 0.1, 0.3):
    attacked = fgsm(model, image, label, eps)
    print(eps, model(attacked).argmax(dim=1).item() == label.item())
