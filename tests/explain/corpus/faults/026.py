# cause: recreated-item
# says: item() takes a plain number out of each loss, the sum has no way back to the model
# follows: "total_loss += loss.item() and then total_loss.backward()" (question site)
import torch
from torch import nn
from torch.optim import SGD

torch.manual_seed(0)

model = nn.Linear(4, 1)
optimizer = SGD(model.parameters(), lr=0.1)
samples = [(torch.randn(4), torch.randn(1)) for _ in range(10)]


def run_epoch():
    total = 0.0
    for x, y in samples:
        loss = (model(x) - y).abs().mean()
        total += loss.item()  # <- here
    batch_loss = torch.tensor(total / len(samples), requires_grad=True)  # <- or here
    optimizer.zero_grad()
    batch_loss.backward()
    optimizer.step()
    return batch_loss.item()


for epoch in range(5):
    print(f"epoch {epoch}: {run_epoch():.5f}")
print("weight", model.weight.grad, "bias", model.bias.grad)
