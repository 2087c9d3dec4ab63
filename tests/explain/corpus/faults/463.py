# cause: copied-not-linked
# says: load_state_dict copies the numbers of the adapted weights, the query loss has no link back to meta_net's parameters
# follows: PyTorch forum "MAML: gradients of the meta parameters are None after load_state_dict with fast weights"
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def make_net():
    return nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))


meta_net = make_net()
meta_opt = torch.optim.Adam(meta_net.parameters(), lr=1e-2)
inner_lr = 0.05


def sample_task():
    a = torch.rand(1) * 4 + 0.1
    x = torch.rand(10, 1) * 6 - 3
    return x, a * torch.sin(x)


for it in range(3):
    meta_opt.zero_grad()
    meta_loss = 0
    for task in range(2):
        xs, ys = sample_task()
        loss = F.mse_loss(meta_net(xs), ys)
        names, params = zip(*meta_net.named_parameters())
        grads = torch.autograd.grad(loss, params, create_graph=True)
        fast_weights = {n: p - inner_lr * g for n, p, g in zip(names, params, grads)}
        fast_net = make_net()
        fast_net.load_state_dict(fast_weights)  # <- here
        meta_loss = meta_loss + F.mse_loss(fast_net(xs), ys)
    meta_loss.backward()
    meta_opt.step()
    print(it, "meta loss", meta_loss.item())
    print([p.grad for p in meta_net.parameters()])
