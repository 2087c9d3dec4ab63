# cause: flow-zero-init
# says: zero-initialised hidden layer weights by torch.zeros with relu: no gradient at all
# follows: own
import torch

torch.manual_seed(0)
W1 = torch.zeros(3, 5, requires_grad=True)  # <- here
W2 = torch.zeros(5, 1, requires_grad=True)  # <- or here
x = torch.randn(20, 3)
y = x.sum(1, keepdim=True)
opt = torch.optim.SGD([W1, W2], 0.1)
for _ in range(5):
    loss = (torch.relu(x @ W1) @ W2 - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
