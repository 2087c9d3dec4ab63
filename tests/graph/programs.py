"""Random programs of views and writes, run side by side on two libraries.

A program is a list of lines of Python that say `torch`; the generator looks at the tensors that
the reference made, so that most lines are legal, and leaves some that are not. What is compared
after each line is what a user can see: the error, values, versions, flags, nodes, and gradients.

Left out is what has no defined answer: reading and writing overlapping memory in one call.
"""

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.observe import clean, edges

Scope = dict[str, Any]


class Program:
    """One random program and the two worlds it runs in."""

    def __init__(self, seed: int, reference: Any, ours: Any) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.names: list[str] = []
        self.failed = False
        self.scopes: list[Scope] = [{"torch": t, "log": []} for t in (reference, ours)]

    def look(self, name: str) -> Any:
        """A tensor of the reference."""
        return self.scopes[0][name]

    def run(self, line: str) -> bool:
        """Runs a line in both worlds; whether it went through, the same in both."""
        self.lines.append(line)
        outcomes = [execute(line, scope) for scope in self.scopes]
        assert outcomes[0] == outcomes[1], self.story(outcomes)
        return outcomes[0] == ""

    def compare(self, deep: bool) -> None:
        """Asserts that the two worlds look the same; deep also asks for the nodes."""
        for name in self.names:
            pair = [seen(scope, name, self.names, deep) for scope in self.scopes]
            for key in pair[0]:
                a, b = pair[0][key], pair[1][key]
                assert same(a, b), self.story([f"{name} {key}: {a!r}", f"{name} {key}: {b!r}"])
        a, b = (scope["log"] for scope in self.scopes)
        assert same(a, b), self.story([f"log {a}", f"log {b}"])

    def story(self, outcomes: list[str]) -> str:
        """The program as a script, and what differed at its end."""
        head = ["", "import torch", "log = []", *self.lines, ""]
        return "\n".join([*head, f"PyTorch: {outcomes[0]}", f"seegrad: {outcomes[1]}"])

    def make(self, expression: str, prefix: str = "") -> None:
        """A line that gives a new name to a tensor."""
        name = f"t{len(self.names)}"
        if self.run(f"{prefix}{name} = {expression}"):
            self.names.append(name)

    def pick(self, fits: Callable[[Any], bool] = lambda _: True) -> str | None:
        """A tensor that fits, the latest preferred."""
        fitting = [n for n in self.names if fits(self.look(n))]
        if not fitting:
            return None
        place = max(self.random.randrange(len(fitting)) for _ in range(2))
        return fitting[place]


