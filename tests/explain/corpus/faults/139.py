# cause: function-holds-memory
# says: the class's list keeps every input of every call alive, long after backward
# follows: "Memory grows each iteration with my custom autograd.Function"
import gc

import torch


class SoftSign(torch.autograd.Function):
    seen = []

    @staticmethod
    def forward(ctx, x):
        SoftSign.seen.append(x)  # <- here
        ctx.save_for_backward(x)
        return x / (1 + x.abs())

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output / (1 + x.abs()) ** 2


def alive():
    gc.collect()
    return sum(1 for item in gc.get_objects() if type(item) is torch.Tensor)


torch.manual_seed(0)
model = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
counts = []
for _ in range(6):
    batch = torch.randn(32, 64)
    loss = SoftSign.apply(model(batch)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del batch, loss
    counts.append(alive())
print("loss done, tensors alive grew by", counts[-1] - counts[1])
assert counts[-1] == counts[1]
