# cause: flow-saturated
# says: inputs of 0 to 255 saturate the sigmoids of the first layer; scale the pixels
# follows: "MNIST network with sigmoid does not train until I divide the images by 255" (Q&A site)
import torch
from torch import nn

torch.manual_seed(5)
pixels = torch.randint(0, 256, (60, 36)).float()  # <- or here
bright = (pixels[:, :18].mean(1) > pixels[:, 18:].mean(1)).float()

model = nn.Sequential(
    nn.Linear(36, 12),
    nn.Sigmoid(),  # <- here
    nn.Linear(12, 1),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(30):
    optimizer.zero_grad()
    loss = criterion(model(pixels).squeeze(1), bright)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch:2d} loss {loss.item():.4f}")

print("largest gradient of the first layer:", f"{model[0].weight.grad.abs().max().item():.1e}")
