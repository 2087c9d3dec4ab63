# cause: wrote-saved-value
# says: an embedding with max_norm shortens its weight in place, after the product with the weight had saved it
# follows: PyTorch documentation: nn.Embedding with max_norm modifies the weight in place
import torch
from torch import nn

torch.manual_seed(6)
words = nn.Embedding(6, 3, max_norm=1.0)
projection = torch.randn(3, 4, requires_grad=True)
ids = torch.tensor([0, 2, 5])
all_words = words.weight @ projection
chosen = words(ids) @ projection  # <- here
scores = chosen @ all_words.T
nn.functional.cross_entropy(scores, ids).backward()
print(words.weight.grad)
