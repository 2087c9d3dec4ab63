# cause: function-missing-gradient
# says: backward asks needs_input_grad[0] before it makes the gradient of w
# follows: own
import torch


class Dense(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        ctx.has_bias = b is not None
        return torch.addmm(b, x, w.t()) if b is not None else x @ w.t()

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx = g @ w if ctx.needs_input_grad[0] else None
        gw = g.t() @ x if ctx.needs_input_grad[0] else None  # <- here
        return gx, gw, g.sum(0) if ctx.has_bias else None  # <- or here


l = torch.nn.Linear(3, 2)
x = torch.randn(4, 3)
opt = torch.optim.SGD(l.parameters(), lr=0.1)
for _ in range(2):
    loss = Dense.apply(x, l.weight, l.bias).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(l.weight.grad)
