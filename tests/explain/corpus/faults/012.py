# cause: cut-data
# says: Variable(hidden.data, ...) is a new leaf, so nothing flows into the first part
# follows: "Variable(x.data, requires_grad=True): first network does not learn" (forum)
import torch
from torch import nn, optim
from torch.autograd import Variable

torch.manual_seed(4)

front = nn.Sequential(nn.Linear(4, 8), nn.Sigmoid())
back = nn.Linear(8, 1)
opt = optim.SGD(list(front.parameters()) + list(back.parameters()), lr=0.2)

inputs = torch.randn(25, 4)
targets = inputs.prod(dim=1, keepdim=True)
start = front[0].weight.detach().clone()

for epoch in range(15):
    hidden = front(Variable(inputs))
    hidden = Variable(hidden.data, requires_grad=True)  # <- here
    output = back(hidden)
    loss = nn.functional.mse_loss(output, Variable(targets))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 5 == 0:
        print(f"loss {loss.item():.4f}")

print("gradient of the front:", front[0].weight.grad)
print("front moved:", not torch.equal(start, front[0].weight))
