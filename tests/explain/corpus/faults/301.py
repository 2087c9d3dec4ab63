# cause: nan-forward
# says: log(1 + exp(x)) overflows for large x: exp(200) is inf
# follows: own
import torch
from torch import nn


class Rate(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(1, 1)
        nn.init.ones_(self.linear.weight)

    def forward(self, x):
        return torch.log(1 + torch.exp(self.linear(x)))  # <- here


torch.manual_seed(0)
model = Rate()
hours = torch.tensor([[1.0], [20.0], [200.0]])
events = torch.tensor([[1.0], [19.0], [205.0]])
loss = nn.functional.poisson_nll_loss(model(hours), events, log_input=False)
loss.backward()
print("loss", loss.item())
print("slope", model.linear.weight.grad.item())
