# cause: freed-graph
# says: Every item of the list goes back through the same cumulative sum; add the losses up.
# follows: for loss in losses: loss.backward() fails at the second item of the list
import torch

torch.manual_seed(0)
speed = torch.randn(6, requires_grad=True)
seen = torch.tensor([0.5, 1.0, 1.5, 2.0, 2.5, 3.0])
path = torch.cumsum(speed.square(), 0).sqrt()  # <- or here
errors = [(path[i] - seen[i]).square() for i in range(len(seen))]
print("errors", [round(e.item(), 3) for e in errors])
for error in errors:
    error.backward()  # <- here
print("gradient", speed.grad)
