# cause: cut-set-grad-enabled
# says: the phase is called "training", the test compares with "train", so gradients are always off
# follows: own
import torch
import torch.nn as nn

torch.manual_seed(6)

loaders = {
    "training": [(torch.randn(5, 4), torch.randint(0, 2, (5,))) for _ in range(3)],
    "val": [(torch.randn(5, 4), torch.randint(0, 2, (5,)))],
}


def train_model(model, criterion, optimizer, num_epochs=2):
    for epoch in range(num_epochs):
        for phase in ["val", "training"]:
            model.train(phase != "val")
            running = 0.0
            for inputs, labels in loaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):  # <- here
                    outputs = model(inputs)  # <- or here
                    loss = criterion(outputs, labels)
                if phase != "val":
                    loss.backward()
                    optimizer.step()
                running += loss.item() * inputs.size(0)
            print(f"{epoch} {phase}: {running:.4f}")


model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
train_model(model, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=0.1))
