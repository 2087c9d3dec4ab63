# cause: function-first-derivative
# says: the mask of relu is the wrong way round: backward passes a gradient where x was negative
# follows: own
import torch


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[x > 0] = 0  # <- here
        return grad_input


torch.manual_seed(0)
lin = torch.nn.Linear(4, 4)
x = torch.randn(10, 4)
opt = torch.optim.SGD(lin.parameters(), lr=0.1)
for i in range(5):
    opt.zero_grad()
    l = (MyReLU.apply(lin(x)) - 1).pow(2).mean()
    l.backward()
    opt.step()
    print(l.item())
