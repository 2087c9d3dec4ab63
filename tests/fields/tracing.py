"""Programs as graphs: their printed form and code, changes, other ways to run them."""

import copy
import math
import operator
from typing import Any

from tests.observe import attempt, rounded


def _nets(torch: Any) -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Twelve modules, each with the shape of its input."""
    nn, F = torch.nn, torch.nn.functional

    class Net(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, **parts: Any) -> None:
            super().__init__()
            for name, part in parts.items():
                setattr(self, name, part)

    class Clamped(Net):
        def forward(self, x):  # type: ignore[no-untyped-def]
            return self.linear(x + self.param).clamp(min=0.0, max=1.0)

    class Residual(Net):
        def forward(self, x):  # type: ignore[no-untyped-def]
            return F.relu(self.second(F.relu(self.first(x))) + x, inplace=True)

    class Convolution(Net):
        def forward(self, x):  # type: ignore[no-untyped-def]
            x = F.max_pool2d(self.conv1(x).relu(), 2)
            x = torch.flatten(self.norm(x), 1)
            return F.log_softmax(self.fc(x), dim=1)

    class Attention(Net):
        def forward(self, x, mask=None):  # type: ignore[no-untyped-def]
            q, k, v = self.qkv(x).chunk(3, dim=-1)
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
            return torch.softmax(scores, -1).matmul(v)

    class Annotated(Net):
        def forward(self, x: torch.Tensor, n: int = 2, *, k: float = 1.5) -> torch.Tensor:
            return x * n + k

    class Symbols(Net):
        def forward(self, x):  # type: ignore[no-untyped-def]
            a = (1 / x, 2 - x, x**2, 2**x, -x, +x, abs(x), x // 2, x % 2, x @ x, x > 0, ~(x > 1))
            b = {"eq": x == 1, "slice": x[:, 1:], "none": x[..., None], "item": [x[0], (x[0, 1],)]}
            return a, b, (x > 0) & (x < 2), x.T, x.shape[0], 2 * x + x * 0.5

    class Containers(Net):
        def forward(self, x):  # type: ignore[no-untyped-def]
            for layer in self.layers:
                x = layer(x)
            return {"out": self.heads["a-b"](x), "sum": sum([x, x])}

    class Buffers(Net):
        def forward(self, x):  # type: ignore[no-untyped-def]
            y = x * self.scale + self.plain + torch.ones(2)
            return y.to(torch.float64), y.view(y.size(0), -1), torch.zeros(y.shape), y.dtype

    class Shared(Net):
        def forward(self, x):  # type: ignore[no-untyped-def]
            return self.inner.linear(self.linear(x)) + self.inner.linear.weight.sum()

    class Starred(Net):
        def forward(self, x, *rest, **named):  # type: ignore[no-untyped-def]
            return x + rest[0] + named["z"]

    class Named(Net):
        def forward(self, input):  # type: ignore[no-untyped-def]
            total, first = input.sum(), input.max(0)[0]
            return self.myLayer(input), torch.stack([total, first.sum()]), F.linear(input, self.W)

    linear = nn.Linear(4, 4)
    inner = Net(linear=linear)
    return {
        "clamped": (Clamped(param=nn.Parameter(torch.rand(3, 4)), linear=nn.Linear(4, 5)), (3, 4)),
        "residual": (Residual(first=nn.Linear(4, 4), second=nn.Linear(4, 4)), (3, 4)),
        "convolution": (
            Convolution(conv1=nn.Conv2d(1, 2, 3), norm=nn.BatchNorm2d(2), fc=nn.Linear(8, 3)),
            (2, 1, 6, 6),
        ),
        "attention": (Attention(qkv=nn.Linear(4, 12)), (2, 3, 4)),
        "annotated": (Annotated(), (2, 2)),
        "symbols": (Symbols(), (2, 2)),
        "containers": (
            Containers(
                layers=nn.ModuleList([nn.Sequential(linear, nn.ReLU()), nn.Tanh()]),
                heads=nn.ModuleDict({"a-b": nn.Linear(4, 1)}),
            ),
            (3, 4),
        ),
        "buffers": (_with_buffer(torch, Buffers(plain=torch.ones(2))), (3, 2)),
        "shared": (Shared(linear=linear, inner=inner), (2, 4)),
        "starred": (Starred(), (2,)),
        "named": (Named(myLayer=nn.Identity(), W=nn.Parameter(torch.ones(3, 2))), (4, 2)),
        "sequential": (nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)), (4, 2)),
    }


def _with_buffer(torch: Any, net: Any) -> Any:
    net.register_buffer("scale", torch.arange(2.0))
    return net


def _numbers(torch: Any, value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return rounded(value, 3)
    if isinstance(value, dict):
        return {name: _numbers(torch, each) for name, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [_numbers(torch, each) for each in value]
    return str(value)


def traced(torch: Any) -> dict[str, Any]:
    """Each module as a graph and as code; the graph computes what the module does."""
    found = {}
    torch.manual_seed(0)
    for name, (net, size) in _nets(torch).items():
        graph = torch.fx.symbolic_trace(net)
        x = torch.rand(size) + 0.5
        args = (x, x) if name == "starred" else (x,)
        named = {"z": x} if name == "starred" else {}
        same = _numbers(torch, net(*args, **named)) == _numbers(torch, graph(*args, **named))
        graph.graph.lint()
        found[name] = [str(graph.graph).split("\n"), graph.code.split("\n"), same]
        found[name].append(sorted(graph.state_dict()) == sorted(net.state_dict()))
        print(graph)
    return found


def functions(torch: Any) -> list[Any]:
    trace, F = torch.fx.symbolic_trace, torch.nn.functional

    def unpacked(x, y=None):  # type: ignore[no-untyped-def]
        a, b = x.chunk(2)
        (c, d), e = a, b
        return c * d + e if y is None else x + y

    def iterated(x):  # type: ignore[no-untyped-def]
        return [each for each in x]  # noqa: C416

    def branched(x):  # type: ignore[no-untyped-def]
        return x if x.sum() > 0 else -x

    def written(x):  # type: ignore[no-untyped-def]
        x += 1
        x *= 2
        return x

    programs = [
        lambda x: torch.einsum("ij->ji", x),
        lambda x: (F.dropout(x, 0.5), F.softmax(x, dim=-1), F.gelu(x), F.layer_norm(x, (2,))),
        lambda x: (torch.cat([x, x], dim=-1), torch.where(x > 0, x, 0.0), torch.split(x, 2)),
        lambda x: torch.arange(x.shape[0]) + torch.zeros(2, x.size(1)) + torch.full((2,), x),
        lambda x: (torch.ones(3) + x, torch.ones(2) - x, torch.ones(2) @ x, torch.ones(2)[x]),
        lambda x: (x + float("inf"), x.to(torch.device("cpu")), x[1:2, ..., None, ::2], 1j * x),
        lambda x: (x, [x, {"a": x}], None, True, "text", 1e-5),
        lambda x: x.foo.bar(1).baz,
        lambda x: (x.add(1).add(2) + x.add_(1), x.max(), x.input, x.sum()),
        lambda *a: a[0],
        lambda **k: k["z"],
        lambda x: math.sqrt(x.item()),
        lambda: torch.ones(2),
        lambda x: x.requires_grad,
        lambda x: (
            torch.nn.functional.conv2d(x, x, padding=1) + F.scaled_dot_product_attention(x, x, x)
        ),
        unpacked,
        written,
    ]
    found: list[Any] = [trace(program).code.split("\n") for program in programs]
    found += [trace(unpacked, concrete_args={"y": None}).code.split("\n")]
    fixed = trace(lambda x, b: x if b else -x, concrete_args={"b": True})
    found += [fixed.code.split("\n"), attempt(lambda: fixed(torch.ones(1), False))]
    calls = [
        lambda: trace(branched),
        lambda: trace(iterated),
        lambda: trace(lambda x: len(x)),
        lambda: trace(lambda x: x and 1),
        lambda: trace(lambda x: torch.add(*x)),
        lambda: trace(lambda x: x + object()),
        lambda: trace(5),
        lambda: torch.fx.wrap("len"),
        lambda: torch.fx.wrap(3),
        lambda: trace(lambda x: x + torch.nn.Parameter(torch.ones(2))),
    ]
    return found + [attempt(call) for call in calls]


def wrapped(torch: Any) -> list[Any]:
    text = """
