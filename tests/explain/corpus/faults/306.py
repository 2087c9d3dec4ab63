# cause: inf-backward
# says: u ** (2 / 3) has an infinite slope at 0
# follows: own
import torch


class Economy:
    """Agents with capital, of whom some have none."""

    def __init__(self, capital):
        self.capital = capital.clone().requires_grad_()

    def output(self, labour):
        return (self.capital.pow(2 / 3) * labour.pow(1 / 3)).sum()  # <- here


capital = torch.tensor([2.0, 0.0, 1.0])
labour = torch.tensor([1.0, 1.5, 0.5])
economy = Economy(capital)
(product,) = torch.autograd.grad(economy.output(labour), economy.capital)
print("marginal products", product.tolist())
assert product.max() < 1e6
