# cause: memory-on-ctx
# says: ctx.probabilities is the output, which holds ctx: a cycle; use save_for_backward
# follows: own
import gc
import weakref

import torch
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(scores):
        shifted = scores - scores.max(-1, keepdim=True).values
        weights = shifted.exp()
        return weights / weights.sum(-1, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.probabilities = output  # <- here

    @staticmethod
    def backward(ctx, grad):
        p = ctx.probabilities
        return p * (grad - (grad * p).sum(-1, keepdim=True))


gc.disable()
torch.manual_seed(0)
table = torch.randn(30, 12, requires_grad=True)
alive = weakref.WeakSet()
for step in range(8):
    rows = torch.randint(30, (16,))
    attention = Softmax.apply(table[rows])
    alive.add(attention)
    entropy = -(attention * attention.log()).sum(-1).mean()
    (gradient,) = torch.autograd.grad(entropy, table)
    with torch.no_grad():
        table += 0.5 * gradient
    del attention, entropy
print("entropy ends, results still in memory:", len(alive))
