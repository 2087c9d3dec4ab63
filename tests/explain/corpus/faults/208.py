# cause: cut-data
# says: the loss is computed with prediction.data, which has no history
# follows: "loss computed with output.data: element 0 of tensors does not require grad" (forum)
import torch
import torch.nn as nn

torch.manual_seed(2)
criterion = nn.L1Loss()
model = nn.Linear(3, 1)
sgd = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in zip(torch.randn(4, 5, 3), torch.randn(4, 5, 1)):
    prediction = model(x)
    loss = criterion(prediction.data, y)  # <- here
    sgd.zero_grad()
    loss.backward()
    sgd.step()
