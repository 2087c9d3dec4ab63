# healthy: hooks that only look: on tensors, on modules, on parameters
import torch
from torch import nn

torch.manual_seed(0)
norms = {}


def watch(name):
    def hook(grad):
        norms.setdefault(name, []).append(grad.norm().item())

    return hook


model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
handles = [p.register_hook(watch(name)) for name, p in model.named_parameters()]
shapes = []
handles.append(
    model[0].register_forward_hook(lambda m, args, out: shapes.append(tuple(out.shape)))
)
handles.append(
    model[2].register_full_backward_hook(lambda m, gi, go: shapes.append(tuple(go[0].shape)))
)

x = torch.randn(7, 3)
hidden = model[:2](x)
hidden.register_hook(lambda g: print("gradient of hidden", tuple(g.shape)))
model[2](hidden).mean().backward()
model.zero_grad()
model(x).pow(2).mean().backward()
for handle in handles:
    handle.remove()
model(x).sum().backward()
print(shapes)
print({name: len(values) for name, values in norms.items()})
