# cause: loss-softmax-before-cross-entropy
# says: The model ends in a softmax and CrossEntropyLoss applies another one; give it the logits.
# follows: Should I use softmax as the last layer with CrossEntropyLoss? Loss stuck at 0.55
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(10)
points = torch.randn(60, 2)
labels = (points[:, 0] > 0).long() + (points[:, 1] > 0).long()

model = nn.Sequential(
    nn.Linear(2, 20),
    nn.ReLU(),
    nn.Linear(20, 3),
    nn.Softmax(dim=1),  # <- here
)
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(model.parameters(), lr=0.03)

for epoch in range(80):
    prediction = model(points)
    loss = criterion(prediction, labels)  # <- or here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0:
        accuracy = (prediction.argmax(1) == labels).float().mean()
        print(f"{epoch:3d} loss {loss.item():.4f} accuracy {accuracy.item():.2f}")
print(f"final loss {loss.item():.4f}, the best possible is {0.5514:.4f}")
