# cause: not-a-leaf
# says: the embedding of the words is an intermediate result; retain_grad() keeps its gradient
# follows: "How to get the gradient of the embedding output" (forum)
import torch
from torch import nn

torch.manual_seed(1)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 6)
        self.out = nn.Linear(6, 2)

    def forward(self, words):
        self.vectors = self.embed(words)  # <- here
        return self.out(self.vectors.mean(dim=1))


model = Classifier()
words = torch.tensor([[3, 5, 9, 1]])
loss = nn.functional.cross_entropy(model(words), torch.tensor([1]))
loss.backward()
print("relevance of each word:")
print(model.vectors.grad)
