# cause: view-regenerated
# says: scaling the table in place gives its view `row` a new history, so the loss made before it no longer passes through that row
# follows: own
import torch


def embed(w, n):
    table = w.repeat(n, 1)
    return table, [table[i] for i in range(n)]


torch.manual_seed(21)
w = torch.randn(4, requires_grad=True)
table, rows = embed(w, 3)
coef = torch.arange(4.0)
first = (rows[1] * coef).sum()
table.mul_(2.0)  # <- here
second = table[0].sum()
print("losses", first.item(), second.item())
loss = first + second
(g,) = torch.autograd.grad(loss, rows[1])
print("sensitivity of row 1:", g)
