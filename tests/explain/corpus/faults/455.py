# cause: function-needless-gradient
# says: backward returns a gradient for the integer index, where None belongs
# follows: own
import torch
from torch.autograd import Function


class Gather(Function):
    @staticmethod
    def forward(ctx, table, index):
        ctx.save_for_backward(index)
        ctx.rows = table.shape[0]
        return table[index]

    @staticmethod
    def backward(ctx, g):
        (index,) = ctx.saved_tensors
        out = torch.zeros(ctx.rows, g.shape[1])
        out.index_add_(0, index, g)
        return out, torch.zeros(len(index)), None  # <- here


table = torch.ones(4, 2, requires_grad=True)
Gather.apply(table, torch.tensor([0, 2, 2])).sum().backward()
print(table.grad)
