# cause: nan-forward
# says: the network's variance can be negative, and the logarithm of a negative number is NaN
# follows: "Gaussian negative log likelihood gives nan, predicting mean and variance"
import torch
import torch.nn as nn
import torch.optim as optim


class MeanAndVariance(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.ReLU())
        self.mean = nn.Linear(hidden, 1)
        self.variance = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h), self.variance(h)


def negative_log_likelihood(mean, variance, target):
    log_term = torch.log(variance)  # <- here
    return 0.5 * (log_term + (target - mean).square() / variance).mean()


torch.manual_seed(0)
x = torch.linspace(-2, 2, 32).unsqueeze(1)
y = torch.sin(x) + 0.1 * torch.randn(32, 1)

net = MeanAndVariance()
opt = optim.Adam(net.parameters(), lr=1e-2)
history = []
for _ in range(4):
    mean, variance = net(x)
    loss = negative_log_likelihood(mean, variance, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.item())
print(history)
