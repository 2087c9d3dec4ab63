# cause: zero-multiplied
# says: the weight of the penalty is 0: 1 // 10 is an integer division
# follows: own
import torch

torch.manual_seed(0)
w = torch.nn.Parameter(torch.randn(5))
slack = torch.nn.Parameter(torch.ones(5))
optimizer = torch.optim.SGD([w, slack], lr=0.1)
x, y = torch.randn(20, 5), torch.randn(20)
weight = 1 // 10  # <- or here
for _ in range(10):
    data = (x @ w - y).pow(2).mean()
    loss = data + weight * slack.pow(2).sum()  # <- here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("slack", slack.tolist(), slack.grad.tolist())
