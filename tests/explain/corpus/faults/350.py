# cause: memory-create-graph
# says: .grad, made with create_graph=True, is never reset and carries all graphs; use autograd.grad
# follows: "Gradient penalty with backward(create_graph=True) leaks memory" (tracker)
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore", message="Using backward")


def history(tensor):
    seen, stack = set(), [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack.extend(parent for parent, _ in node.next_functions)
    return len(seen)


torch.manual_seed(9)
score = nn.Sequential(nn.Linear(2, 8), nn.Softplus(), nn.Linear(8, 1))
samples = torch.randn(20, 2)
samples.requires_grad_()
sizes = []
for step in range(6):
    score(samples).sum().backward(create_graph=True)  # <- here
    penalty = (samples.grad.norm(dim=1) - 1).pow(2).mean()
    sizes.append(history(penalty))
    print(step, f"penalty {penalty.item():.3f}", "larger", sizes[-1] > sizes[0])
assert sizes[-1] == sizes[0], "the graph behind the penalty grows"
