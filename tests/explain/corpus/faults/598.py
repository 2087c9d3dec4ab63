# cause: replaced-parameter
# says: weight_scale replaces the Parameter by arithmetic after Adam had it
# follows: own
import torch


class Linear:
    def __init__(self, a, b):
        self.w = torch.randn(a, b, requires_grad=True)
        self.b = torch.zeros(b, requires_grad=True)

    def params(self):
        return [self.w, self.b]

    def __call__(self, x):
        return x @ self.w + self.b


def xavier(layer):
    layer.w = (layer.w / layer.w.shape[0] ** 0.5).detach().requires_grad_()  # <- here


torch.manual_seed(0)
net = [Linear(3, 6), Linear(6, 1)]
opt = torch.optim.Adam([p for layer in net for p in layer.params()], lr=0.05)
for layer in net:
    xavier(layer)
x = torch.randn(20, 3)
y = x.norm(dim=1, keepdim=True)
for _ in range(6):
    loss = (net[1](torch.tanh(net[0](x))) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
assert loss < 1.0, loss.item()
