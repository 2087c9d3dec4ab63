# cause: nan-forward
# says: exp of a large logit overflows to inf, and inf / inf in the hand-written softmax is NaN
# follows: "Softmax implemented by hand returns nan for large inputs"
import torch


def softmax(scores):
    powers = scores.exp()  # <- here
    return powers / powers.sum(dim=-1, keepdim=True)  # <- or here


def cross_entropy(probabilities, labels):
    return -probabilities[torch.arange(len(labels)), labels].log().mean()


torch.manual_seed(0)
pixels = torch.randint(0, 256, (6, 12)).float()
labels = torch.tensor([0, 2, 1, 1, 0, 2])
weights = torch.randn(12, 3, requires_grad=True)

for epoch in range(3):
    probabilities = softmax(pixels @ weights)
    loss = cross_entropy(probabilities, labels)
    loss.backward()
    with torch.no_grad():
        weights -= 0.001 * weights.grad
        weights.grad = None
    hits = (probabilities.argmax(dim=1) == labels).sum().item()
    print(f"{epoch}: loss {loss.item():.3f}, {hits} of {len(labels)} right")
