# cause: never-used
# says: the result that uses `temperature` is thrown away, so the loss does not depend on it
# follows: own
import torch
from torch import nn, optim


class CalibratedClassifier(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.fc = nn.Linear(features, classes)
        self.temperature = nn.Parameter(torch.ones(1) * 1.5)  # <- or here

    def forward(self, x):
        logits = self.fc(x)
        scaled = logits / self.temperature.clamp(min=0.05)  # <- here
        probabilities = scaled.softmax(dim=-1)
        return logits, probabilities


torch.manual_seed(11)
data = torch.randn(30, 4)
labels = (data[:, 0] > 0).long()
net = CalibratedClassifier(4, 2)
opt = optim.SGD(net.parameters(), lr=0.5)
loss_fn = nn.CrossEntropyLoss()

for _ in range(10):
    logits, _ = net(data)
    loss = loss_fn(logits, labels)
    opt.zero_grad()
    loss.backward()
    opt.step()

print("loss", round(loss.item(), 4))
assert net.temperature.grad is not None, "temperature gets no gradient"
print("temperature", net.temperature.item())
