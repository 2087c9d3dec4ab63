# cause: cut-bool-cast
# says: .bool() makes a mask of the gate; a mask has no derivative, so gate gets no gradient
# follows: "learnable mask never changes" (forum)
import torch
import torch.nn.functional as F

torch.manual_seed(17)

features = torch.randn(64, 5)
target = features[:, 0] - 2 * features[:, 3]

gate = torch.nn.Parameter(torch.rand(5) - 0.2)
weight = torch.nn.Parameter(torch.randn(5) * 0.1)
optimizer = torch.optim.SGD([{"params": [gate], "lr": 1.0}, {"params": [weight]}], lr=0.1)
before = gate.detach().clone()

for _ in range(30):
    keep = F.relu(gate).bool()  # <- here
    prediction = torch.where(keep, features, 0.0) @ weight
    loss = F.mse_loss(prediction, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("loss", round(loss.item(), 4))
print("gate before", [round(v, 3) for v in before.tolist()])
print("gate after ", [round(v, 3) for v in gate.tolist()])
