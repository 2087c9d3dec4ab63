# healthy: the way of the weights and the losses are kept as numbers and detached copies
import torch

torch.manual_seed(6)
w = torch.tensor([2.5, -1.5], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.002, momentum=0.9)
way, losses, norms = [w.detach().clone()], [], []
total = 0.0
best = None
for step in range(60):
    loss = (1 - w[0]) ** 2 + 10 * (w[1] - w[0] ** 2) ** 2
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([w], 5.0)
    optimizer.step()
    way.append(w.detach().clone())
    losses.append(loss.detach())
    norms.append(w.grad.norm())
    total += float(loss.detach())
    best = loss.detach() if best is None else torch.minimum(best, loss.detach())
path = torch.stack(way)
print(path.shape[0], bool(best < losses[0]), round(total) > 0)
