# cause: nan-backward
# says: the mask multiplies sqrt(0) by 0, but in backward 0 meets the infinite slope of sqrt
# follows: own
from itertools import pairwise

import torch


class Layout:
    """Places the nodes of a small graph so that edges get length one."""

    def __init__(self, nodes, edges):
        self.position = torch.randn(nodes, 2, requires_grad=True)
        self.edge = torch.zeros(nodes, nodes)
        for i, j in edges:
            self.edge[i, j] = self.edge[j, i] = 1.0

    def lengths(self):
        p = self.position
        offset = p.unsqueeze(0) - p.unsqueeze(1)
        return torch.sqrt((offset * offset).sum(-1))  # <- here

    def energy(self):
        stretch = self.lengths() - 1
        return (self.edge * stretch.square()).sum() / 2

    def step(self, rate):
        energy = self.energy()
        energy.backward()
        with torch.no_grad():
            self.position -= rate * self.position.grad
        self.position.grad.zero_()
        return energy.item()


torch.manual_seed(5)
layout = Layout(5, list(pairwise(range(5))))
energies = [layout.step(0.1) for _ in range(20)]
print("first", round(energies[0], 3))
print("last", energies[-1])
assert energies[-1] < energies[0]