import math
@torch.fx.wrap
def mine(x): return x * 2
torch.fx.wrap("len")
def program(x): return mine(x) + len(x) + math.sqrt(x[0])
"""
    own = {"__name__": "program", "torch": torch}
    exec(compile(text, "program", "exec"), own)
    traced = torch.fx.symbolic_trace(own["program"])
    x = torch.tensor([4.0, 9.0])
    return [traced.code.split("\n"), rounded(traced(x)), rounded(own["mine"](x)), math.sqrt(4.0)]


def changed(torch: Any) -> list[Any]:
    found: list[Any] = []
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    module = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
    graph = module.graph
    relu = graph.find_nodes(op="call_function", target=torch.relu)[0]
    found.append(attempt(lambda: graph.erase_node(relu)))
    with graph.inserting_after(relu):
        neg = graph.call_function(torch.neg, (relu,))
    relu.replace_all_uses_with(neg)
    found.append(str(graph))
    neg.args = (relu,)
    with graph.inserting_before(relu):
        tanh = graph.call_method("tanh", (relu.args[0],))
    relu.replace_input_with(relu.args[0], tanh)
    graph.lint()
    module.recompile()
    found += [str(graph), module.code, rounded(module(torch.ones(2)), 4), len(graph.nodes)]
    found += [str(list(reversed(graph.nodes))), graph.output_node().name, str(graph.nodes is None)]
    for node in list(graph.nodes):
        if node.target is operator.add:
            node.target = operator.mul
            node.update_arg(1, 3)
    module.recompile()
    found += [module.code, rounded(module(torch.ones(2)), 4)]
    told = [[n.op, n.name, str(n.args), str(n.kwargs), str(n.users), str(n.next), str(n.prev)]
            for n in graph.nodes]  # fmt: skip
    found += [
        told,
        str(relu.all_input_nodes),
        relu.meta,
        str(relu.type),
        module.print_readable(False),
    ]
    dead = torch.fx.symbolic_trace(lambda x: (x + 1, x * 2)[1])
    found += [dead.code, dead.graph.eliminate_dead_code(), str(dead.graph)]

    new = torch.fx.Graph()
    names = ["add", "add", "add_1", "add_1", "add_3", "add", "1x", "a.b", "class", "x_1", "x", "_"]
    found.append([new.placeholder(name).name for name in [*names, "sum", "X", "fooBar"]])
    new = torch.fx.Graph()
    x = new.placeholder("x")
    y = new.call_function(torch.add, (x, x), {"alpha": 2})
    z = new.call_module("l", (y,))
    new.output((z, new.get_attr("w")))
    parts = {"l": net, "w": torch.ones(2)}
    made = torch.fx.GraphModule(parts, new, "Nice")
    found += [str(new), str(made), repr(made), type(made).__name__, list(made.state_dict())]
    found += [new.owning_module is made, isinstance(made, torch.fx.GraphModule), made.training]
    found.append(attempt(lambda: torch.fx.GraphModule({}, new)))
    copied: Any = torch.fx.Graph()
    copied.output(copied.graph_copy(new, {}))
    found += [str(copied) == str(new), copy.deepcopy(made).code == made.code]
    other, foreign = torch.fx.Graph(), new.placeholder("q")
    other.call_function(torch.neg, (foreign,))
    found += [attempt(other.lint), attempt(lambda: other.call_function("x"))]
    late = torch.fx.Graph()
    q = late.placeholder("q")
    with late.inserting_before(q):
        late.call_function(torch.neg, (q,))
    found += [attempt(late.lint), attempt(lambda: late.create_node("foo", "x"))]
    found.append(attempt(lambda: torch.fx.Interpreter(made).run()).split("\n")[0])
    return found


def run_in_other_ways(torch: Any) -> list[Any]:
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    found: list[Any] = []

    class Loud(torch.fx.Interpreter):  # type: ignore[misc, name-defined]
        def run_node(self, n: Any) -> Any:
            found.append([n.op, n.name])
            return super().run_node(n)

        def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
            found.append([target.__name__, len(args), kwargs])
            return super().call_function(target, args, kwargs)

    class Swap(torch.fx.Transformer):  # type: ignore[misc, name-defined]
        def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
            swapped = torch.tanh if target is torch.relu else target
            return super().call_function(swapped, args, kwargs)

    class Whole(torch.fx.Tracer):  # type: ignore[misc, name-defined]
        def is_leaf_module(self, m: Any, module_qualified_name: str) -> bool:
            return isinstance(m, torch.nn.Sequential)

    class Outer(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, x):  # type: ignore[no-untyped-def]
            return torch.relu(self.net(x)).pow(2).mean()

    outer = Outer()
    traced = torch.fx.symbolic_trace(outer)
    x = torch.rand(4, 2)
    found.append(rounded(Loud(traced).run(x), 5))
    found.append(Swap(traced).transform().code)
    tracer = Whole()
    graph = tracer.trace(outer)
    small = torch.fx.GraphModule(outer, graph)
    found += [str(graph), small.code, tracer.root is outer, rounded(small(x), 5)]

    def decomposed(module: Any) -> Any:
        """The published example: relu written as a product, through proxies."""
        graph, values = torch.fx.Graph(), {}
        tracer = torch.fx.proxy.GraphAppendingTracer(graph)
        for node in torch.fx.Tracer().trace(module).nodes:
            if node.op == "call_function" and node.target is torch.relu:
                proxies = [torch.fx.Proxy(values[a.name], tracer) for a in node.args]
                values[node.name] = ((proxies[0] > 0) * proxies[0]).node
            else:
                values[node.name] = graph.node_copy(node, lambda a: values[a.name])
        return torch.fx.GraphModule(module, graph)

    product = decomposed(outer)
    losses = [traced, small, product]
    for each in losses:
        net.zero_grad()
        each(x).backward()
        found.append([rounded(p.grad, 4) for p in net.parameters()])
    found += [
        product.code,
        torch.fx.node.map_arg([1], str),
        str(torch.fx.Proxy(next(iter(graph.nodes)))),
    ]
    return found
