# cause: frozen
# says: the loop freezes every parameter, the new classifier too, so nothing requires grad
# follows: "froze the pretrained model, backward: does not require grad" (question site)
import torch
from torch import nn

torch.manual_seed(0)


def load_backbone():
    return nn.Sequential(nn.Conv2d(1, 3, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())


def build(classes):
    model = nn.Sequential()
    model.add_module("backbone", load_backbone())
    model.add_module("classifier", nn.Linear(12, classes))
    for param in model.parameters():
        param.requires_grad = False  # <- here
    return model


model = build(classes=4)
images, labels = torch.rand(8, 1, 7, 7), torch.randint(0, 4, (8,))
optimizer = torch.optim.Adam(model.classifier.parameters(), lr=1e-3)

for epoch in range(3):
    scores = model(images)
    loss = nn.functional.cross_entropy(scores, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
