# cause: reset-by-zero-grad
# says: zero_grad() ran after backward and before the gradients were read: it sets them to None
# follows: "printing gradients during training shows only None" (forum)
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        self.log = []

    def step(self, x, y):
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()  # <- here
        self.record(loss)

    def record(self, loss):
        grads = {n: p.grad for n, p in self.model.named_parameters()}
        self.log.append((loss.item(), grads))


trainer = Trainer(nn.Linear(3, 1))
x = torch.randn(10, 3)
y = x.mean(dim=1, keepdim=True)
for _ in range(5):
    trainer.step(x, y)

for loss, grads in trainer.log:
    print(f"{loss:.4f}", grads)
