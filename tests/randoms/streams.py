"""Random numbers after a seed: every call, size, dtype and order of memory; states of generators.

Seen of each draw are its last numbers and the one that the stream gives next.
"""

import base64
import pickle
import zlib
from typing import Any

from tests.observe import attempt, rounded

FLOATS = ("float16", "bfloat16", "float32", "float64")
REALS = ("uint8", "int8", "int64", "bool", *FLOATS)
SIZES = ((), (1,), (7,), (8,), (15,), (16,), (17,), (33,), (5, 3), (5003,))


def _seen(torch: Any, draw: Any, *kinds: str, sizes: Any = SIZES) -> dict[str, Any]:
    """For each dtype and size: the last three numbers in the order of memory, and the next one."""
    seen = {}
    for kind in kinds:
        rows = []
        for size in sizes:
            torch.manual_seed(len(rows))
            drawn = draw(size, getattr(torch, kind)).detach()
            assert tuple(drawn.shape) == size
            rows.append([rounded(drawn.reshape(-1)[-3:], 4), rounded(torch.rand(()), 4)])
        seen[kind] = rows
    return seen


def plain(torch: Any) -> Any:
    return [
        _seen(torch, lambda s, d: torch.rand(s, dtype=d), *FLOATS, "complex64"),
        _seen(torch, lambda s, d: torch.randn(s, dtype=d), *FLOATS, "complex128"),
        _seen(torch, lambda s, d: torch.randint(0, 2, s, dtype=d), *REALS),
    ]


def filled(torch: Any) -> Any:
    empty = torch.empty
    return [
        _seen(torch, lambda s, d: empty(s, dtype=d).uniform_(-1, 2), *FLOATS),
        _seen(torch, lambda s, d: empty(s, dtype=d).normal_(1, 2), *FLOATS),
        _seen(torch, lambda s, d: empty(s, dtype=d).random_(), "int8", "int64", *FLOATS),
        _seen(torch, lambda s, d: empty(s, dtype=d).bernoulli_(0.3), "bool", "float32"),
        _seen(torch, lambda s, d: empty(s, dtype=d).exponential_(1.5), *FLOATS),
        _seen(torch, lambda s, d: empty(s, dtype=d).geometric_(0.3), "int64", "float64"),
        _seen(torch, lambda s, d: empty(s, dtype=d).cauchy_(), "float32", "float64"),
        _seen(torch, lambda s, d: empty(s, dtype=d).log_normal_(0, 0.5), "float32", "float64"),
    ]


def by_tensors(torch: Any) -> Any:
    def full(size: Any, kind: Any, value: float) -> Any:
        return torch.full(size, value, dtype=kind)

    return [
        _seen(torch, lambda s, d: torch.bernoulli(full(s, d, 0.3)), *FLOATS),
        _seen(torch, lambda s, d: torch.normal(full(s, d, 0.5), 0.25), *FLOATS),
        _seen(torch, lambda s, d: torch.normal(0.5, full(s, d, 0.25)), *FLOATS),
        _seen(torch, lambda s, d: torch.normal(full(s, d, 0.5), full(s, d, 0.25)), *FLOATS),
        _seen(torch, lambda s, d: torch.poisson(full(s, d, 3.0)), *FLOATS),
        _seen(torch, lambda s, d: torch.poisson(full(s, d, 30.0)), *FLOATS),
    ]


def by_refusal(torch: Any) -> Any:
    """Gamma and binomial numbers, each of them of other parameters."""
    seen = []
    for kind in (torch.float32, torch.float64):
        along = torch.linspace(0.02, 40, 400, dtype=kind)
        counts = torch.arange(20, dtype=kind)
        for draw in (
            lambda x=along: torch._standard_gamma(x),
            lambda x=along: torch._standard_gamma(x / 100),
            lambda x=along: torch._sample_dirichlet(x.reshape(-1, 4) / 10),
            lambda x=along: torch.poisson(x),
            lambda x=along, n=counts: torch.binomial(n.repeat(20), x / 40),
            lambda x=along: torch.binomial(x.floor() * 1000, x / 40),
            lambda: torch._standard_gamma(torch.ones(()).to(kind)),
        ):
            torch.manual_seed(5)
            drawn = draw().double().reshape(-1)
            seen.append([rounded(drawn[::57], 4), rounded(drawn.sum(), 2),
                         rounded(torch.randn(3), 4)])  # fmt: skip
    return seen


