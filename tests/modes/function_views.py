"""Views that come out of custom Functions: written to, read after their base was, by mode."""

from typing import Any

from tests.observe import attempt


def _function(torch: Any, give: Any) -> Any:
    """A Function of two tensors whose forward is `give`."""

    class Made(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return give(x, y)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return sum(g.sum() for g in grads).expand(2, 2), None

    return Made.apply


def _shown(function: Any) -> str:
    """As `attempt`, with long sentences cut after what tells them apart."""
    first, _, second = attempt(function).partition(". ")
    return f"{first}. {second[:40]}" if second else first


_GIVES = {
    "input": lambda x, y: x,
    "other": lambda x, y: y,
    "view": lambda x, y: x.view(-1),
    "row": lambda x, y: x[0],
    "other view": lambda x, y: y.view(-1),
    "detached": lambda x, y: x.detach(),
    "view of own": lambda x, y: (x * 2).view(-1),
    "unbound": lambda x, y: x.unbind()[0],
    "view of view": lambda x, y: x.t().view(-1) if x.t().is_contiguous() else x.t()[0],
}
_PAIRS = {
    "both": lambda x, y: (x, y),
    "two views": lambda x, y: (x[0], x[1]),
    "unbind": lambda x, y: x.unbind(),
    "view and new": lambda x, y: (x.view(-1), x * 2),
    "input twice": lambda x, y: (x, x),
}


def _look(out: Any, base: Any) -> list[Any]:
    """What is seen of an output."""
    is_base = any(out._base is b for b in base)
    return [
        out.requires_grad,
        out._is_view(),
        is_base,
        out._version,
        _shown(lambda: type(out.grad_fn).__name__),
    ]


def _cases(torch: Any, gives: Any, then: Any) -> Any:
    """What `then` says of the outputs of every Function, by mode and by who needs a gradient."""
    found: dict[str, list[str]] = {}
    for name, give in gives.items():
        for mode in (torch.enable_grad, torch.no_grad, torch.inference_mode):
            for flags in ((True, False), (False, False), (False, True)):
                x, y = (torch.ones(2, 2, requires_grad=flag).clone() for flag in flags)
                with mode():
                    outs = _function(torch, give)(x, y)
                for out in outs if isinstance(outs, tuple) else (outs,):
                    case = f"{name} {mode.__name__[0]} {flags[0]:d}{flags[1]:d}"
                    found.setdefault(str(then(out, x, y, mode)), []).append(case)
    return found


def what_they_are(torch: Any) -> Any:
    return _cases(torch, _GIVES | _PAIRS, lambda out, x, y, mode: _look(out, (x, y)))


def written_outside(torch: Any) -> Any:
    return _cases(
        torch,
        _GIVES | _PAIRS,
        lambda out, x, y, mode: [_shown(lambda: type(out.add_(1).grad_fn).__name__), x._version],
    )


def written_inside(torch: Any) -> Any:
    def then(out: Any, x: Any, y: Any, mode: Any) -> Any:
        with mode():
            return _shown(lambda: _look(out.add_(1), (x, y)))

    return _cases(torch, _GIVES | _PAIRS, then)


def written_with_a_gradient(torch: Any) -> Any:
    def then(out: Any, x: Any, y: Any, mode: Any) -> Any:
        w = torch.ones(1, requires_grad=True)
        return [_shown(lambda: out.mul_(w).requires_grad), x.requires_grad, y.requires_grad]

    return _cases(torch, _GIVES | _PAIRS, then)


def read_after_the_base_was_written(torch: Any) -> Any:
    def then(out: Any, x: Any, y: Any, mode: Any) -> Any:
        x.add_(1)
        y.add_(1)
        return [
            _shown(lambda: type(out.grad_fn).__name__),
            _shown(lambda: (out * 2).requires_grad),
        ]

    return _cases(torch, _GIVES | _PAIRS, then)


def views_of_them(torch: Any) -> Any:
    def then(out: Any, x: Any, y: Any, mode: Any) -> Any:
        return [
            _shown(lambda: out.view(-1).add_(1).requires_grad),
            _shown(lambda: out[0].mul_(2).requires_grad),
        ]

    return _cases(torch, _GIVES | _PAIRS, then)
