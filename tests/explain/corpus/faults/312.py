# cause: masked-attention
# says: no move is legal in one state, so all scores are -inf and log_softmax is NaN
# follows: own
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))

    def forward(self, state, legal):
        scores = self.net(state)
        scores[~legal] = -torch.inf
        return torch.log_softmax(scores, dim=1)  # <- here


torch.manual_seed(0)
policy = Policy()
states = torch.randn(3, 4)
legal = torch.tensor([[True, True, False], [False, False, False], [True, False, True]])
actions = torch.tensor([0, 1, 2])
returns = torch.tensor([1.0, 0.0, -0.5])

log_probability = policy(states, legal).gather(1, actions.unsqueeze(1)).squeeze(1)
loss = -(log_probability * returns).mean()
loss.backward()
nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
assert loss < float("inf"), f"loss {loss}"
