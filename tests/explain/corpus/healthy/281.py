# healthy: objects with lazy properties and counters that must not be touched by others, descriptors, odd __getattr__, __len__ and __bool__
import torch
from torch import nn


class Lazy:
    """Loads on first use and counts uses."""

    def __init__(self, make):
        self._make, self._value, self.uses = make, None, 0

    @property
    def value(self):
        self.uses += 1
        if self._value is None:
            self._value = self._make()
        return self._value


class Namespace:
    def __init__(self, **kw):
        self.__dict__["_d"] = kw
        self.__dict__["misses"] = []

    def __getattr__(self, k):
        d = self.__dict__.get("_d", {})
        if k in d:
            return d[k]
        self.misses.append(k)
        raise AttributeError(k)

    def __setattr__(self, k, v):
        self._d[k] = v


class Stream:
    """An iterator with a position; looking at it moves it."""

    def __init__(self, x, n):
        self.x, self.n, self.i = x, n, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= len(self.x):
            raise StopIteration
        self.i += self.n
        return self.x[self.i - self.n : self.i]

    def __bool__(self):
        raise TypeError("ask for .i")

    def __eq__(self, other):
        raise TypeError("not comparable")

    __hash__ = object.__hash__


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.net = nn.Sequential(nn.Linear(cfg.d, cfg.h), nn.ReLU(), nn.Linear(cfg.h, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class Trainer:
    def __init__(self, cfg, data):
        self.cfg, self.data, self.net = cfg, data, Net(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), cfg.lr)
        self.streams = []

    def epoch(self):
        stream = Stream(self.data.value, self.cfg.batch)
        self.streams.append(stream)
        total = 0.0
        for x in stream:
            loss = (self.net(x) - x.sum(1)).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total


torch.manual_seed(0)
cfg = Namespace(d=3, h=12, lr=1e-2, batch=10)
data = Lazy(lambda: torch.randn(40, 3))
tr = Trainer(cfg, data)
curve = [tr.epoch() for _ in range(4)]
print(curve[0], curve[-1], data.uses, [s.i for s in tr.streams])
assert data.uses == 4, data.uses
assert cfg.misses == [], cfg.misses
assert curve[-1] < curve[0]
