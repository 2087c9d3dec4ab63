"""Three backward passes that are not the derivative of what they follow, and their uses."""

import torch
from torch.autograd import Function


class RoundStraightThrough(Function):
    """Rounds; pretends afterwards that it did nothing, so that what comes before can learn."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


class ReverseGradient(Function):
    """Does nothing; turns the gradient round, so that what comes before learns the opposite."""

    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.strength * grad, None


class ClipGradient(Function):
    """Does nothing; holds the gradient within bounds."""

    @staticmethod
    def forward(ctx, x, bound):
        ctx.bound = bound
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad.clamp(-ctx.bound, ctx.bound), None


def quantise():
    """Weights that are whole numbers when used, and learn all the same."""
    inputs = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
    targets = inputs @ torch.tensor([3.0, -2.0])
    weight = torch.zeros(2, requires_grad=True)
    plain = torch.zeros(2, requires_grad=True)
    ((inputs @ plain.round() - targets) ** 2).mean().backward()
    print("through round itself:", plain.grad)
    for _ in range(60):
        loss = ((inputs @ RoundStraightThrough.apply(weight) - targets) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            weight -= 0.05 * weight.grad
        weight.grad = None
    print("straight through:", weight.round().tolist(), "loss", loss.item())


def mislead():
    """One loss, two players: the reader lowers it, the writer before the reversal raises it."""
    writer = torch.tensor([0.5], requires_grad=True)
    reader = torch.tensor([0.5], requires_grad=True)
    (1 - reader * ReverseGradient.apply(writer, 2.0)).square().sum().backward()
    print("reader:", reader.grad, "writer:", writer.grad)


def tame():
    """A steep place no longer throws the parameter away."""
    for bound in (None, 1.0):
        x = torch.tensor([-2.0], requires_grad=True)
        y = x if bound is None else ClipGradient.apply(x, bound)
        y.pow(4).sum().backward()
        print("bound", bound, "gradient", x.grad.item(), y.grad_fn.name() if y.grad_fn else "leaf")


def check():
    """gradcheck tells a wrong derivative from a right one, also where it is meant."""
    x = torch.tensor([0.3, 1.2], dtype=torch.float64, requires_grad=True)
    try:
        torch.autograd.gradcheck(ReverseGradient.apply, (x, 1.0))
    except RuntimeError as error:
        print(str(error).splitlines()[0])


if __name__ == "__main__":
    quantise()
    mislead()
    tame()
    check()
