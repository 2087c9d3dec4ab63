# cause: function-first-derivative
# says: the gradient of layer normalisation lacks the term with the mean of dxh * xh
# follows: own
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b, eps):
        mu = x.mean(-1, keepdim=True)
        inv = (x.var(-1, unbiased=False, keepdim=True) + eps).rsqrt()
        xh = (x - mu) * inv
        ctx.save_for_backward(xh, inv, w)
        return xh * w + b

    @staticmethod
    def backward(ctx, dy):
        xh, inv, w = ctx.saved_tensors
        db = dy.sum(0)
        dw = (dy * xh).sum(0)
        dxh = dy * w
        dx = inv * (dxh - dxh.mean(-1, keepdim=True))  # <- here
        return dx, dw, db, None


torch.manual_seed(0)
w = torch.ones(5, requires_grad=True)
b = torch.zeros(5, requires_grad=True)
l = torch.nn.Linear(3, 5)
opt = torch.optim.SGD([w, b, *l.parameters()], lr=0.1)
x = torch.randn(6, 3)
t = torch.randn(6, 5)
for _ in range(4):
    loss = (LayerNorm.apply(l(x), w, b, 1e-5) - t).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
