# cause: frozen
# says: the loop freezes every parameter, the new head too, because it runs after the head was replaced; nothing is left to train
# follows: PyTorch forum "ValueError: optimizer got an empty parameter list when finetuning resnet18 fc"
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(0)


class ResNetMini(nn.Module):
    def __init__(self, num_classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, num_classes)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        return self.fc(x.mean((2, 3)))


model_conv = ResNetMini()
num_ftrs = model_conv.fc.in_features
model_conv.fc = nn.Linear(num_ftrs, 2)
for param in model_conv.parameters():
    param.requires_grad = False  # <- here

criterion = nn.CrossEntropyLoss()
optimizer_conv = optim.SGD(
    filter(lambda p: p.requires_grad, model_conv.parameters()), lr=0.001, momentum=0.9
)
exp_lr_scheduler = optim.lr_scheduler.StepLR(optimizer_conv, step_size=7, gamma=0.1)

for epoch in range(2):
    out = model_conv(torch.randn(4, 1, 6, 6))
    loss = criterion(out, torch.tensor([0, 1, 1, 0]))
    loss.backward()
    optimizer_conv.step()
    exp_lr_scheduler.step()
