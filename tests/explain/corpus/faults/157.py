# cause: flow-dead-relu
# says: a bias of -20 puts all units of the first layer below zero: its ReLUs are dead
# follows: "Dying ReLU: network outputs the same value for every input" (Q&A site)
import torch
from torch import nn

torch.manual_seed(0)


def make_net():
    net = nn.Sequential(
        nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1)
    )
    for layer in net:
        if isinstance(layer, nn.Linear):
            nn.init.kaiming_normal_(layer.weight)
            nn.init.zeros_(layer.bias)
    nn.init.constant_(net[0].bias, -20.0)  # <- here
    return net


x = torch.rand(50, 4)
y = x.sum(1, keepdim=True) ** 2
net = make_net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
before = net[0].weight.detach().clone()

for _ in range(100):
    optimizer.zero_grad()
    prediction = net(x)
    loss = nn.functional.mse_loss(prediction, y)
    loss.backward()
    optimizer.step()

print("loss", loss.item(), "spread of the predictions", prediction.std().item())
assert not torch.equal(before, net[0].weight), "the first layer did not change"
