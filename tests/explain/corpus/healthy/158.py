# healthy: a tape on the class, read by the number of the call, and put away after the pass
import torch


class Exp(torch.autograd.Function):
    tape = []

    @staticmethod
    def forward(ctx, x):
        ctx.number = len(Exp.tape)
        Exp.tape.append(x.detach())
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        return Exp.tape[ctx.number].exp() * g


x = torch.tensor([0.1, 0.2], requires_grad=True)
y = Exp.apply(Exp.apply(x)) + Exp.apply(x)
y.sum().backward()
Exp.tape.clear()
print(x.grad)
assert torch.allclose(x.grad, x.detach().exp() * (x.detach().exp().exp() + 1))
