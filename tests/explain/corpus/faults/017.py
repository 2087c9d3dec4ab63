# cause: cut-set-grad-enabled
# says: validate() calls set_grad_enabled(False) and nobody switches gradients on again
# follows: own
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(21)


def validate(net, x, y):
    net.eval()
    torch.set_grad_enabled(False)  # <- here
    error = F.l1_loss(net(x), y).item()
    net.train()
    return error


def fit(net, train, val, epochs=3):
    optimizer = optim.RMSprop(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for x, y in zip(train[0].split(8), train[1].split(8), strict=True):
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "validation", round(validate(net, *val), 4))


net = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 1))
x = torch.randn(32, 3)
y = x.sum(dim=1, keepdim=True)
fit(net, (x[:24], y[:24]), (x[24:], y[24:]))
