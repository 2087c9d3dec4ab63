# healthy: two losses share an encoder, the first backward keeps the graph for the second
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
encoder = nn.Linear(6, 10)
classify = nn.Linear(10, 3)
rebuild = nn.Linear(10, 6)
parameters = [*encoder.parameters(), *classify.parameters(), *rebuild.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.1)
x = torch.randn(30, 6)
y = torch.randint(0, 3, (30,))

for step in range(15):
    optimizer.zero_grad()
    z = torch.relu(encoder(x))
    loss_class = F.cross_entropy(classify(z), y)
    loss_rec = F.mse_loss(rebuild(z), x)
    loss_class.backward(retain_graph=True)
    share = encoder.weight.grad.norm().item()
    loss_rec.backward()
    whole = encoder.weight.grad.norm().item()
    optimizer.step()
    if step % 5 == 0:
        print(step, f"{loss_class.item():.4f} {loss_rec.item():.4f} {share:.4f} {whole:.4f}")
