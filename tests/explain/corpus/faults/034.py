# cause: forced-requires-grad
# says: the loss has no history; requires_grad_() only silences the error, nothing flows back
# follows: "loss.requires_grad = True fixed the error but the model does not learn" (question site)
import torch
from torch import nn

torch.manual_seed(0)

x = torch.randn(60, 2)
labels = (x[:, 0] * x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step():
    optimizer.zero_grad()
    guess = model(x).argmax(dim=1)  # <- or here
    loss = (guess != labels).float().mean()
    loss.requires_grad_()  # <- here
    loss.backward()
    optimizer.step()
    return loss


for epoch in range(6):
    print("epoch", epoch, "error rate", round(train_step().item(), 4))
