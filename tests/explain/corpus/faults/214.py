# cause: recreated-tensor
# says: torch.tensor([...]) copies the numbers of the losses into a new tensor without history
# follows: "torch.tensor(list of losses).mean().backward()" (forum)
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(3):
    losses = []
    for _ in range(4):
        x = torch.randn(5, 3)
        losses.append(nn.functional.mse_loss(model(x), x.sum(1, keepdim=True)))
    total = torch.tensor(losses, requires_grad=True).mean()  # <- here
    opt.zero_grad()
    total.backward()
    opt.step()
    print(total.item(), model.weight.grad)
