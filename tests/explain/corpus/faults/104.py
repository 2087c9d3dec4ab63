# cause: nan-forward
# says: exp of a large score overflows to inf, and inf / inf in the hand-written softmax is NaN
# follows: "torch.multinomial: probability tensor contains either inf, nan or element < 0"
import torch


def softmax(scores):
    powers = scores.exp()  # <- here
    return powers / powers.sum(dim=-1, keepdim=True)  # <- or here


class Policy:
    def __init__(self, pixels, actions):
        self.weights = torch.randn(pixels, actions, requires_grad=True)

    def act(self, screen):
        probabilities = softmax(screen @ self.weights)
        action = torch.multinomial(probabilities, 1)
        return action.item(), probabilities[action].log()

    def learn(self, log_probability, reward, rate=0.001):
        loss = (-log_probability * reward).sum()
        (slope,) = torch.autograd.grad(loss, self.weights)
        with torch.no_grad():
            self.weights -= rate * slope


torch.manual_seed(0)
policy = Policy(12, 3)
for episode in range(3):
    screen = torch.randint(0, 256, (12,)).float()
    action, log_probability = policy.act(screen)
    policy.learn(log_probability, reward=1.0 if action == 0 else -1.0)
    print(f"episode {episode}: action {action}")
