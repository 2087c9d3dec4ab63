# cause: wrote-saved-value
# says: smooth() changes the sigmoid's output in place, which sigmoid needs in its backward.
# follows: modified by an inplace operation: output 0 of SigmoidBackward
import torch
from torch import nn


def smooth(p, amount):
    keep = 1 - amount
    p *= keep  # <- here
    return p + amount / 2


def predict(layer, x):
    return torch.sigmoid(layer(x))


def log_loss(p, y):
    return -(y * p.log() + (1 - y) * (1 - p).log()).mean()


def main():
    torch.manual_seed(0)
    layer = nn.Linear(4, 1)
    x = torch.randn(10, 4)
    y = (x[:, :1] > 0).float()
    for epoch in range(3):
        p = smooth(predict(layer, x), 0.02)
        loss = log_loss(p, y)
        layer.zero_grad()
        loss.backward()
        with torch.no_grad():
            for w in layer.parameters():
                w.sub_(0.5 * w.grad)
        print(epoch, loss.item())


main()
