# cause: optimizer-holds-copies
# says: The optimizer holds the first model; the one trained afterwards is a deep copy.
# follows: Loss does not decrease after reloading the model (optimizer made too early)
import copy

import torch
import torch.nn as nn
import torch.optim as optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3, padding=1)
        self.fc = nn.Linear(4 * 8, 2)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        return self.fc(x.flatten(1))


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = optim.Adam(self.model.parameters(), lr=lr)  # <- or here
        self.criterion = nn.CrossEntropyLoss()
        self.best = None

    def remember(self):
        self.best = copy.deepcopy(self.model)

    def restore(self):
        self.model = copy.deepcopy(self.best)  # <- here

    def epoch(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()


torch.manual_seed(0)
x = torch.randn(16, 1, 8)
y = (x.sum((1, 2)) > 0).long()
trainer = Trainer(Net(), lr=0.02)
for _ in range(3):
    print("warm-up", round(trainer.epoch(x, y), 4))
trainer.remember()
trainer.restore()
losses = [trainer.epoch(x, y) for _ in range(6)]
print("after the restore:", [round(v, 4) for v in losses])
