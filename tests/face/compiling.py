"""torch.jit, torch.compile and threads: what a program that asks for them sees."""

import warnings
from typing import Any

from tests.observe import attempt


def scripted(torch: Any) -> Any:
    """Functions and modules that are scripted or traced go on working."""

    class Net(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(2, 2)

        def forward(self, x):  # type: ignore[no-untyped-def]
            return self.layer(x).sum()

        @torch.jit.ignore
        def ignored(self, x):  # type: ignore[no-untyped-def]
            return x

        @torch.jit.unused
        def unused(self, x):  # type: ignore[no-untyped-def]
            return x

    def double(x):  # type: ignore[no-untyped-def]
        return x + x

    x, seen = torch.ones(2, requires_grad=True), []
    with warnings.catch_warnings():  # PyTorch says several times that a module is traced
        warnings.simplefilter("ignore")
        functions = [torch.jit.script(double), torch.jit.trace(double, (torch.ones(2),)),
                     torch.jit.script_if_tracing(double)]  # fmt: skip
        nets = [torch.jit.script(Net()), torch.jit.trace(Net(), torch.ones(1, 2))]
    for made in functions:
        y = made(x)
        seen.append([y.tolist(), torch.autograd.grad(y.sum(), x)[0].tolist()])
    for net in nets:
        net(torch.ones(3, 2)).backward()
        names = [name for name, _ in net.named_parameters()]
        seen.append([isinstance(net, torch.nn.Module), names,
                     [list(p.grad.shape) for p in net.parameters()]])  # fmt: skip
    return seen


def names_of_jit(torch: Any) -> Any:
    jit = torch.jit
    found = jit.wait(jit.fork(lambda x: x + 1, 2))
    checks = [(3, int), (3, float), ([1, 2], list[int]), (["a"], list[int]),
              ((1, "a"), tuple[int, str]),
              ((1,), tuple[int, str]), ({"a": 1}, dict[str, int]), ({"a": "b"}, dict[str, int]),
              (None, int | None), ("a", int | None), ([[1]], list[list[int]])]  # fmt: skip
    return [jit.is_scripting(), jit.is_tracing(), jit.annotate(int, 3), found,
            str(jit.Attribute(3, int)), [jit.isinstance(*check) for check in checks],
            attempt(lambda: jit.isinstance([1], list)),
            [attempt(lambda v=value: jit.script(v)) for value in (3, "a", None, print)],
            attempt(lambda: jit.trace(lambda x: x))]  # fmt: skip


def threads(torch: Any) -> Any:
    before, seen = torch.get_num_threads(), []
    for count in (0, -1, 1.5, "a", True):
        seen.append(attempt(lambda n=count: torch.set_num_threads(n)))
    for count in (0, 1.5):
        seen.append(attempt(lambda n=count: torch.set_num_interop_threads(n)))
    torch.set_num_threads(before)
    return [*seen, torch.get_num_threads() == before, torch.get_num_interop_threads() > 0]


def compiled(torch: Any) -> Any:
    """What is asked about compilers."""
    compiler = torch.compiler
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [compiler.is_compiling(), compiler.is_dynamo_compiling(), compiler.is_exporting(),
                compiler.disable(len)([1]), compiler.cudagraph_mark_step_begin()]  # fmt: skip
