# cause: wrong-optimizer-stepped
# says: the actor's optimizer holds the critic's parameters (swapped)
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
actor, critic = nn.Linear(3, 2), nn.Linear(3, 1)
opt_actor = torch.optim.Adam(critic.parameters(), 0.05)  # <- here
opt_critic = torch.optim.Adam(critic.parameters(), 0.05)
w = actor.weight.detach().clone()
for _ in range(5):
    s = torch.randn(8, 3)
    lp = actor(s).log_softmax(1)
    r = torch.rand(8)
    adv = (r - critic(s).squeeze(1)).detach()
    la = -(lp[:, 0] * adv).mean()
    lc = (critic(s).squeeze(1) - r).pow(2).mean()
    opt_actor.zero_grad()
    la.backward()
    opt_actor.step()
    opt_critic.zero_grad()
    lc.backward()
    opt_critic.step()
assert not torch.equal(w, actor.weight)
