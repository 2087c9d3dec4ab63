# cause: function-left-graph
# says: backward uses x.data, so its own derivative with respect to x is missing
# follows: own
import torch


class LogCosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log(torch.cosh(x))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.tanh(x.data)  # <- here


class Potential(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.stiffness = torch.nn.Parameter(torch.tensor([0.5, 2.0]))

    def forward(self, q):
        return (self.stiffness * LogCosh.apply(q)).sum() + (q**2).sum() / 2


def hessian(fn, q):
    (slope,) = torch.autograd.grad(fn(q), q, create_graph=True)
    rows = [torch.autograd.grad(s, q, retain_graph=True)[0] for s in slope]
    return torch.stack(rows)


potential = Potential()
q = torch.tensor([0.3, -0.8], requires_grad=True)
found = hessian(potential, q)
wanted = torch.diag(1 + potential.stiffness.detach() / torch.cosh(q.detach()) ** 2)
print(found.tolist())
assert torch.allclose(found, wanted, atol=1e-5), "hessian differs from the formula"
