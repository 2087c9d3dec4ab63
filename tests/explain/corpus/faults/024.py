# cause: recreated-tensor
# says: torch.tensor([...]) is a new tensor made from the losses' numbers: no history
# follows: "sum of a list of losses via torch.tensor has no grad_fn" (forum)
import torch
from torch import nn

torch.manual_seed(0)

trunk = nn.Linear(6, 10)
heads = nn.ModuleDict({"age": nn.Linear(10, 1), "height": nn.Linear(10, 1)})
people = torch.randn(20, 6)
truth = {"age": people[:, :1].exp(), "height": people[:, 1:2] * 3}
optimizer = torch.optim.Adam([*trunk.parameters(), *heads.parameters()], lr=1e-2)


def multitask_loss(shared):
    losses = [nn.functional.mse_loss(head(shared), truth[name]) for name, head in heads.items()]
    values = [loss.tolist() for loss in losses]
    print("  ".join(f"{v:.4f}" for v in values))
    return torch.tensor(values).sum()  # <- here


for _ in range(3):
    shared = torch.relu(trunk(people))
    total = multitask_loss(shared)
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
