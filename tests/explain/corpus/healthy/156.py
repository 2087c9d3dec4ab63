# healthy: a Function counts its calls and keeps results by key on the class; backward reads its own
import torch


class Table(torch.autograd.Function):
    calls = 0
    scale = 2.0
    kept = {}

    @staticmethod
    def forward(ctx, x, key):
        Table.calls += 1
        Table.kept[key] = x.detach().clone()
        ctx.key = key
        return Table.scale * x**2

    @staticmethod
    def backward(ctx, grad_output):
        x = Table.kept.pop(ctx.key)
        return 2 * Table.scale * x * grad_output, None


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
value = Table.apply(Table.apply(x, "inner"), "outer").sum()
value.backward()
print("calls", Table.calls, "left", len(Table.kept))
print(torch.allclose(x.grad, 32 * x.detach() ** 3), x.grad)
