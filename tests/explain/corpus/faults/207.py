# cause: cut-detach
# says: detach_() changes the features in place, they have no history afterwards
# follows: own
import torch
from torch import nn

torch.manual_seed(5)
body, head = nn.Linear(6, 5), nn.Linear(5, 2)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(20, 6), torch.randint(0, 2, (20,))
before = body.weight.clone()


def features(x):
    h = torch.relu(body(x))
    h.detach_()  # <- here
    return h


for _ in range(5):
    loss = nn.functional.cross_entropy(head(features(x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

assert not torch.equal(before, body.weight), "body.weight did not change"
