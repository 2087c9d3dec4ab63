# healthy: a classifier with DataLoader, Adam, dropout, batch norm, a metric and running loss
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 32)
        self.bn = nn.BatchNorm1d(32)
        self.drop = nn.Dropout(0.2)
        self.fc2 = nn.Linear(32, 3)

    def forward(self, x):
        return self.fc2(self.drop(F.relu(self.bn(self.fc1(x)))))


def train_epoch(model, loader, optimizer):
    model.train()
    running, correct, seen = 0.0, 0, 0
    for x, y in loader:
        optimizer.zero_grad()
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(x)
        correct += (logits.argmax(dim=1) == y).sum().item()
        seen += len(x)
    return running / seen, correct / seen


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = [(model(x).argmax(1) == y).float() for x, y in loader]
    return torch.cat(hits).mean().item()


torch.manual_seed(0)
data = torch.randn(120, 8)
label = data[:, :3].argmax(1)
train = DataLoader(TensorDataset(data[:90], label[:90]), batch_size=15)
test = DataLoader(TensorDataset(data[90:], label[90:]), batch_size=15)
model = Net()
optimizer = optim.Adam(model.parameters(), lr=0.01)
for _ in range(8):
    loss, accuracy = train_epoch(model, train, optimizer)
print("improved", loss < 1.0, accuracy > 0.6, evaluate(model, test) > 0.5)
