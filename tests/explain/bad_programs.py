"""Small programs with a planted NaN or infinity, by kind, and healthy ones that look alike."""

FAULTS = {
    "cancellation: exp less one": """
x = torch.tensor([1e-9, 3e-9], requires_grad=True)
above = torch.exp(x) - 1  # <-
y = above / x
assert torch.allclose(y, torch.ones(2))  # fails
""",
    "cancellation: one less cos": """
x = torch.full((3,), 1e-4, requires_grad=True)
w = torch.ones((), requires_grad=True)
(w * ((1 - torch.cos(x)) / x**2)).sum().backward()  # <-
assert w.grad.item() > 1  # fails
""",
    "cancellation: a variance of 0 under a root": """
x = (4400 + 0.01 * torch.randn(64)).requires_grad_()
var = (x * x).mean() - x.mean() ** 2  # <-
torch.sqrt(var).backward()
print(x.grad)
""",
    "flow-exploding: a recurrence whose values grow": """
w, h = (3.0 * torch.eye(4)).requires_grad_(), torch.ones(4)
for _ in range(60):
    h = w @ h + 1  # <-
h.pow(2).mean().backward()
print(w.grad)
""",
    "cancellation: log of one and a little": """
rate = torch.tensor([1e-9, 2e-8], requires_grad=True)
growth = torch.log(1 + rate)  # <-
growth.sum().backward()
print(growth.tolist())
""",
    "cancellation: root less one, while it learns": """
a = torch.full((4,), 1e-5, requires_grad=True)
for _ in range(3):
    loss = (torch.sqrt(1 + a * a) - 1).mean()  # <-
    loss.backward()
    print(loss.item())
""",
    "cancellation: a little on top of much": """
much, little = torch.tensor(1e8, requires_grad=True), torch.tensor([1e-4, 3e-4])
left = (much + little) - much  # <-
assert torch.allclose(left, little)  # fails
""",
    "nan-forward: zeros over their norm": """
w = torch.randn(2, 2, requires_grad=True)
v = torch.tensor([[1.0, 2.0], [0.0, 0.0]])
loss = ((v / v.pow(2).sum(1, keepdim=True).sqrt()) @ w).sum()  # <-
loss.backward()
print(loss.item())
""",
    "nan-backward: a variance that is 0": """
x = torch.full((8,), 0.5, requires_grad=True)
std = ((x * x).mean() - x.mean() ** 2).sqrt()  # <-
std.backward()
print(x.grad)
""",
    "all-ignored 1": """
logits = torch.randn(2, 3, 4, requires_grad=True)
labels = torch.full((2, 4), -100)
loss = F.cross_entropy(logits, labels)  # <-
loss.backward()
print(loss.item(), logits.grad.abs().sum())
""",
    "all-ignored 2": """
crit = nn.NLLLoss(ignore_index=255)
net = nn.Conv2d(1, 3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for label in (0, 255, 1):
    out = net(torch.randn(1, 1, 2, 2)).log_softmax(1)
    loss = crit(out, torch.full((1, 2, 2), label))  # <-
    opt.zero_grad(); loss.backward(); opt.step()
    print(loss.item())
""",
    "all-ignored 3": """
crit = nn.CrossEntropyLoss(weight=torch.tensor([0.0, 1.0]))
lin = nn.Linear(2, 2)
loss = crit(lin(torch.randn(3, 2)), torch.zeros(3, dtype=torch.long))  # <-
loss.backward()
assert loss.item() == loss.item()  # fails
""",
    "all-ignored 4": """
class LM(nn.Module):
    def __init__(self):
        super().__init__(); self.e = nn.Embedding(5, 4); self.o = nn.Linear(4, 5)
    def forward(self, ids, labels):
        logits = self.o(self.e(ids))
        shift = logits[:, :-1].reshape(-1, 5); lab = labels[:, 1:].reshape(-1)
        return F.cross_entropy(shift, lab)  # <-
m = LM(); opt = torch.optim.AdamW(m.parameters())
ids = torch.tensor([[1, 2, 3]]); labels = torch.tensor([[1, -100, -100]])
loss = m(ids, labels); loss.backward(); opt.step()
print(loss.item())
""",
    "empty-mean 1": """
pred = torch.randn(6, requires_grad=True)
target = torch.randn(6)
valid = target > 100
loss = F.mse_loss(pred[valid], target[valid])  # <-
loss.backward()
print(loss.item())
""",
    "empty-mean 2": """
def masked_mean(x, mask):
    return (x * mask).sum() / mask.sum()  # <-
x = torch.randn(3, 4, requires_grad=True)
total = 0
for mask in (torch.ones(3, 4), torch.zeros(3, 4)):
    total = total + masked_mean(x, mask)
total.backward()
print(x.grad)
""",
    "empty-mean 3": """
emb = nn.Embedding(10, 4)
def bag(ids):
    ids = [i for i in ids if i < 10]
    return emb(torch.tensor(ids, dtype=torch.long)).mean(0)  # <-
opt = torch.optim.SGD(emb.parameters(), lr=0.1)
for ids in ([1, 2], [11, 12], [3]):
    loss = bag(ids).pow(2).sum()
    opt.zero_grad(); loss.backward(); opt.step()
    print(loss.item())
""",
    "empty-mean 4": """
x = torch.randn(4, requires_grad=True)
labels = torch.tensor([0, 0, 1, 1])
loss = sum(x[labels == c].std() + x[labels == c].mean() for c in range(3))  # <-
loss.backward()
assert torch.isfinite(loss)  # fails
""",
    "empty-mean 5": """
pred = torch.randn(2, 5, requires_grad=True)
mask = torch.tensor([[True, True, False, False, False], [False] * 5])
per_row = (pred.abs() * mask).sum(1) / mask.sum(1)  # <-
loss = per_row.mean()
loss.backward()
print(loss.item())
""",
    "empty-mean 6": """
crit = nn.L1Loss()
net = nn.Linear(1, 1); opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(6.0)[:, None]; y = torch.tensor([1., -1, 2, -1, -1, -1])[:, None]
for a in range(0, 6, 2):
    xb, yb = x[a:a+2], y[a:a+2]
    ok = yb > 0
    loss = crit(net(xb)[ok], yb[ok])  # <-
    opt.zero_grad(); loss.backward(); opt.step()
    print(loss.item())
""",
    "empty-mean 7": """
feats = torch.randn(5, 3, requires_grad=True)
labels = torch.tensor([0, 0, 2, 2, 2])
protos = torch.stack([feats[labels == k].mean(0) for k in range(3)])  # <-
loss = torch.cdist(feats, protos).mean()
loss.backward()
print(loss)
""",
    "empty-mean 8": """
def avg(xs, keep):
    num = torch.where(keep, xs, torch.zeros_like(xs)).sum(1)
    return num / keep.float().sum(1)  # <-
h = torch.randn(2, 3, requires_grad=True)
out = avg(h, torch.tensor([[True, False, True], [False, False, False]]))
loss = (out - 1).abs().mean()
loss.backward()
print(loss)
""",
    "empty-mean 9": """
hard = torch.rand(8)
losses = (hard * nn.Parameter(torch.ones(8)))
top = losses[losses > 2.0]
loss = top.sum() / torch.tensor(float(len(top)))  # <-
loss.backward()
assert loss.isfinite()  # fails
""",
    "empty-mean 10": """
x = torch.randn(0, 4, requires_grad=True)
t = torch.zeros(0, dtype=torch.long)
loss = F.cross_entropy(x, t)  # <-
loss.backward()
print(loss.item())
""",
    "inf-backward 1": """
scale = nn.Parameter(torch.zeros(2))
opt = torch.optim.Adam([scale], lr=0.1)
for i in range(3):
    out = torch.ones(2) * scale.sqrt()  # <-
    loss = (out - 1).pow(2).sum()
    opt.zero_grad(); loss.backward(); opt.step()
    print(i, loss.item())
""",
    "inf-backward 2": """
x = torch.tensor([0.0, 0.5], requires_grad=True)
(g,) = torch.autograd.grad(torch.pow(x, 0.3).sum(), x)  # <-
print(g)
""",
    "inf-backward 3": """
p = torch.tensor([1.0, 0.3], requires_grad=True)
loss = torch.asin(p).sum()  # <-
loss.backward()
total = torch.nn.utils.clip_grad_norm_([p], 1.0, error_if_nonfinite=True)  # fails
""",
    "inf-backward 4": """
x = torch.tensor([0.0, 2.0], requires_grad=True)
y = x.log1p() + torch.sqrt(x) * 3  # <-
(g,) = torch.autograd.grad(y.sum(), x)
assert g.abs().max() < 100, g  # fails
""",
    "inf-backward 5": """
u = torch.tensor([0.0, 0.25], requires_grad=True)
s = u.pow(2 / 3).sum()  # <-
s.backward()
print("grad", u.grad)
""",
    "inf-backward 6": """
b = nn.Parameter(torch.tensor([0.0, 1.0]))
opt = torch.optim.SGD([b], lr=0.1)
for i in range(3):
    loss = torch.sqrt(b).sum()  # <-
    opt.zero_grad(); loss.backward(); opt.step()
    print(b.tolist())
""",
    "masked-attention 1": """
q = torch.randn(1, 3, 4, requires_grad=True)
mask = torch.zeros(3, 3, dtype=torch.bool)
mask[0, 0] = mask[1, 0] = True
scores = q @ q.transpose(1, 2)
scores = scores + torch.zeros(3, 3).masked_fill(~mask, float("-inf"))
att = F.softmax(scores, dim=-1)  # <-
out = att @ q
out.sum().backward()
print(q.grad)
""",
    "masked-attention 2": """
mha = nn.MultiheadAttention(4, 2, batch_first=True)
x = torch.randn(2, 3, 4)
pad = torch.tensor([[False, False, True], [True, True, True]])
out, _ = mha(x, x, x, key_padding_mask=pad)  # <-
loss = out.pow(2).mean()
loss.backward()
print(loss.item())
""",
    "masked-attention 3": """
def attend(scores, mask):
    scores = scores.clone()
    scores[mask] = -float("inf")
    scores = scores - scores.max(dim=-1, keepdim=True).values  # <-
    e = scores.exp()
    return e / e.sum(-1, keepdim=True)
s = torch.randn(2, 3, requires_grad=True)
w = attend(s, torch.tensor([[False, False, True], [True, True, True]]))
w[:, 0].sum().backward()
print(s.grad)
""",
    "masked-attention 4": """
logits = torch.randn(2, 4, requires_grad=True)
legal = torch.tensor([[True, False, True, True], [False, False, False, False]])
logp = torch.log_softmax(torch.where(legal, logits, torch.tensor(float("-inf"))), dim=1)  # <-
loss = -logp[:, 0].mean()
loss.backward()
print(loss.item())
""",
    "masked-attention 5": """
def causal_strict(n): return torch.triu(torch.full((n, n), float("-inf")), diagonal=0)
x = torch.randn(4, 8); q = nn.Linear(8, 8); k = nn.Linear(8, 8)
s = q(x) @ k(x).T + causal_strict(4)
a = s.softmax(-1)  # <-
loss = (a @ x).pow(2).mean()
loss.backward()
print(loss.item())
""",
    "masked-attention 6": """
x = torch.randn(2, 3, 4); lens = [3, 0]
enc = nn.Linear(4, 1)
score = enc(x).squeeze(-1)
for i, n in enumerate(lens):
    score[i, n:] = -float("inf")
w = F.softmax(score, 1).unsqueeze(-1)  # <-
loss = (w * x).sum(1).pow(2).mean()
loss.backward()
print(loss.item())
""",
    "masked-attention 7": """
s = torch.randn(2, 3, requires_grad=True)
mask = torch.tensor([[0.0, 0.0, -math.inf], [-math.inf, -math.inf, -math.inf]])
e = torch.exp(s + mask)
w = e / e.sum(-1, keepdim=True)  # <-
w.sum().backward()
print(w)
""",
    "nan-backward 1": """
x = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
y = torch.where(x == 0, torch.zeros_like(x), x * torch.log(x))  # <-
y.sum().backward()
assert not x.grad.isnan().any(), x.grad  # fails
""",
    "nan-backward 2": """
a = torch.randn(4, 3); w = torch.randn(3, 2, requires_grad=True)
z = a @ w
std = z.sub(z).pow(2).mean().sqrt()  # <-
loss = z.sum() * 0.1 + std
loss.backward()
print(loss.item())
print(w.grad)
""",
    "nan-backward 3": """
y = torch.tensor([1.0, float("nan"), 2.0])
x = torch.arange(3.0)
w = torch.tensor(0.5, requires_grad=True)
err = (w * x - y) ** 2  # <-
loss = torch.where(torch.isnan(y), torch.zeros(3), err).mean()
loss.backward()
print(loss.item(), w.grad.item())
""",
    "nan-backward 4": """
points = torch.zeros(3, 2)
points[1] = torch.tensor([1.0, 0.0])
pos = points.clone().requires_grad_(True)
d = (pos[:, None] - pos[None]).pow(2).sum(-1).sqrt()  # <-
off = d[~torch.eye(3, dtype=torch.bool)]
off.mean().backward()
print(pos.grad)
""",
    "nan-backward 5": """
with torch.autograd.detect_anomaly():
    x = torch.zeros(3, requires_grad=True)
    n = torch.sqrt((x ** 2).sum())  # <-
    n.backward()  # fails
""",
    "nan-backward 6": """
class RMS(nn.Module):
    def __init__(self): super().__init__(); self.g = nn.Parameter(torch.ones(3))
    def forward(self, x):
        rms = x.pow(2).mean(-1, keepdim=True).sqrt()  # <-
        return torch.where(rms > 0, x / (rms + 1e-8) * self.g, torch.zeros_like(x))
lin = nn.Linear(2, 3, bias=False); net = nn.Sequential(lin, RMS())
out = net(torch.tensor([[0.0, 0.0], [1.0, 2.0]]))
out.pow(2).sum().backward()
print(lin.weight.grad)
""",
    "nan-backward 7": """
def huber_log(x):
    return torch.where(x > 0, torch.log(x), x - 1)  # <-
x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([x], lr=0.1)
for _ in range(2):
    opt.zero_grad(); huber_log(x).sum().backward(); opt.step()
print(x)
""",
    "nan-backward 8": """
x = torch.linspace(-200, 200, 5).requires_grad_()
y = torch.where(x > 50, x, torch.log1p(torch.exp(x)))  # <-
y.sum().backward()
print(x.grad)
""",
    "nan-backward 9": """
emb = nn.Parameter(torch.randn(4, 2))
with torch.no_grad(): emb[2] = emb[1]
opt = torch.optim.Adam([emb], lr=0.1)
pairs = torch.tensor([[0, 1], [1, 2], [2, 3]])
for _ in range(2):
    diff = emb[pairs[:, 0]] - emb[pairs[:, 1]]
    dist = torch.sqrt(torch.sum(diff * diff, dim=1))  # <-
    loss = ((dist - 1) ** 2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
assert torch.isfinite(emb).all(), "embedding broke"  # fails
""",
    "nan-backward 10": """
x = torch.tensor([1.0, 2.0], requires_grad=True)
c = F.cosine_similarity(x, x.detach() * 2, dim=0).clamp(-1, 1)
one = torch.ones(())
angle = torch.acos(torch.minimum(c, one) * 0 + 1 * (x * x).sum() / (x.detach() ** 2).sum())  # <-
loss = angle ** 2
loss.backward()
print(x.grad)
""",
    "nan-backward 11": """
x = torch.tensor([0.0, 1.0, 3.0], requires_grad=True)
mask = (x > 0).float()
y = mask * (1 / x)  # <-
y = torch.nan_to_num(y)
y.sum().backward()
print(y, x.grad)
""",
    "nan-backward 12": """
p = torch.tensor([0.0, 0.4, 0.6], requires_grad=True)
h = torch.nan_to_num(-(p * p.log()), nan=0.0).sum()  # <-
h.backward()
print(p.grad)
""",
    "nan-backward 13": """
class Sinc(nn.Module):
    def __init__(self): super().__init__(); self.f = nn.Parameter(torch.tensor(1.5))
    def forward(self, n):
        t = self.f * n
        out = torch.sin(t) / t  # <-
        out = out.masked_fill(n == 0, 1.0)
        return out
m = Sinc(); loss = (m(torch.arange(-3.0, 4)) - 0.5).pow(2).sum()
loss.backward()
print(loss.item(), m.f.grad.item())
""",
    "nan-forward 1": """
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(4, 4); self.dec = nn.Linear(2, 4)
    def forward(self, x):
        mu, sigma = self.enc(x).chunk(2, dim=1)
        z = mu + sigma * torch.randn_like(mu)
        return self.dec(z), mu, sigma
def kl(mu, sigma):
    return -(torch.log(sigma) - 0.5 * (mu ** 2 + sigma ** 2) + 0.5).sum()  # <-
m = VAE(); opt = torch.optim.Adam(m.parameters())
x = torch.randn(8, 4)
for _ in range(3):
    out, mu, sigma = m(x)
    loss = F.mse_loss(out, x) + kl(mu, sigma)
    opt.zero_grad(); loss.backward(); opt.step()
    print(loss.item())
""",
    "nan-forward 2": """
def entropy(p):
    return -(p * torch.log(p)).sum(-1).mean()  # <-
logits = torch.tensor([[200.0, 0.0, 0.0], [1.0, 2.0, 3.0]], requires_grad=True)
loss = entropy(torch.softmax(logits, -1))
loss.backward()
print(loss.item())
""",
    "nan-forward 3": """
x = torch.tensor([[0.0, 0.0], [3.0, 4.0]])
w = torch.eye(2, requires_grad=True)
h = x @ w
unit = h / h.norm(dim=1, keepdim=True)  # <-
loss = (unit * torch.tensor([1.0, 0.0])).sum()
loss.backward()
print(w.grad)
""",
    "nan-forward 4": """
def focal(p, y, gamma=2.0):
    pt = torch.where(y == 1, p, 1 - p)
    return (-(1 - pt) ** gamma * torch.log(pt)).mean()  # <-
model = nn.Linear(1, 1)
with torch.no_grad():
    model.weight.fill_(50.0); model.bias.zero_()
x = torch.tensor([[3.0], [-3.0]]); y = torch.tensor([[0.0], [1.0]])
loss = focal(torch.sigmoid(model(x)), y)
assert not torch.isinf(loss) and not torch.isnan(loss), loss  # fails
""",
    "nan-forward 5": """
torch.manual_seed(0)
class Cell(nn.Module):
    def __init__(self):
        super().__init__(); self.f = nn.Linear(2, 2)
    def forward(self, x):
        return torch.exp(self.f(x) * 100)  # <-
m = nn.Sequential(Cell(), nn.Linear(2, 1))
x = torch.randn(6, 2) * 3
out = m(x)
loss = (out / out.sum()).var()
loss.backward()
print(loss)
""",
    "nan-forward 6": """
mask = torch.tensor([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
scores = torch.randn(2, 3, requires_grad=True)
bias = (1 - mask) * float("-inf")  # <-
weights = torch.softmax(scores + bias, dim=-1)
loss = weights[:, 0].sum()
loss.backward()
print(scores.grad)
""",
    "nan-forward 7": """
x = torch.tensor([1.0, -0.5, 2.0])
p = nn.Parameter(torch.tensor(0.5))
opt = torch.optim.SGD([p], lr=0.1)
for i in range(2):
    y = (x * 2.0) ** p  # <-
    loss = y.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
""",
    "nan-forward 8": """
a = torch.tensor([1.0, 0.0], requires_grad=True)
b = torch.tensor([0.6, 0.8], requires_grad=True)
c = torch.tensor([0.6, 0.8])
cos = (b * c).sum() * 1.0000002 / 0.9999999
angle = torch.acos(cos)  # <-
angle.backward()
print(angle.item(), b.grad)
""",
    "nan-forward 9": """
x = torch.randn(5, 1, requires_grad=True)
z = (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True)  # <-
loss = z.pow(2).mean()
loss.backward()
print(loss.item())
""",
    "nan-forward 10": """
pred = torch.tensor([0.2, -0.1, 0.7], requires_grad=True)
target = torch.tensor([0.1, 0.2, 0.5])
msle = ((torch.log(pred) - torch.log(target)) ** 2).mean()  # <-
msle.backward()
if math.isnan(msle.item()):
    raise RuntimeError("loss is NaN")  # fails
""",
    "nan-forward 11": """
class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(1)); self.scale = nn.Parameter(torch.tensor([-0.5]))
    def log_prob(self, x):
        z = (x - self.loc) / self.scale
        return -0.5 * z ** 2 - self.scale.log() - 0.5 * math.log(2 * math.pi)  # <-
m = Student(); opt = torch.optim.Adam(m.parameters(), lr=0.1)
for _ in range(3):
    loss = -m.log_prob(torch.randn(16)).mean()
    opt.zero_grad(); loss.backward(); opt.step()
print([p.item() for p in m.parameters()])
""",
    "nan-forward 12": """
def softplus(x):
    return torch.log(1 + torch.exp(x))  # <-
lin = nn.Linear(1, 1)
with torch.no_grad(): lin.weight.fill_(1.0)
x = torch.tensor([[1.0], [200.0]])
loss = softplus(lin(x)).mean()
loss.backward()
print("loss", loss.item(), lin.weight.grad)
""",
    "nan-forward 13": """
def geometric_mean(x):
    return torch.prod(x, 0) ** (1 / x.shape[0])  # <-
x = (torch.randn(5, 2)).requires_grad_()
g = geometric_mean(x)
g.sum().backward()
print(g, x.grad)
""",
    "nan-forward 14": """
w = torch.tensor([0.3, 0.3], requires_grad=True)
a = torch.tensor([1.0, 1.0])
gap = w[0] - w[1]
weight = 1 / gap  # <-
loss = (weight * 0.0 + w.sum()) ** 2
loss.backward()
print(loss.item(), w.grad)
""",
    "nan-forward 15": """
torch.manual_seed(0)
policy = nn.Linear(3, 2)
old = torch.tensor([[1.0, 0.0], [0.2, 0.8]])
new = torch.softmax(policy(torch.randn(2, 3)), -1)
kl = (old * (old.log() - new.log())).sum(-1).mean()  # <-
kl.backward()
print("kl", kl.item())
""",
    "nan-forward 16": """
def dice(p, t):
    inter = (p * t).sum()
    return 1 - 2 * inter / (p.sum() + t.sum())  # <-
logits = torch.full((4,), -300.0, requires_grad=True)
loss = dice(torch.sigmoid(logits), torch.zeros(4))
loss.backward()
print(loss.item(), logits.grad)
""",
    "nan-forward 17": """
x = nn.Parameter(torch.tensor([2.0, 0.5]))
opt = torch.optim.SGD([x], lr=0.3)
for i in range(5):
    y = torch.log(x).sum() + 0.5 * (x ** 2).sum()  # <-
    opt.zero_grad(); y.backward(); opt.step()
    print(i, x.tolist())
""",
    "nan-forward 18": """
inputs = torch.tensor([[0.5, 1.2], [0.1, 0.4]], requires_grad=True)
z = torch.atanh(inputs)  # <-
loss = z.mean()
loss.backward()
assert not torch.isnan(loss)  # fails
""",
    "nan-forward 19": """
torch.manual_seed(0)
W = torch.randn(64, 64) * 40
h = torch.randn(1, 64); w0 = torch.ones(64, requires_grad=True); h = h * w0
for _ in range(30):
    h = torch.relu(h @ W)  # <-
loss = (h - h.mean()).sum()
loss.backward()
print(loss)
""",
    "nan-in-data 1": """
class Data(torch.utils.data.Dataset):
    def __init__(self):
        self.x = np.random.RandomState(0).rand(10, 3).astype(np.float32); self.x[4, 1] = np.nan
    def __len__(self): return 10
    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]), torch.tensor([1.0])  # <-
loader = torch.utils.data.DataLoader(Data(), batch_size=4)
model = nn.Linear(3, 1); opt = torch.optim.Adam(model.parameters())
for x, y in loader:
    loss = F.mse_loss(model(x), y); opt.zero_grad(); loss.backward(); opt.step()
    print(loss.item())
""",
    "nan-in-data 2": """
x = torch.randn(20, 4)
x[3, 2] = float("nan")  # <-
y = torch.randn(20, 1)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for e in range(3):
    opt.zero_grad(); loss = ((model(x) - y) ** 2).mean(); loss.backward(); opt.step()
    print(e, loss)
""",
    "nan-in-data 3": """
x = torch.tensor([[1.0, 2.0], [3.0, 2.0], [5.0, 2.0]])
x = (x - x.mean(0)) / x.std(0)  # <-
w = torch.randn(2, 1, requires_grad=True)
loss = (x @ w).pow(2).sum()
loss.backward()
assert torch.isfinite(w.grad).all()  # fails
""",
    "nan-in-data 4": """
targets = torch.tensor([1.0, 2.0, float("nan"), 4.0])  # <-
x = torch.arange(4.0)
a = torch.zeros(1, requires_grad=True)
for i in range(5):
    loss = (a * x - targets).abs().mean()
    loss.backward()
    with torch.no_grad():
        a -= 0.1 * a.grad
    a.grad.zero_()
print(a)
""",
    "nan-in-data 5": """
raw = np.array([1.0, 0.0, 3.0])
with np.errstate(all="ignore"):
    inv = 1 / raw
x = torch.as_tensor(inv, dtype=torch.float32)  # <-
w = torch.ones(3, requires_grad=True)
p = torch.softmax(w * x, 0)
loss = -p[0].log()
loss.backward()
print(loss.item(), w.grad)
""",
    "nan-in-data 6": """
X = torch.FloatTensor([[1, float('nan')], [2, 3]])  # <-
lin = nn.Linear(2, 1)
out = lin(X)
loss = out.mean()
loss.backward()
print(lin.weight.grad)
""",
    "nan-in-data 7": """
import csv
text = "a,b 1,2 3,NaN 5,6".split()
rows = [[float(v) for v in r.values()] for r in csv.DictReader(text)]
data = torch.utils.data.TensorDataset(torch.tensor(rows), torch.ones(3, 1))  # <-
model = nn.Linear(2, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for epoch in range(2):
    for xb, yb in torch.utils.data.DataLoader(data, batch_size=2):
        pred = model(xb)
        loss = nn.MSELoss()(pred, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
""",
    "nan-in-data 8": """
x = torch.ones(4, 3)
mean, std = x.mean(0), x.std(0)
normal = (x - mean).div(std)  # <-
net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2))
loss = F.cross_entropy(net(normal), torch.tensor([0, 1, 0, 1]))
loss.backward()
for n, p in net.named_parameters():
    print(n, p.grad.norm().item())
""",
    "nan-in-data 9": """
class Series:
    def __init__(self, values):
        self.values = torch.as_tensor(values, dtype=torch.float32)  # <-
    def windows(self, n):
        return self.values.unfold(0, n, 1)
s = Series([1.0, 2.0, float("nan"), 4.0, 5.0, 6.0])
w = s.windows(3)
model = nn.Linear(2, 1)
pred = model(w[:, :2]); loss = F.smooth_l1_loss(pred[:, 0], w[:, 2])
loss.backward()
assert model.weight.grad.isfinite().all()  # fails
""",
    "nan-in-data 10": """
arr = np.array([[1.0, np.inf], [2.0, 3.0]], dtype=np.float32)
x = torch.from_numpy(arr)  # <-
model = nn.BatchNorm1d(2)
out = model(x)
loss = out.sum()
loss.backward()
print(loss)
""",
    "overflow-half 1": """
net = nn.Linear(64, 64).half()
x = (torch.ones(4, 64) * 300).half()
h = net(x)
h = h * h * 100  # <-
loss = h.mean()
loss.backward()
print(loss)
""",
    "overflow-half 2": """
x = torch.tensor([70000.0, 1.0])
w = torch.ones(2, dtype=torch.float16, requires_grad=True)
y = (x.half() * w).sum()  # <-
y.backward()
print(y, w.grad)
""",
    "overflow-half 3": """
logits = torch.tensor([12.0, 5.0, 1.0]).half().requires_grad_()
e = torch.exp(logits)  # <-
p = e / e.sum()
(-torch.log(p[1])).backward()
print(logits.grad)
""",
    "overflow-half 4": """
w = torch.tensor([2.0], dtype=torch.float16, requires_grad=True)
x = torch.tensor([3000.0], dtype=torch.float16)
loss = ((w * x - x) * 10).mean()  # <-
loss.backward(torch.tensor(8.0, dtype=torch.float16))
print(w.grad)
""",
    "overflow-half 5": """
x = (torch.randn(2000) * 50).half()
w = torch.ones(1, dtype=torch.float16, requires_grad=True)
total = (x.abs() * w).sum()  # <-
loss = total / 2000
loss.backward()
print(loss.item())
""",
    "overflow-half 6": """
class Block(nn.Module):
    def __init__(self): super().__init__(); self.l = nn.Linear(16, 16)
    def forward(self, x):
        return x + self.l(x).pow(3)  # <-
torch.manual_seed(0)
net = Block().half()
with torch.no_grad(): net.l.weight.mul_(30)
x = torch.randn(4, 16).half()
loss = net(x).float().mean()
loss.backward()
print(loss)
""",
    "overflow-half 7": """
w = torch.full((4,), 1.0, dtype=torch.float16, requires_grad=True)
x = torch.full((4,), 10.0, dtype=torch.float16)
out = w * x  # <-
loss = out.float().sum() * 2 ** 14
loss.backward()
print("grad", w.grad)
""",
    "overflow-half 8": """
q = (torch.randn(1, 8, 64) * 30).half().requires_grad_()
scores = q @ q.transpose(1, 2)  # <-
att = torch.softmax(scores / 8, -1)
att.sum().backward()
print(att)
""",
    "overflow-half 9": """
seen = torch.zeros(1).half()
w = torch.ones(1).half().requires_grad_()
for i in range(5):
    seen = seen + w * 20000  # <-
loss = seen.sum() / 5
loss.backward()
print(loss.item())
""",
    "step-too-long 1": """
w = torch.tensor([1.0, -1.0], requires_grad=True)
for i in range(80):
    loss = (w ** 4).sum()
    loss.backward()
    with torch.no_grad():
        w.sub_(2.0 * w.grad)  # <-
        w.grad.zero_()
    if i % 10 == 0: print(loss.item())
""",
    "step-too-long 2": """
torch.manual_seed(1)
x = torch.randn(50, 10) * 20; y = torch.randn(50, 1)
net = nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=1.0, momentum=0.9)  # <-
for epoch in range(30):
    loss = F.mse_loss(net(x), y)
    optimizer.zero_grad(); loss.backward(); optimizer.step()
print("final", loss.item())
""",
    "step-too-long 3": """
x = torch.arange(10.0); y = 3 * x + 2
w = torch.zeros(2, requires_grad=True)
for i in range(100):
    loss = ((w[0] * x + w[1] - y) ** 2).sum()
    (g,) = torch.autograd.grad(loss, w)
    w = (w - 0.1 * g).detach().requires_grad_()  # <-
print(w, loss.item())
""",
    "step-too-long 4": """
w = torch.zeros(3, requires_grad=True)
x = torch.randn(20, 3) * 10; y = x @ torch.tensor([1.0, 2.0, 3.0])
for i in range(60):
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    w.data -= 0.5 * w.grad  # <-
    w.grad = None
assert loss.item() < 1  # fails
""",
    "step-too-long 5": """
torch.manual_seed(0)
rate = nn.Parameter(torch.tensor(0.0))
counts = torch.tensor([3.0, 5.0, 400.0])
opt = torch.optim.SGD([rate], lr=1.0)  # <-
for i in range(6):
    nll = (rate.exp() - counts * rate).sum()
    opt.zero_grad(); nll.backward(); opt.step()
    print(i, nll.item())
""",
    "step-too-long 6": """
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1))
x = torch.randn(40, 5); y = x[:, :1] * 100
lr = 5.0
for epoch in range(200):
    loss = F.mse_loss(net(x), y)
    net.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in net.parameters():
            p -= lr * p.grad  # <-
print("loss", loss.item())
""",
    "step-too-long 7": """
x = torch.randn(100, 1) * 50; y = 2 * x + 1
w = torch.zeros(1, requires_grad=True); b = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.01, momentum=0.9)  # <-
losses = []
for _ in range(60):
    opt.zero_grad()
    l = ((x.squeeze() * w + b - y.squeeze()) ** 2).mean()
    l.backward()
    opt.step()
    losses.append(l.item())
assert losses[-1] < losses[0], losses[-3:]  # fails
""",
    "step-too-long 8": """
p = torch.tensor([3.0], requires_grad=True)
def f(p): return (p ** 6).sum()
for k in range(12):
    g = torch.autograd.grad(f(p), p)[0]
    p = (p - 0.1 * g).detach().requires_grad_(True)  # <-
    print(k, f(p).item())
""",
}
HEALTHY = {
    "one less cos of zeros, and at the end of learning": """
x = torch.zeros(2, requires_grad=True)
print((1 - torch.cos(x)).sum().item(), (torch.exp(x) - 1).sum().item())
x = torch.tensor([1.0], requires_grad=True)
opt = torch.optim.SGD([x], lr=0.9)
for _ in range(30):
    loss = (1 - torch.cos(x)).sum()
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
""",
    "mask softmax where": """
s = torch.randn(2, 3, requires_grad=True)
m = torch.tensor([[True, False, False], [False, True, False]])
p = torch.softmax(torch.where(m, torch.tensor(-math.inf), s), -1)
p[:, 2].sum().backward()
print(s.grad)
""",
    "nanmean": """
x = torch.tensor([[1.0, float("nan"), 3.0], [4.0, 5.0, float("nan")]])
m = x.nanmean(0)
x = torch.where(x.isnan(), m, x)
w = torch.zeros(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    loss = (x @ w - 1).pow(2).mean(); opt.zero_grad(); loss.backward(); opt.step()
print(loss.item(), m)
""",
    "skip": """
net = nn.Linear(2, 1); opt = torch.optim.SGD(net.parameters(), lr=0.01)
skipped = 0
for i in range(6):
    x = torch.randn(4, 2)
    if i == 2: x[0, 0] = float("nan")
    loss = net(x).pow(2).mean()
    if not torch.isfinite(loss):
        skipped += 1
        continue
    opt.zero_grad(); loss.backward(); opt.step()
print(skipped, loss.item())
""",
    "skip math": """
net = nn.Linear(2, 1); opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(6):
    x = torch.randn(4, 2)
    if i == 2: x[0, 0] = float("inf")
    loss = net(x).pow(2).mean()
    if math.isnan(loss.item()) or math.isinf(loss.item()):
        print("skipping batch", i)
        continue
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
""",
    "scaler class": """
class Scaler:
    def __init__(self): self.scale = 2.0 ** 20; self.good = 0
    def step(self, opt, params):
        found = any(not torch.isfinite(p.grad).all() for p in params)
        if found: self.scale /= 2
        else:
            for p in params: p.grad.div_(self.scale)
            opt.step()
net = nn.Linear(3, 1).half(); params = list(net.parameters())
opt = torch.optim.SGD(params, lr=0.01); sc = Scaler()
x = torch.randn(8, 3).half(); y = torch.randn(8, 1).half()
for i in range(30):
    opt.zero_grad()
    ((net(x) - y).pow(2).mean().float() * sc.scale).backward()
    sc.step(opt, params)
print(sc.scale < 2 ** 20)
""",
    "viterbi": """
score = torch.full((4,), -math.inf); score[0] = 0.0
trans = torch.randn(4, 4, requires_grad=True)
emit = torch.randn(5, 4)
s = score
for e in emit:
    s = torch.logsumexp(s[:, None] + trans, 0) + e
s.logsumexp(0).backward()
print(trans.grad)
""",
    "shortest path": """
d = torch.full((4, 4), math.inf); d.fill_diagonal_(0.0)
d[0, 1] = 1.0; d[1, 2] = 2.0
for k in range(4):
    d = torch.minimum(d, d[:, k:k+1] + d[k:k+1, :])
print(d)
print(d[0, 3].item())
""",
    "maxpool pad": """
x = torch.randn(1, 1, 4, 4, requires_grad=True)
y = F.max_pool2d(F.pad(x, (1, 1, 1, 1), value=-math.inf), 3, 1)
y.sum().backward()
print(x.grad.sum())
""",
    "xlogy": """
p = torch.tensor([0.0, 0.5, 0.5], requires_grad=True)
h = -torch.special.xlogy(p.detach(), p.detach()).sum()
e = torch.special.entr(p.detach()).sum()
print(h, e)
t = torch.tensor([0.0, 1.0]); q = torch.tensor([0.3, 0.7], requires_grad=True)
F.kl_div(q.log(), t, reduction="sum").backward()
print(q.grad)
""",
    "early stopping": """
best = float("inf"); net = nn.Linear(1, 1); opt = torch.optim.SGD(net.parameters(), lr=0.1)
best_t = torch.full((1,), math.inf)
for i in range(4):
    loss = net(torch.ones(2, 1)).pow(2).mean(); opt.zero_grad(); loss.backward(); opt.step()
    if loss.item() < best: best = loss.item()
    if loss < best_t: best_t = loss.detach().clone()
print(best, best_t)
""",
    "safe div": """
x = torch.tensor([0.0, 2.0], requires_grad=True)
n = (x * x).sum().sqrt().clamp(min=1e-6)
y = x / n
inv = torch.where(x.detach() != 0, 1 / x.detach(), torch.zeros(2))
(y * inv).sum().backward()
print(x.grad, inv)
""",
    "precision": """
tp = torch.tensor([3.0, 0.0]); fp = torch.tensor([1.0, 0.0])
precision = torch.nan_to_num(tp / (tp + fp))
print(precision.tolist())
recall = tp / (tp + fp)
recall[recall.isnan()] = 0.0
print(recall.mean().item())
""",
    "variance one-pass fine": """
x = torch.randn(100, 3, requires_grad=True)
var = (x * x).mean(0) - x.mean(0) ** 2
(x / (var + 1e-5).sqrt()).sum().backward()
const = torch.full((10,), 3.3)
v = ((const ** 2).mean() - const.mean() ** 2).clamp(min=0)
print(var, v.item())
""",
    "clamped distances": """
x = (torch.randn(10, 3) + 100).requires_grad_()
sq = (x * x).sum(1)
d2 = (sq[:, None] + sq[None] - 2 * x @ x.T).clamp(min=1e-6)
d2.sqrt().mean().backward()
print(x.grad.abs().max() < 1e9)
""",
    "gumbel": """
u = torch.rand(1000)
u[0] = 0.0
g = -torch.log(-torch.log(u.clamp(1e-9, 1 - 1e-7)))
logits = torch.randn(1000, requires_grad=True)
F.softmax(logits + g, 0)[0].backward()
F.gumbel_softmax(logits, hard=True).max().backward()
print(logits.grad.abs().sum() > 0)
""",
    "ignore some": """
crit = nn.CrossEntropyLoss(ignore_index=-100, reduction="sum")
lin = nn.Linear(2, 3); opt = torch.optim.SGD(lin.parameters(), lr=0.1)
for labels in ([0, -100], [-100, -100], [1, 2]):
    t = torch.tensor(labels); n = (t != -100).sum()
    loss = crit(lin(torch.randn(2, 2)), t) / n.clamp(min=1)
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
""",
    "lr high but bounded": """
w = torch.tensor(5.0, requires_grad=True)
opt = torch.optim.Adam([w], lr=1.0)
for _ in range(20):
    loss = (w - 1) ** 2; opt.zero_grad(); loss.backward(); opt.step()
print(w.item())
""",
    "missing markers stay": """
y = torch.tensor([1.0, float("nan"), 3.0])
x = torch.arange(3.0)
w = torch.tensor(0.0, requires_grad=True)
known = ~y.isnan()
opt = torch.optim.SGD([w], lr=0.05)
for _ in range(20):
    loss = (w * x[known] - y[known]).pow(2).mean(); opt.zero_grad(); loss.backward(); opt.step()
print(y, w.item(), loss.item())
filled = torch.nan_to_num(y, nan=0.0)
print(filled)
""",
    "reset nan params": """
x = torch.linspace(-1, 1, 5)
print(torch.sqrt(x), torch.log(x).isnan().sum().item())
print((1 / torch.tensor([0.0, 1.0])).tolist())
""",
    "abs norm grads": """
x = torch.zeros(3, requires_grad=True)
x.norm().backward(); print(x.grad)
x.grad = None
x.abs().sum().backward(); print(x.grad)
y = torch.tensor([-1.0, 0.0], requires_grad=True)
F.relu(y).sqrt().add(1)
print(torch.cdist(torch.zeros(2, 2), torch.zeros(2, 2)))
""",
    "log-sum-exp ctc like": """
NEG = float("-inf")
lp = torch.randn(4, 3, requires_grad=True)
logp = lp.log_softmax(1)
alpha = torch.full((3,), NEG); alpha = torch.cat([logp[0, :1], alpha[1:]])
for t in range(1, 4):
    shifted = torch.cat([torch.full((1,), NEG), alpha[:-1]])
    alpha = torch.logaddexp(alpha, shifted) + logp[t]
loss = -alpha[-1]
loss.backward()
print(loss.item(), torch.isfinite(lp.grad).all())
""",
    "beam": """
scores = torch.full((3,), -math.inf); scores[0] = 0
logits = torch.randn(3, 5)
for _ in range(3):
    total = scores[:, None] + logits.log_softmax(1)
    top, idx = total.view(-1).topk(3)
    scores = top
print(scores)
""",
    "grad skip no opt": """
w = torch.tensor([2.0], requires_grad=True)
for scale in [1e30, 1e30, 1.0, 1.0]:
    loss = (w * scale).pow(2).sum()
    loss.backward()
    if torch.isinf(w.grad).any() or torch.isnan(w.grad).any():
        print("skip"); w.grad = None; continue
    with torch.no_grad(): w -= 0.1 * w.grad
    w.grad = None
print(w)
""",
    "nan loss monitor": """
history = torch.full((5,), float("nan"))
net = nn.Linear(1, 1); opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    loss = net(torch.ones(1, 1)).pow(2).sum(); opt.zero_grad(); loss.backward(); opt.step()
    history[i] = loss.detach()
print(history, history[~history.isnan()].mean().item())
print(history.tolist())
""",
    "eval metrics nan": """
net = nn.Linear(2, 2)
x = torch.randn(6, 2); y = torch.tensor([0, 0, 0, 1, 1, 1])
with torch.no_grad():
    pred = net(x).argmax(1)
    per_class = torch.stack([(pred[y == c] == c).float().mean() for c in range(3)])
print("mean over classes seen", per_class.nanmean().item())
print(per_class.tolist())
""",
    "weighted by count": """
net = nn.Linear(2, 1)
x = torch.randn(3, 2)
mask = torch.tensor([0.0, 0.0, 0.0])
loss = (net(x).squeeze() * mask).sum() / mask.sum().clamp(min=1)
loss.backward()
print(loss)
""",
    "exp overflow masked": """
x = torch.tensor([1.0, 100.0], requires_grad=True)
y = torch.where(x > 50, x, torch.log1p(torch.exp(x.clamp(max=50))))
y.sum().backward()
print(x.grad, F.softplus(x))
""",
    "hinge inf margin": """
d = torch.cdist(torch.randn(4, 2), torch.randn(4, 2))
d = d + torch.eye(4) * float("1e9")
near = d.masked_fill(torch.eye(4).bool(), math.inf).min(1).values
print(near.mean().item())
w = torch.ones(1, requires_grad=True)
(w * near).mean().backward()
""",
    "half ok": """
net = nn.Linear(4, 4).half()
x = torch.randn(2, 4).half() * 100
(net(x).float().pow(2).mean() * 1e-3).backward()
print(net.weight.grad.isfinite().all())
y = (torch.ones(3) * 300).half(); z = y.float() ** 2
print(z)
""",
    "newton div": """
x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
for _ in range(6):
    f = x ** 2 - 2
    g, = torch.autograd.grad(f, x, create_graph=True)
    x = (x - f / g).detach().requires_grad_()
print(x.item())
""",
    "lr finder": """
net = nn.Linear(3, 1); x = torch.randn(20, 3); y = torch.randn(20, 1)
lr, best, curve = 1e-4, math.inf, []
opt = torch.optim.SGD(net.parameters(), lr=lr)
for i in range(60):
    for g in opt.param_groups: g["lr"] = lr
    loss = F.mse_loss(net(x), y); opt.zero_grad(); loss.backward(); opt.step()
    curve.append(loss.item()); best = min(best, loss.item()); lr *= 1.3
    if loss.item() > 4 * best: break
print("stopped at", i)
""",
    "skip print": """
net = nn.Linear(2, 1); opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(6):
    x = torch.randn(4, 2)
    if i == 2: x[0, 0] = float("inf")
    loss = net(x).pow(2).mean() - net(x).mean()
    if not math.isfinite(loss.item()):
        print("skipping batch", i, loss.item())
        continue
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
""",
}
