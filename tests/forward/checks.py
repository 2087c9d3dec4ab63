"""`gradcheck(check_forward_ad=True)` and `gradgradcheck(check_fwd_over_rev=True)`."""

import warnings
from typing import Any

from tests.observe import attempt


def _point(torch: Any, kind: str = "float64") -> Any:
    warnings.simplefilter("ignore")  # what PyTorch loads at first is deprecated
    return torch.tensor([1.0, 2.0], dtype=getattr(torch, kind)).requires_grad_()


def _square(torch: Any, jvp: Any) -> Any:
    """The square of a tensor, with this forward mode."""

    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_forward(a)
        ctx.save_for_backward(a)
        return a**2

    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2 * ctx.saved_tensors[0].conj()

    body = {"forward": forward, "backward": backward, "jvp": jvp}
    made = {name: staticmethod(one) for name, one in body.items()}
    return type("Square", (torch.autograd.Function,), made).apply


def _product(torch: Any, jvp: Any) -> Any:
    """The product of two tensors, whose forward mode is told of missing tangents."""

    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.set_materialize_grads(False)
        ctx.save_for_forward(a, b)
        ctx.save_for_backward(a, b)
        return a * b

    def backward(ctx: Any, grad: Any) -> Any:
        a, b = ctx.saved_tensors
        return (None, None) if grad is None else (grad * b, grad * a)

    body = {"forward": forward, "backward": backward, "jvp": jvp}
    made = {name: staticmethod(one) for name, one in body.items()}
    return type("Product", (torch.autograd.Function,), made).apply


def right(torch: Any) -> Any:
    x, z = _point(torch), _point(torch, "complex128")
    check, second = torch.autograd.gradcheck, torch.autograd.gradgradcheck
    seen = []
    for fast in (False, True):
        how = {"check_forward_ad": True, "fast_mode": fast}
        seen += [
            check(torch.sin, x, **how),
            check(torch.sin, x, **how, check_backward_ad=False),
            check(torch.sin, x, **how, check_batched_forward_grad=True, check_grad_dtypes=True),
            check(lambda a: a * a, z, **how),
            check(lambda a: (a.abs(), a.real), z, **how),
            check(lambda a: (a * 2, a.sum()), x, **how),
            check(lambda a: torch.ones(2, dtype=torch.float64), x, **how),
        ]
        how = {"check_fwd_over_rev": True, "fast_mode": fast}
        seen += [
            second(torch.sin, x, **how),
            second(lambda a: a * a, z, **how),
            second(torch.sin, x, **how, check_rev_over_rev=False, check_undefined_grad=False),
        ]
    return seen


def wrong(torch: Any) -> Any:
    x, z = _point(torch), _point(torch, "complex128")
    check = torch.autograd.gradcheck
    tripled = _square(torch, lambda ctx, t: t * 3 * ctx.saved_tensors[0].detach())
    turned = _square(torch, lambda ctx, t: t.conj() * 2 * ctx.saved_tensors[0].detach())
    seen = []
    for fast in (False, True):
        how = {"check_forward_ad": True, "fast_mode": fast}
        seen += [
            attempt(lambda: check(tripled, x, **how)),
            attempt(lambda: check(tripled, x, **how, check_backward_ad=False)),
            check(tripled, x, **how, raise_exception=False),
            check(tripled, x, fast_mode=fast),
            attempt(lambda: check(turned, z, **how)).partition("\nanalytical")[0],
        ]
    return seen


def undefined(torch: Any) -> Any:
    """Tangents that are missing."""
    x, y = _point(torch), _point(torch)
    check = torch.autograd.gradcheck

    def guessing(ctx: Any, one: Any, two: Any) -> Any:
        a, b = ctx.saved_tensors
        if one is None:
            return a * b
        return one * b if two is None else one * b + a * two

    def trusting(ctx: Any, one: Any, two: Any) -> Any:
        a, b = ctx.saved_tensors
        return one * b + a * two

    seen = []
    for fast in (False, True):
        how = {"check_forward_ad": True, "fast_mode": fast}
        for jvp in (guessing, trusting):
            made = _product(torch, jvp)
            seen.append(attempt(lambda: check(made, (x, y), **how)))
        made = _product(torch, guessing)
        seen.append(check(made, (x, y), **how, check_undefined_grad=False))
    return seen


def refused(torch: Any) -> Any:
    x = _point(torch)
    check, second = torch.autograd.gradcheck, torch.autograd.gradgradcheck
    how = {"check_fwd_over_rev": True, "check_rev_over_rev": False}
    return [
        attempt(lambda: check(torch.sin, x, check_backward_ad=False)),
        attempt(lambda: check(torch.sin, x, check_batched_forward_grad=True)),
        attempt(lambda: second(torch.sin, x, **how)),
        attempt(
            lambda: second(
                torch.sin, x, **how, check_undefined_grad=False, check_batched_grad=True
            )
        ),
    ]
