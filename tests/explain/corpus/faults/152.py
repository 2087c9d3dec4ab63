# cause: memory-on-ctx
# says: the output kept as an attribute of ctx makes a cycle, nothing is freed; save_for_backward
# follows: "Memory leak in custom Function when the output is stored on ctx" (tracker)
import weakref

import torch


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.log1p(torch.exp(x))
        ctx.result = result  # <- here
        return result

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (1 - torch.exp(-ctx.result))


torch.manual_seed(0)
weight = torch.randn(64, 64, requires_grad=True)
batches = torch.randn(5, 16, 64)
watched = []
for batch in batches:
    out = Softplus.apply(batch @ weight)
    watched.append(weakref.ref(out))
    loss = out.mean()
    loss.backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad
    weight.grad = None
    del out, loss

print("outputs still alive:", sum(ref() is not None for ref in watched), "of", len(watched))
