# cause: layers-in-list
# says: The hidden layers sit in a plain Python list, so model.parameters() does not contain them.
# follows: Parameters of layers stored in a Python list are not registered (use nn.ModuleList)
import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes, classes):
        super().__init__()
        count = len(sizes) - 1
        self.hidden = [nn.Linear(sizes[i], sizes[i + 1]) for i in range(count)]  # <- here
        self.out = nn.Linear(sizes[-1], classes)

    def forward(self, x):
        for layer in self.hidden:
            x = F.relu(layer(x))
        return self.out(x)


torch.manual_seed(4)
model = MLP([6, 16, 16], 3)
x = torch.randn(30, 6)
y = x[:, :3].abs().argmax(1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)  # <- or here
before = model.hidden[0].weight.detach().clone()
for _ in range(15):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print("loss", round(loss.item(), 4))
print("tensors in the model:", [name for name, _ in model.named_parameters()])
assert not torch.equal(before, model.hidden[0].weight), "first layer did not learn"
