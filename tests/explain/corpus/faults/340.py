# cause: memory-loss-kept
# says: the meter adds up the loss tensor itself, so every batch's graph stays; pass loss.item()
# follows: "AverageMeter makes GPU memory grow when given the loss tensor" (forum)
import torch
from torch import nn


class AverageMeter:
    """Computes and stores the average and current value"""

    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n  # <- here
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count


def train(loader, model, criterion, optimizer):
    meter = AverageMeter()
    for inputs, target in loader:
        loss = criterion(model(inputs), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss, inputs.size(0))  # <- or here
    return meter.avg


torch.manual_seed(0)
inputs = torch.randn(96, 7)
target = inputs[:, :2].sum(1, keepdim=True)
loader = [(inputs[i : i + 8], target[i : i + 8]) for i in range(0, 96, 8)]
model = nn.Sequential(nn.Linear(7, 12), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    average = train(loader, model, nn.MSELoss(), optimizer)
    print(epoch, average.grad_fn is None, f"{average.item():.3f}")
