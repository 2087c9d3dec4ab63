# cause: optimizer-holds-copies
# says: The optimizer got clones of the parameters, so its steps change nothing of the model.
# follows: own
import torch
from torch import nn

torch.manual_seed(3)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(3, 12)
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


def split_decay(model):
    """Biases get no weight decay."""
    weights, biases = [], []
    for name, p in model.named_parameters():
        group = biases if name.endswith("bias") else weights
        group.append(p.clone().detach().requires_grad_())  # <- here
    return [
        {"params": weights, "weight_decay": 1e-4},
        {"params": biases, "weight_decay": 0.0},
    ]


model = Regressor()
optimizer = torch.optim.SGD(split_decay(model), lr=0.1)  # <- or here
x = torch.randn(20, 3)
y = x @ torch.tensor([[1.0], [-2.0], [0.5]])
history = []
for _ in range(10):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    history.append(loss.item())
print("first", round(history[0], 4), "last", round(history[-1], 4))
assert history[-1] < history[0], "the loss stands still"