def moved(torch: Any) -> Any:
    """Gradients of numbers by what they were drawn by, to what PyTorch's approximation has."""
    shape = torch.tensor([0.05, 0.7, 3.0, 20.0], dtype=torch.float64, requires_grad=True)
    drawn = torch._standard_gamma(shape)
    (slope,) = torch.autograd.grad(drawn.sum(), shape, create_graph=True)
    direct = torch._dirichlet_grad(*torch.tensor([[0.2, 0.9], [2.0, 0.5], [5.0, 2.0]]))
    nodes = [type(t.grad_fn).__name__ for t in (
        drawn, slope, torch.poisson(shape), torch._sample_dirichlet(shape))]  # fmt: skip
    return [rounded(slope, 3), rounded(direct, 3), nodes,
            attempt(lambda: torch.autograd.grad(slope.sum(), shape)),
            rounded(torch.autograd.grad(torch.poisson(shape).sum(), shape)[0])]  # fmt: skip


def in_memory(torch: Any) -> Any:
    """Tensors that are not contiguous are filled in the order of memory, whatever the call."""
    seen = []
    for base in (lambda: torch.zeros(6, 4).t(), lambda: torch.zeros(2, 3, 4).permute(2, 0, 1),
                 lambda: torch.zeros(8, 6)[::2], lambda: torch.zeros(6, 4).t()[1:3],
                 lambda: torch.zeros(1, 24).t(), lambda: torch.zeros(24, 3)[:, 1]):  # fmt: skip
        chances = torch.linspace(0, 1, base().numel()).reshape(base().shape)
        for draw in (
            lambda x: x.normal_(), lambda x: x.uniform_(), lambda x: x.random_(9),
            lambda x: x.bernoulli_(0.4), lambda x: x.exponential_(),
            lambda x, p=chances: x.bernoulli_(p), torch.rand_like, torch.randn_like,
            lambda x: torch.randint_like(x, 9), lambda x: torch.rand(x.shape, out=x),
            lambda x: torch.randn(x.shape, out=x),
            lambda x, p=chances: torch.bernoulli(p, out=x),
            lambda x: torch.normal(0.0, torch.ones(x.shape), out=x),
        ):  # fmt: skip
            torch.manual_seed(3)
            drawn = draw(base())
            flat = drawn.reshape(-1)
            steps = [s for s, n in zip(drawn.stride(), drawn.shape, strict=True) if n > 1]
            seen.append([steps, rounded(flat[:: len(flat) // 5], 3),
                         rounded(torch.rand(()), 4)])  # fmt: skip
    return seen


def in_step(torch: Any) -> Any:
    """A second normal number waits for whoever asks next, except from 16 on."""
    seen = []
    for draw in (
        lambda: torch.randn(3), lambda: torch.randn(16), lambda: torch.randn(1),
        lambda: torch._standard_gamma(torch.ones(3)), lambda: torch.randperm(5),
        lambda: torch.empty(2).log_normal_(), lambda: torch.multinomial(torch.ones(5), 2),
        lambda: torch.multinomial(torch.ones(2, 5), 2, True), lambda: torch.randn(5).double(),
        lambda: torch.empty(3).normal_(1, 0.1),
        lambda: torch.nn.init.trunc_normal_(torch.empty(4)),
        lambda: torch.nn.functional.dropout(torch.ones(5), 0.4), lambda: torch.randn(2, 2),
        lambda: torch.nn.functional.gumbel_softmax(torch.ones(3)),
        lambda: torch.nn.functional.rrelu(torch.tensor([-1.0, 1.0, -2.0]), training=True),
        lambda: torch.nn.functional.alpha_dropout(torch.ones(5), 0.4, True),
    ):  # fmt: skip
        seen.append(rounded(draw(), 4))
    return seen


def ranges(torch: Any) -> Any:
    def drawn(kind: Any, *bounds: Any, **named: Any) -> Any:
        return attempt(lambda: torch.zeros(3, dtype=kind).random_(*bounds, **named))

    kinds = (torch.float16, torch.float32, torch.int64, torch.int8, torch.bool, torch.complex64)
    calls: Any = [(0,), (3, 3), (5, 2), (-5, 5), (5, None), (2,), (-(2**63), None), (0, 2**40)]
    seen = [drawn(kind, *bounds) for kind in kinds for bounds in calls]
    seen += [drawn(torch.int64, **{"from": 1, "to": 4}), drawn(torch.int64, to=4)]
    half = torch.randint(-100, 2**12, (4,), dtype=torch.float16)
    return [*seen, rounded(half), rounded(torch.randint(2**17 + 1, (4,), dtype=torch.bfloat16))]


def refused(torch: Any) -> Any:
    def of(kind: Any) -> Any:
        return torch.zeros(4, dtype=kind)

    return [attempt(f) for f in (
        lambda: torch.randperm(3000, dtype=torch.float16), lambda: torch.randperm(2.5),
        lambda: torch.randperm(300, dtype=torch.uint8),
        lambda: torch.randperm(3, dtype=torch.bool),
        lambda: torch.rand(2, dtype=torch.float64, out=torch.empty(0)),
        lambda: torch.rand(2, out=torch.empty(0, dtype=torch.int64)), lambda: torch.randint(3, 5),
        lambda: of(torch.int64).exponential_(0), lambda: of(torch.bool).geometric_(0.5),
        lambda: of(torch.int64).cauchy_(0, -1), lambda: of(torch.complex64).bernoulli_(2),
        lambda: of(torch.float32).bernoulli_(torch.ones(2)), lambda: torch.poisson(-torch.ones(1)),
        lambda: of(torch.complex64).bernoulli_(torch.ones(4)), lambda: torch.poisson(2.0),
        lambda: torch.poisson(torch.ones(2).long()), lambda: torch._standard_gamma(of(torch.half)),
        lambda: torch.binomial(of(torch.int64), torch.ones(4)),
        lambda: torch.binomial(of(torch.float32), of(torch.float64)),
        lambda: torch.binomial(of(torch.half), of(torch.half)),
        lambda: torch.binomial(of(torch.float32), 0.5),
        lambda: torch.multinomial([1.0], 1),
        lambda: torch.multinomial(torch.ones(3), 2.5))]  # fmt: skip


def generators(torch: Any) -> Any:
    generator = torch.Generator().manual_seed(7)
    torch.randn(3, generator=generator)
    same = [generator.clone_state(), pickle.loads(pickle.dumps(generator))]
    own = generator.get_state()
    with torch.random.fork_rng():
        torch.manual_seed(4)
        forked = torch.rand(2)
    seen = [rounded(torch.randn(2, generator=g), 4) for g in (generator, *same)]
    seen.append(rounded(torch.randn(2, generator=generator.set_state(own)), 4))
    seen += [str(generator.device), generator.initial_seed(), torch.initial_seed(),
             rounded(forked), rounded(torch.rand(2)), torch.thread_safe_generator()]  # fmt: skip
    return seen + [attempt(f) for f in (
        generator.graphsafe_get_state, lambda: generator.graphsafe_set_state(generator),
        lambda: generator.graphsafe_set_state(3), generator.get_offset,
        lambda: generator.set_offset(3), lambda: generator.set_state(3),
        lambda: torch.set_rng_state(torch.zeros(3)))]  # fmt: skip


def states(torch: Any) -> Any:
    """All 5056 bytes of states: at the seed, in the middle, with a normal number that waits."""
    seen = []
    for count in (0, 1, 623, 624, 1000):
        torch.manual_seed(2**40 + count)
        torch.rand(count)
        torch.randn(count % 3)
        state = torch.get_rng_state()
        seen.append([list(state.shape), zlib.crc32(bytes(state.tolist()))])
    torch.set_rng_state(torch.tensor(list(_of_pytorch()), dtype=torch.uint8))
    return [*seen, torch.initial_seed(), rounded(torch.randn(3), 4), rounded(torch.rand(2), 4)]


def _of_pytorch() -> bytes:
    """The state that PyTorch had after manual_seed(11), rand(5) and randn(1)."""
    return zlib.decompress(base64.b64decode(STATE))


STATE = """
eNpVmHk81esWxjcaTOlU7MzpoEJzx2lGHKVwMiZDJRshDSIntgY00SBlnoctU0gDMidFA1KK7JTMlQxlzHTverr387nXP9/Ptv
3e3/uu9axnrZcQ49ePAy+DwfNvCvznc7ag6gPiJXMpK6LNYee7xKENdiuJJ3XqLIk7/B26iBUnNuO55x4i04m7Yi8/JvInlXwm
lrRpSRIfs4/7EdcrLd1HdA2uVyEyH8htJX4QT5hJ1HWecCTOaPI3IkqsDYsmVvFkyhIvJBuaE++OGf5BjKv5co546k11C3H/9z
o+7LOJ/29ijcjHn9i/04gysf9WlSKR/dsm7CeXU8oixlgbfCNGG2mnEnmUFW4STy+0l8NnKf4i4rO+hB5i5FIXvL/vhehDoufa
fnHigwJBO+Jrs6woYvmbnePEd/P4M4kCzQ0nifbycr5Eu3f5WH+a8FptYofO4W5irINrK9HR6ekA8Zvt4D9ETeP+34m3//rWT+
wcflhLPGojgTjdtZuNc//t5YjEpOe3+xCPfZk8hvU2XsV+u/Mi7hHPjVhXIX8T4hHE31VZO4nbe7mdxKkVskPEt1WTM5C/R3di
iQUROXjfWIb2B+IVz5gfxJGs6tvYTzyzFPuZcecC4j8UbYp4HtRFnASO9IsRuTLdu4lPblbUEOWl+juw/hzfJcRt61jIa4GXK/
K6sE0FOmnoEg4k5jfZ/IV9OLlJIf9BWlivYfOui0Q9Tz4R4vyuPRVE/8Rs7Dc5Y8CF6HPO3oy4QdevgSjjFfSUOHw54CNxNbO5
APmK3jZIFBbiriY2NZ/j4HndfMSTwbPgNOJgpYH8feIOIJ6F41YviG39ltmoh8qky2DrimDEy+5mClEyaXk5UVlMxJboGyrqTu
wt2YnSfK/UsAO63uqL868I5gnBOdjiXtCFURbi3Nksn0T8OVcX388LYFJ5M0xtm7DOD9161GnS4mDU4W6liQC852PQeuJvHspc
ovj8SZyzWH8cdedWl4P8qu2vg75uM4VRL9uVh/D9nBBbJtGvVXcZUfRLD/QS7ORqjbpVeiVK5L2nAT95GrMO+ZJ7Egydio9Nw3
s571SgP66TyWziWf6OZMQv0Brn014vD13yOn2DT7hX5vJDNzps6Lwzzl6J+FJtGuLsqyGfQPz6rQ37Oi4ShPVFVrgeJy67f+0A
3iPcuJeoc+ruV+Tbx1cQddPcdZ54XVX0EZ579RTn8EkZLiaqS69CHck9m5oglqrXGSDOvvMRH7XRPXi+Jb6onji+nA/rVM5iwF
+HjL3/RN7FPWfhuXgW/CxihhbOs5VH5TV8gbFDFXpxXIy8RK6UtSE+9Gci/nkcceRRPc7sO+rZ2CMO8bheB5+LVTZDnQSn6LgR
m72iDsEnTKU8iZNcb/hqd+1XxCM9c0IYcdkpuw7nfjy1FD6cbw4fc7V/1kfc5NuMeHUody8keo3Wo74l8jPgW6Uz6vLQZ9iFT+
AjSpb3iXvuZSMeoUZf4SMDbR9RJ8suboPPxc3IDsU+ve+ij7gJuQ0TbzG5GcQt45vQPwr328JHsx7koC/VHJaUIYYtP4/zpfUI
NCIPtSzs/15t4FxigvtJaeIsBUXUbdBEO3QoFpzyHn5u89GJuEDtEuozal96IfGAuQnOYVMXiPXrrSaxrqM87yL4yHMx6I5TUQ
z/O2bvbkFUlPwEf+FVOIa+xhll7CImZhabEBUqclCvjkwJ5Imz320MfUpuBH2n/u+58IU7pem3iCZzi74gv0pSrjgv40QZ0Up8
F87vdOQ09DwzoBP9z8L7A/Y5fZ4N6mZSW14dfZ49BR/IuGyIfnWppBA++3aZx3P0wxXGK4iLZX+eIKYMab2B/yk/xvsE3b3RV5
VnWmN9v3uN8KfwG97wnTlHnTXgh1Zy8PMsxhVN4rqSeajb4RYFxHGTwxj6CmtzKfpzz+le5Cdtny/mB9fWBsRVrexMIrEsUvws
/Kt8Kfpt7vyF8LXdRgq9xO+PV6FuPnBmYb6Qzs8NQn283LgAccgVPYz9HhqCnxxqkEB9xefKH4Qf6Vcsh48lJKA+3nxqx/f9TF
Xow+b151XYLzvWGT5Y3gddfT6leA3PWfpWEpUYt/Gcfk85znlwgRHqJurqIsT/cLw63t9m6oA4T7tiAD1cPf8EeeQoD/yGOhyf
XEyUPewrhPx1sNDnLGw066C79mD4BVs+3J+4ua4V+3O4VQZfGQ9VhA9HCKqkE42T32F+CzU1QV/evCNGAf5oV4Z6+qhniPzlvq
jdQ6ytZMLP5Wcm4VzH/fxwTvUZEeincUIv8VxUzTH4X4uFInx3HU8GfCqzPDmNuNxYF/prLo9GfbO0EnVQb1vLUS9Rtgcwj/lI
BGLOEnHthy+dN77YTqwLPoHzs/NOop/rnb+O80VFfkI9eb/tRr8fFuJD/z9ncwC6dBaaBV+c7sSEXqwiKjB/GLAboAsdFQ586c
erEsx/HZ8vwGfux++Zj/hHFkKHbTpH4IfxQ9bolzrHTsB3f9wcxTwWv+En9KYU0I94m3/Xw3OCW16hHoVFH+E54cIU9LOW0mrM
OyerHRHXLond8IsY9XfY9+tLq6GLDUlrEFdR1jDm8wGxZPin56P2eOJeGxH4StWaMOT1StreJvTdB8OYk4LzRZA/hrc95kW9Io
cr0EHlNfTDuPjreP9BFyH4T7GYAXzd0FYauvZdfOEdfLe6CH75wd0HfaQvxX0e/CJIP4fYWHlxI3TZno5zN3BzkJfPup3wmYTZ
gegT0z0WYY64fGc/9HtkkwZ02fSnA/JraVCJPmRQLwT/lh54C9/Qcc5sI1ZP3HP85UuZ6HMx9Vr4fWfSpaPEE+9dMI/wFijqIm
4HgyVwr4jF2MUQmfn+BupCj4M5z7xAFXlv2ZiOv5f3HsMc23RtAv7W9PP1VeKLiTrMI70LLDahL/GIIc7arvbwhc6pWag//sT5
DvA1nsXwGY6IJnTTECuKeTtbexfqbbdX4SvMr+sdMF9JuWbjfhCv5Yz7x3MpLuLSFysAv+NqDMBHRWX6wola5Uzk/3y2D+5dFR
rrPeD77vdjiDt7RjBPsO1tU3/5bSv0Kjv9GdZLLRKYIgaabEU9hmZky+O+5l2IzyXdz7BOTEga6oHZvRdz6VgeF+dm7o25hHnw
VeMWxMnX/BTW8X8CXZiotkAvVXG9mJP4ynsR11otHsxHSuMG0Ns0O4Vf9Z/yBvNszdvol+i/J+QwN5s670e/ubhsHeqsnu8T+l
NGWvoRzAFZ5pjHrDwr4ZOqW6LxHvNhOczVO+fEQ8dFXXnwrTnjZ7SIRv+cwT0ry7YI/hJes0wfda92CP6RquKPec16WSB8Km6x
O3R5M4Frj3nFeQz5XslJg99phqdiPsj3beQlmjlNom7LzIwwx4wGdaI/jVuZw7e2slKwH0krTTXiUr+j0Kly1zn09UVNmXjPS7
9u3Dena74exdymp4V6GPnDGj5TcCYPPuKw7RT64L7dQyO4BwRMwT9nyu7Avj6wq3E/EdbveIY428/Ohz8u6oE/svUGw9DnJcVQ
z/fK3CKJtixHzKleCQKIa26AKnxkr/kW5OXdkmC8T8b6FObG2pqnudCtzFnE4UuIH+abyeoJ3LeeD+ujXvxjtXC/lP8ZAb00pE
2ewbp/rELcB69GwNfSXD5ivyzLCNS39l3J63ifGgv6knQRhL8qFBXDzzePisNHL7S64P6oE7EEvn+II4f3RZqHoB/92OaPvIVO
ZGHuqG40wP1vvDAC9/ZhrTz0Bd70UswFFjKNMJBymTHMhRYHAuC3UrsGkN9V3BDMvc0xXOjtivQZ1KXu4Hb4wZuGaPhopKIF7g
v3z0o3w0fss+BLRlv88fltIhP3uEF+J/SBPzX1cL49En2YIyVy5VA/FlOabNwjdLiYT7eXSePz8UZL3G9rV5cYI+71LfCxow+f
Y7+Dt5egb7vnFOOe8z4nEnOaWXvddvgKjwrmkpsFGvDfkDWD8HXPyV/nlXTeMQf3oiOXoecuWzGcL+aSC+47VQ58yP8CjzDM/6
2x0vj/BmtlIT4rfOnC94mq/LifyBr/BV9sdOfAt9W0Lk6Dfsss4GdZXTegD78lWeh76Ttd4f/2qXaIV424HNYRM2+BPiP8XHG/
8ou3RL24z1SFzpPHxlEvA3yDyAMrbBI+89KAF3+vuOYofl+VagofuOHfjfukYlwBdBs+XIL7yZpvNvClMM8N0NXTk03QqXL0ae
hoebQh+l2ZihTm4dXR0YZElbWimCtl6z/Bt8MHR+Efihv4OIz/+WmW2n97vvqdkv9+5mH8/8+/AKVd8p8=
"""
