# cause: zero-multiplied
# says: the weight is 0 (integer division): all gradients of the auxiliary loss are times 0
# follows: own
import torch
from torch import nn

torch.manual_seed(0)

EPOCHS = 20
shared = nn.Sequential(nn.Linear(5, 12), nn.Tanh())
main_head, aux_head = nn.Linear(12, 1), nn.Linear(12, 3)
params = [p for m in (shared, main_head, aux_head) for p in m.parameters()]
optimizer = torch.optim.Adam(params, lr=1e-2)

x = torch.randn(48, 5)
price = x[:, :2].sum(dim=1, keepdim=True)
kind = x[:, 2:].argmax(dim=1)


def schedule(epoch):
    return (epoch + 1) // (EPOCHS + 1)  # <- or here


for epoch in range(EPOCHS):
    h = shared(x)
    main_loss = nn.functional.mse_loss(main_head(h), price)
    aux_loss = nn.functional.cross_entropy(aux_head(h), kind)
    loss = main_loss + schedule(epoch) * aux_loss  # <- here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 5 == 0:
        print(f"{epoch:2d} main {main_loss.item():.4f} aux {aux_loss.item():.4f}")

print("aux head gradient", aux_head.weight.grad.norm().item())
assert aux_loss.item() < 1.0, "the auxiliary head did not learn"
