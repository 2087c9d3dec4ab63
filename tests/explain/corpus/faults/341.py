# cause: memory-loss-kept
# says: the validation loss sums tensors with their graphs; evaluate under torch.no_grad()
# follows: "Validation runs out of memory although training does not" (forum)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)
points = torch.rand(200, 2) * 2 - 1
labels = (points.pow(2).sum(1) < 0.6).long()
train_x, train_y = points[:120], labels[:120]
valid_x, valid_y = points[120:], labels[120:]

net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)


def validate():
    net.eval()
    val_loss, correct = 0, 0
    for i in range(0, 80, 10):
        output = net(valid_x[i : i + 10])
        val_loss += F.cross_entropy(output, valid_y[i : i + 10])  # <- here
        correct += (output.argmax(1) == valid_y[i : i + 10]).sum().item()
    return val_loss / 8, correct / 80


for epoch in range(6):
    net.train()
    optimizer.zero_grad()
    F.cross_entropy(net(train_x), train_y).backward()
    optimizer.step()
    val_loss, accuracy = validate()
    print(f"epoch {epoch} loss {val_loss.item():.3f} accuracy {accuracy:.2f}")

assert not val_loss.requires_grad, "the validation loss drags a graph behind it"
