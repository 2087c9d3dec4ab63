# cause: function-first-derivative
# says: softmax mixes the elements of a row: backward has only the diagonal of its Jacobian
# follows: own
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, -1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y)  # <- here


torch.manual_seed(0)
net = torch.nn.Linear(4, 3)
x = torch.randn(10, 4)
t = torch.randint(0, 3, (10,))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    p = Softmax.apply(net(x))
    loss = -p[torch.arange(10), t].log().mean()
    loss.backward()
    opt.step()
    print(loss.item())
