# cause: backward-never-ran
# says: backward was never run on the policy loss; only on the value loss
# follows: own
import torch
from torch import nn, optim

torch.manual_seed(0)
policy = nn.Linear(4, 2)
value = nn.Linear(4, 1)
opt = optim.SGD([*policy.parameters(), *value.parameters()], lr=0.05)
before = policy.weight.detach().clone()
for episode in range(5):
    s = torch.randn(10, 4)
    logp = policy(s).log_softmax(1)
    a = torch.multinomial(logp.exp(), 1).squeeze(1)
    r = (a == 1).float()
    adv = (r - value(s).squeeze(1)).detach()
    actor = -(logp.gather(1, a[:, None]).squeeze(1) * adv).mean()  # <- here
    critic = ((value(s).squeeze(1) - r) ** 2).mean()
    opt.zero_grad()
    critic.backward()  # <- or here
    opt.step()
    print(episode, actor.item(), critic.item())
assert not torch.equal(before, policy.weight)
