"""One operator on each tensor of a list."""

from typing import Any

from tests.observe import attempt, rounded

SAMPLES = ([0.5, 0.25], [0.75])


def _list(torch: Any) -> list[Any]:
    return [torch.tensor(numbers, requires_grad=True) for numbers in SAMPLES]


def _gradients(torch: Any, result: Any, leaves: list[Any]) -> list[Any]:
    total = sum(one.sum() for one in result)
    found = torch.autograd.grad(total, leaves, allow_unused=True)
    return [rounded(g, 4) if g is not None else None for g in found]


def of_one(torch: Any) -> Any:
    names = """abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10
    log1p log2 neg reciprocal round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc""".split()
    found = []
    for name in names:
        leaves = _list(torch)
        new = getattr(torch, f"_foreach_{name}")(leaves)
        written = getattr(torch, f"_foreach_{name}_")([leaf.clone() for leaf in leaves])
        found.append([name, type(new).__name__, [rounded(one, 4) for one in new]])
        found.append([_gradients(torch, each, leaves) for each in (new, written)])
    return found


def of_two(torch: Any) -> Any:
    found = []
    for name in "add sub mul div clamp_max clamp_min maximum minimum pow".split():
        leaves = _list(torch)
        new = getattr(torch, f"_foreach_{name}")
        write = getattr(torch, f"_foreach_{name}_")
        others = [leaf.detach() * 2 for leaf in leaves]
        for other in (2, [0.5, 3], others):
            copies = [leaf.clone() for leaf in leaves]
            write(copies, other)
            made = new(leaves, other)
            found.append([name, [rounded(one, 4) for one in (*made, *copies)]])
            found.append(_gradients(torch, made, leaves))
            if not name.endswith("imum"):  # which PyTorch does not derive
                found.append(_gradients(torch, copies, leaves))
    leaves = _list(torch)
    found.append([rounded(one, 4) for one in torch._foreach_pow(2.0, leaves)])
    found.append([rounded(one, 4) for one in torch._foreach_add(leaves, leaves, alpha=3)])
    found.append([rounded(one, 4) for one in torch._foreach_mul(leaves, torch.tensor(2.0))])
    return found


def of_three(torch: Any) -> Any:
    found = []
    for name in ("addcmul", "addcdiv"):
        leaves = _list(torch)
        others = [leaf.detach() + 1 for leaf in leaves]
        function = getattr(torch, f"_foreach_{name}")
        for value in (2, [1, 3]):
            made = function(leaves, leaves, others, value)
            found += [[rounded(one, 4) for one in made], _gradients(torch, made, leaves)]
        made = function(leaves, leaves, others, torch.tensor([1.0, 3.0]))
        found.append([rounded(one, 4) for one in made])
        with torch.no_grad():
            getattr(torch, f"_foreach_{name}_")(leaves, leaves, others, value=0.5)
        found.append([rounded(one, 4) for one in leaves])
    for weight in (0.5, [0.25, 0.5], _list(torch)):
        leaves = _list(torch)
        made = torch._foreach_lerp(leaves, [leaf.detach() * 3 for leaf in leaves], weight)
        found += [[rounded(one, 4) for one in made], _gradients(torch, made, leaves)]
    return found


def sizes_and_copies(torch: Any) -> Any:
    leaves = _list(torch)
    targets = [torch.zeros(2), torch.zeros(1)]
    torch._foreach_copy_(targets, [leaf.detach() for leaf in leaves])
    found = [[one.tolist() for one in targets]]
    torch._foreach_zero_(targets)
    found.append([one.tolist() for one in targets])
    for made in (
        torch._foreach_norm(leaves),
        torch._foreach_norm(leaves, 1),
        torch._foreach_max(leaves),
        torch._foreach_clone(leaves),
    ):
        found += [[rounded(one, 4) for one in made], _gradients(torch, made, leaves)]
    return found


def refused(torch: Any) -> Any:
    leaves = _list(torch)
    return [
        attempt(lambda: torch._foreach_add(leaves, [1])),
        attempt(lambda: torch._foreach_add(leaves, leaves[:1])),
        attempt(lambda: torch._foreach_add([], 1)),
        attempt(lambda: torch._foreach_sqrt(3)),
        attempt(lambda: torch._foreach_sqrt([1])),
        attempt(lambda: torch._foreach_add_(leaves, 1)),
        [hasattr(torch, f"_foreach_{name}") for name in ("clone_", "zero", "copy", "nothing")],
    ]