def execute(line: str, scope: Scope) -> str:
    """The error that a line raises, empty when it raises none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(line, scope)
        except Exception as error:
            return clean(f"{type(error).__name__}: {error}")
    return ""


def numbers(tensor: Any) -> Any:
    """The values, as an array of their own."""
    return tensor.detach().numpy().copy()


def attempted(function: Callable[[], Any]) -> Any:
    """The value, or the text of the error."""
    try:
        return function()
    except RuntimeError as error:
        return clean(str(error))


def seen(scope: Scope, name: str, names: list[str], deep: bool) -> dict[str, Any]:
    """What a user sees of one tensor."""
    tensor = scope[name]
    base = tensor._base
    found = {
        "values": numbers(tensor),
        "version": tensor._version,
        "requires_grad": tensor.requires_grad,
        "strides": strides(tensor),
        "base": None if base is None else [n for n in names if scope[n] is base],
    }
    if deep:
        found["leaf"] = attempted(lambda: tensor.is_leaf)
        found["node"] = attempted(lambda: node_of(tensor))
        found["output_nr"] = attempted(lambda: tensor.output_nr)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            grad = attempted(lambda: tensor.grad)
        if not isinstance(found["leaf"], str):  # else the view may not be read any more
            found["grad"] = grad if grad is None or isinstance(grad, str) else numbers(grad)
    return found


def strides(tensor: Any) -> list[int]:
    """The strides that matter."""
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return [step for size, step in pairs if size > 1] if tensor.numel() else []


def node_of(tensor: Any) -> Any:
    """The node of a tensor by name, with its edges."""
    node = tensor.grad_fn
    return None if node is None else [type(node).__name__, edges(node)]


def same(a: Any, b: Any) -> bool:
    """Equal, numbers within rounding."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return (
            a.shape == b.shape
            and a.dtype == b.dtype
            and np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)
        )
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return False
    if isinstance(a, float) and isinstance(b, float):
        return bool(np.isclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


# What a line may be. Each takes the program and adds a line to it, or none.

SHAPES = [(4,), (2, 3), (3, 2), (2, 2, 2), (1, 3), (6,), (2, 1, 3), ()]
NO_GRAD = "with torch.no_grad(): "


def sometimes(p: Program, chance: float = 0.12) -> str:
    """A context for a line, most often none."""
    return NO_GRAD if p.random.random() < chance else ""


def new_leaf(p: Program) -> None:
    """A leaf, or a tensor without gradient."""
    shape = p.random.choice(SHAPES)
    values = [round(p.random.uniform(0.3, 1.6), 2) for _ in range(int(np.prod(shape)))]
    p.make(f"torch.tensor({values}, dtype=torch.float64).reshape({shape}).clone()")
    if p.random.random() < 0.6:
        p.run(f"{p.names[-1]}.requires_grad_()")


def any_view(p: Program, name: str) -> list[str]:
    """Views of a tensor of any number of dimensions."""
    tensor, r = p.look(name), p.random
    count, ndim = tensor.numel(), tensor.dim()
    shapes = [(count,), (-1,), (1, count), (count, 1)]
    shapes += [(n, count // n) for n in (2, 3) if count % n == 0]
    wide = (r.choice([1, 2]), *(n if n != 1 else r.choice([1, 2]) for n in tensor.shape))
    return [
        f"{name}.view({r.choice(shapes)})",
        f"{name}.reshape({r.choice(shapes)})",
        f"{name}.unsqueeze({r.randrange(-ndim - 1, ndim + 1)})",
        f"{name}.squeeze()",
        f"{name}.view_as({name})",
        f"{name}.expand_as({name})",
        f"{name}.expand({wide})",
        f"{name}[...]",
        f"{name}[None]",
    ]


def dimension_view(p: Program, name: str) -> list[str]:
    """Views of a tensor that has dimensions."""
    tensor, r = p.look(name), p.random
    ndim, dim = tensor.dim(), p.random.randrange(tensor.dim())
    size = tensor.shape[dim]
    start, stop = sorted(r.randrange(size + 1) for _ in range(2))
    items = [f"{start}:{stop}", f"{start}:{stop}:2", f"{start}:", f":{stop}", ":", "::2"]
    order = r.sample(range(ndim), ndim)
    length = r.randrange(1, size + 1) if size else 1
    views = [
        f"{name}[{':, ' * dim}{r.choice(items)}]",
        f"{name}[{r.choice(items)}]",
        f"{name}.narrow({dim}, {start}, {r.randrange(size - start + 1)})",
        f"{name}.squeeze({dim})",
        f"{name}.permute({tuple(order)})",
        f"{name}.unfold({dim}, {length}, {length})",
        f"{name}.unflatten({dim}, (1, -1))",
        f"{name}[..., {r.choice([0, -1])}]",
    ]
    if size:
        views += [f"{name}.select({dim}, {r.randrange(-size, size)})"] * 2
    if tensor.shape[0]:
        views += [f"{name}[{r.randrange(tensor.shape[0])}]"] * 2
    if ndim > 1:
        a, b = r.sample(range(ndim), 2)
        views += [
            f"{name}.transpose({a}, {b - ndim})",
            f"{name}.movedim({a}, {b})",
            f"{name}.diagonal({r.choice([-1, 0, 0, 1])}, {a}, {b})",
            f"{name}.mT",
        ]
    return views if ndim != 2 else [*views, f"{name}.T"]


def add_view(p: Program) -> None:
    """A view of a tensor."""
    name = p.pick(lambda t: t.numel() <= 24 and t.dim() < 5)
    if name:
        kinds = [any_view, *[dimension_view] * 2] if p.look(name).dim() else [any_view]
        p.make(p.random.choice(p.random.choice(kinds)(p, name)), sometimes(p))


def add_views(p: Program) -> None:
    """Several views of one tensor, of which one is kept."""
    name = p.pick(lambda t: t.dim() and t.shape[0] > 1)
    if not name:
        return
    dim = p.random.randrange(p.look(name).dim())
    size = p.look(name).shape[dim]
    kinds = [f"split(1, {dim})", f"chunk(2, {dim})", f"unbind({dim})", f"split([{size}], {dim})",
             f"tensor_split(2, {dim})"]  # fmt: skip
    if p.run(f"{sometimes(p)}many = {name}.{p.random.choice(kinds)}"):
        p.make(f"many[{p.random.choice([0, -1])}]")


def fits(shape: tuple[int, ...], into: tuple[int, ...]) -> bool:
    """Whether one shape broadcasts to another."""
    try:
        return tuple(np.broadcast_shapes(shape, into)) == into
    except ValueError:
        return False


def operand(p: Program, name: str) -> str:
    """A number, or a tensor that mostly broadcasts to the shape of another."""
    target = p.look(name)
    if p.random.random() < 0.35:
        return repr(round(p.random.uniform(0.5, 1.5), 2))
    picky = p.random.random() < 0.95
    other = p.pick(lambda t: not picky or fits(tuple(t.shape), tuple(target.shape)))
    if other is None:
        return "2.0"
    shared = p.look(other).untyped_storage().data_ptr() == target.untyped_storage().data_ptr()
    return f"{other}.clone()" if shared and other != name else other


def any_write(p: Program, name: str) -> list[str]:
    """Writes into a tensor of any number of dimensions."""
    other = operand(p, name)
    calls = ["sin_()", "tanh_()", "neg_()", "sigmoid_()", "zero_()", "exp_()", "square_()",
             "relu_()", "clamp_(0.2, 1.1)", "pow_(2)", "fill_(0.7)", f"addcmul_({name}, {name})",
             f"lerp_({name}.detach().clone(), 0.3)", f"mul_({name})",
             f"copy_({other})" if other[0] == "t" else f"fill_({other})",
             *[f"{word}_({other})" for word in ("add", "mul", "sub", "div")]]  # fmt: skip
    if p.look(name).dim():
        calls.append(f"masked_fill_({name} > 1, 0.5)")
    statements = [f"{name} += {other}", f"{name} *= {other}", f"{name}[...] = {other}",
                  f"{name}[{name} > 0.9] = 0.25", f"{name}[{name} > 0.8] *= 2",
                  f"torch.relu_({name})"]  # fmt: skip
    return [*(f"{name}.{call}" for call in calls), *statements]


def row_write(p: Program, name: str) -> list[str]:
    """Writes into rows of a tensor."""
    tensor, r = p.look(name), p.random
    row = r.randrange(tensor.shape[0])
    rows = sorted({0, row})
    values = ["0.3", *(f"{n}.clone()" for n in p.names if p.look(n).shape == tensor.shape[1:])]
    copy = f"{name}[:1].clone()"
    return [
        f"{name}[{row}] = {r.choice(values)}",
        f"{name}[{row}] = {r.choice(values)}",
        f"{name}[{row}:] = 0.6",
        f"{name}[{row}] += 1",
        f"{name}[{row}] *= {name}[0].detach()",
        f"{name}[torch.tensor([{row}])] = {r.choice(values)}",
        f"{name}[torch.tensor({rows})] += 0.5",
        f"{name}[[{row}], ...] = 0.35",
        f"{name}.index_add_(0, torch.tensor([{row}]), {copy})",
        f"{name}.index_copy_(0, torch.tensor([{row}]), {copy})",
        f"{name}.index_fill_(0, torch.tensor([{row}]), 0.9)",
    ]


def write(p: Program) -> None:
    """A write into a tensor."""
    name = p.pick()
    if name:
        has_rows = p.look(name).dim() and p.look(name).shape[0]
        kinds = [any_write, any_write, row_write] if has_rows else [any_write]
        p.run(sometimes(p, 0.15) + p.random.choice(p.random.choice(kinds)(p, name)))


def compute(p: Program) -> None:
    """A new tensor from one or two."""
    name = p.pick(lambda t: t.numel() <= 24 and 0 not in t.stride())
    if name:
        # Of two layouts the result's is a choice of each library.
        other = operand(p, name) if p.look(name).is_contiguous() else "1.2"
        results = [f"{name} * {other}", f"{name} + {other}", f"{name} - {other}", f"{name}.sin()",
                   f"{name}.exp()", f"{name} * 1", f"{name}.clone()", f"{name}.sigmoid()",
                   f"{name} * {name}", f"{name}.sum()", f"{name}.square()"]  # fmt: skip
        p.make(p.random.choice(results), sometimes(p, 0.05))


def detach(p: Program) -> None:
    """The same memory without history."""
    name = p.pick()
    if name:
        p.make(f"{name}.{p.random.choice(['detach()', 'data'])}")


def hang(p: Program) -> None:
    """A hook, retain_grad, a flag.

    PyTorch 2.13.0 crashes when a hook is hung on a stale view whose node nobody asked for.
    """
    name = p.pick()
    if not name:
        return
    log = f"lambda g: log.append(['{name}', {len(p.lines)}, g.sum().item()])"
    if isinstance(attempted(lambda: p.look(name).is_leaf), str):
        return  # a view that may not be read any more
    lines = [
        f"{name}.retain_grad()",
        f"{name}.grad_fn; _ = {name}.register_hook({log})",
        f"{name}.grad_fn; _ = {name}.register_hook(lambda g: g * 2)",
        f"{name}.requires_grad_()" if not p.look(name)._is_view() else f"_ = {name}.grad_fn",
    ]
    p.run(p.random.choice(lines))


def has_gradient(tensor: Any) -> bool:
    """Whether a gradient may be asked for: not of a view that was made without recording."""
    return bool(tensor.requires_grad) and not (tensor._is_view() and tensor.is_leaf)


def differentiate(p: Program) -> None:
    """A backward pass, or the gradient of one tensor with respect to another."""
    name = p.pick(lambda t: t.requires_grad)
    if not name or p.failed:
        return
    keep = "retain_graph=True" if p.random.random() < 0.6 else ""
    other = p.pick(lambda t: t.requires_grad)
    if p.random.random() < 0.3 and attempted(lambda: has_gradient(p.look(other or name))) is True:
        call = f"torch.autograd.grad({name}.sum(), {other}, allow_unused=True, {keep})"
        line = f"log.append([None if g is None else g.tolist() for g in {call}])"
    else:
        line = f"({name} * {name}).sum().backward({keep})"
    p.failed = not p.run(line)  # then some of the graph was freed, and which is not promised


STEPS: list[tuple[Callable[[Program], None], int]] = [
    (new_leaf, 6), (add_view, 30), (add_views, 5), (write, 36), (compute, 14), (detach, 3),
    (hang, 8), (differentiate, 4),
]  # fmt: skip


def run_program(seed: int, reference: Any, ours: Any, length: int = 14) -> None:
    """Makes and runs one program; raises AssertionError with its lines where the two differ."""
    p = Program(seed, reference, ours)
    steps, weights = [step for step, _ in STEPS], [weight for _, weight in STEPS]
    new_leaf(p)
    if p.random.random() < 0.8:
        p.make("t0 * 1.0")
    for _ in range(p.random.randrange(4, length)):
        p.random.choices(steps, weights)[0](p)
        p.compare(deep=p.random.random() < 0.3)
    for _ in range(2):
        differentiate(p)
        p.compare(deep=True)
