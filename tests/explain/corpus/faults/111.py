# cause: overflow-half
# says: the square of values above 256 does not fit in float16 (at most 65504): it became inf
# follows: "Loss becomes inf when I call model.half(), fine in float32"
import torch
import torch.nn.functional as F


def penalty(activations):
    return activations.pow(2).mean()  # <- here


torch.manual_seed(0)
layer = torch.nn.Linear(8, 4)
with torch.no_grad():
    layer.weight.mul_(20)
layer = layer.half()

frames = (torch.rand(6, 8) * 200).half()
labels = torch.tensor([0, 1, 2, 3, 0, 1])

hidden = layer(frames)
print("activations up to", hidden.abs().max().item() > 256)
task = F.cross_entropy(hidden.float() / 1000, labels)
loss = task + 1e-4 * penalty(hidden)
loss.backward()
print("task", round(task.item(), 4), "total", loss.item())
print("gradient finite:", bool(torch.isfinite(layer.weight.grad).all()))
