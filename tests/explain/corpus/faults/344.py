# cause: memory-kept-outputs
# says: the hook collects every activation with its graph; store output.detach()
# follows: "Memory leak when saving activations in a forward hook" (forum)
import torch
from torch import nn


class Probe:
    def __init__(self, module):
        self.outputs = []
        self.handle = module.register_forward_hook(self.record)

    def record(self, module, inputs, output):
        self.outputs.append(output)  # <- here

    def saturation(self):
        return torch.stack([o.abs().mean() for o in self.outputs[-3:]]).mean().item()


torch.manual_seed(3)
model = nn.Sequential(nn.Linear(6, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
probes = [Probe(layer) for layer in model if isinstance(layer, nn.Tanh)]
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.003)
x = torch.randn(48, 6)
y = x[:, :1] * x[:, 1:2]
for step in range(20):
    batch = torch.randperm(48)[:16]
    loss = (model(x[batch]) - y[batch]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

for probe in probes:
    print("mean activation", f"{probe.saturation():.3f}", "stored", len(probe.outputs))
assert not any(out.requires_grad for probe in probes for out in probe.outputs)
