"""Views made in one mode and written to in another; views of which an operator makes several."""

from typing import Any

from tests.observe import attempt


def _shown(function: Any) -> str:
    """As `attempt`, with long sentences cut after what tells them apart."""
    first, _, second = attempt(function).partition(". ")
    return f"{first}. {second[:60]}" if second else first


_MAKES = {
    "view": lambda b: b.view(-1),
    "row": lambda b: b[0],
    "unbind": lambda b: b.unbind()[0],
    "split": lambda b: b.split(1)[1],
    "chunk": lambda b: b.chunk(2)[0],
    "view of unbind": lambda b: b.unbind()[1].view(-1),
    "unbind of view": lambda b: b.view(2, 2).unbind()[1],
    "unbind of unbind": lambda b: b.unbind()[0].unbind()[0],
    "transposed": lambda b: b.t(),
    "expanded": lambda b: b.expand(3, 2, 2),
    "detached": lambda b: b.detach(),
    "view of detached": lambda b: b.detach().view(-1),
    "detached view": lambda b: b.view(-1).detach(),
    "real": lambda b: b.real if b.is_complex() else b.view(4),
    "narrow": lambda b: b.narrow(0, 0, 1),
    "diagonal": lambda b: b.diagonal(),
}


def _bases(torch: Any) -> dict[str, Any]:
    return {
        "plain": lambda: torch.ones(2, 2),
        "leaf": lambda: torch.ones(2, 2, requires_grad=True),
        "made": lambda: torch.ones(2, 2, requires_grad=True).clone(),
    }


def _cases(torch: Any, then: Any) -> Any:
    """What `then` says of every view of every base, by the mode (e, n, i) it was made in."""
    found: dict[str, list[str]] = {}
    for make_name, make in _MAKES.items():
        for base_name, base in _bases(torch).items():
            for mode in (torch.enable_grad, torch.no_grad, torch.inference_mode):
                b = base()
                with mode():
                    v = make(b)
                case = f"{make_name} {base_name} {mode.__name__[0]}"
                found.setdefault(str(then(b, v)), []).append(case)
    return found


def what_they_are(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        node = _shown(lambda: type(v.grad_fn).__name__)
        return [v.requires_grad, v.is_leaf, v._is_view(), v._base is b, v._version, node]

    return _cases(torch, then)


def written(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        return [_shown(lambda: type(v.add_(1).grad_fn).__name__), v._version, b._version]

    return _cases(torch, then)


def written_in_no_grad(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        with torch.no_grad():
            done = _shown(lambda: v.add_(1) is v)
        return [done, _shown(lambda: type(v.grad_fn).__name__), v._version, b._version]

    return _cases(torch, then)


def written_in_inference_mode(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        with torch.inference_mode():
            done = _shown(lambda: v.add_(1) is v)
            inside = _shown(lambda: type(v.grad_fn).__name__)
        return [done, inside, _shown(lambda: type(v.grad_fn).__name__), v._version, b._version]

    return _cases(torch, then)


def written_with_what_needs_a_gradient(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        w = torch.ones(1, requires_grad=True)
        done = _shown(lambda: type(v.mul_(w).grad_fn).__name__)
        return [done, b.requires_grad, _shown(lambda: type(b.grad_fn).__name__)]

    return _cases(torch, then)


def read_after_the_base_was_written(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        done = _shown(lambda: b.mul_(2) is b)
        node = _shown(lambda: type(v.grad_fn).__name__)
        return [done, node, _shown(lambda: (v * 2).requires_grad), _shown(lambda: v.requires_grad)]

    return _cases(torch, then)


def read_after_the_base_was_written_in_no_grad(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        with torch.no_grad():
            b.mul_(2)
            inside = _shown(lambda: type(v.grad_fn).__name__)
        return [inside, _shown(lambda: type(v.grad_fn).__name__), _shown(lambda: v.is_leaf)]

    return _cases(torch, then)


def used_after_a_sibling_was_written(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        done = _shown(lambda: b.view(-1).mul_(2) is b)
        node = _shown(lambda: type(v.grad_fn).__name__)
        return [done, node, _shown(lambda: v.sum().requires_grad)]

    return _cases(torch, then)


def views_of_them_written(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        first = _shown(lambda: type(v.view_as(v).add_(1).grad_fn).__name__)
        with torch.no_grad():
            u = v.view_as(v)
        second = _shown(lambda: type(u.add_(1).grad_fn).__name__)
        with torch.inference_mode():
            w = v.view_as(v)
        third = _shown(lambda: type(w.add_(1).grad_fn).__name__)
        return [first, second, third]

    return _cases(torch, then)


def backward_through_them(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        return [_shown(lambda: (v * 3).sum().backward()), b.requires_grad]

    return _cases(torch, then)


def requires_grad_set_on_them(torch: Any) -> Any:
    def then(b: Any, v: Any) -> Any:
        done = _shown(lambda: v.requires_grad_().requires_grad)
        undone = _shown(lambda: v.requires_grad_(False).requires_grad)
        return [done, undone, _shown(lambda: v.detach_().requires_grad)[:60]]

    return _cases(torch, then)


def written_under_view_replay(torch: Any) -> Any:
    with torch.autograd._force_original_view_tracking(True):

        def then(b: Any, v: Any) -> Any:
            done = _shown(lambda: type(v.add_(1).grad_fn).__name__)
            return [done, _shown(lambda: type(b.grad_fn).__name__)]

        return _cases(torch, then)


def read_under_view_replay(torch: Any) -> Any:
    with torch.autograd._force_original_view_tracking(True):

        def then(b: Any, v: Any) -> Any:
            done = _shown(lambda: b.mul_(2) is b)
            return [done, _shown(lambda: type(v.grad_fn).__name__)]

        return _cases(torch, then)


def reshaped_in_place(torch: Any) -> Any:
    ways = [lambda v: v.unsqueeze_(0), lambda v: v.t_() if v.dim() < 3 else v.squeeze_()]

    def then(b: Any, v: Any) -> Any:
        seen = []
        for way in ways:
            for mode in (torch.no_grad, torch.inference_mode, torch.enable_grad):
                with mode():
                    done = _shown(lambda: list(way(v).shape))
                node = _shown(lambda: type(v.grad_fn).__name__)
                seen.append([done, node, v._version == b._version])
        return seen

    return _cases(torch, then)


def changed_by_a_function(torch: Any) -> Any:
    class Add(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.mark_dirty(x)
            return x.add_(y)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad, grad.sum()

    def then(b: Any, v: Any) -> Any:
        plain = _shown(lambda: type(Add.apply(v, torch.ones(())).grad_fn).__name__)
        w = torch.ones((), requires_grad=True)
        return [plain, _shown(lambda: type(Add.apply(v, w).grad_fn).__name__), b.requires_grad]

    return _cases(torch, then)


def pieces_that_are_no_views(torch: Any) -> Any:
    ways = [
        lambda t: t.unsafe_split(1), lambda t: t.unsafe_split_with_sizes((1, 1, 1)),
        lambda t: torch.unsafe_chunk(t, 3), lambda t: torch.unsafe_split(t, 2, -1),
    ]  # fmt: skip
    for way in ways:
        a = torch.ones(3, 3, requires_grad=True)
        base = a + a
        first, second, *_ = way(base)
        print(type(first.grad_fn).__name__, first._is_view(), first._version)
        first.mul_(second.sum())
        print(first._version, second._version, base._version, base[0].tolist())
        first.sum().backward()
        print(a.grad.tolist())


def of_a_base_that_is_reshaped(torch: Any) -> Any:
    reshapings = {
        "t_": lambda b: b.t_(), "unsqueeze_": lambda b: b.unsqueeze_(0),
        "squeeze_": lambda b: b.squeeze_(), "transpose_": lambda b: b.transpose_(0, -1),
    }  # fmt: skip
    makes = {
        "row": lambda b: b[0], "flat": lambda b: b.view(-1), "turned": lambda b: b.t(),
        "columns": lambda b: b[:, 1:], "chain": lambda b: b.t()[1], "cut": lambda b: b.diagonal(),
    }  # fmt: skip
    for name, reshape in reshapings.items():
        for kind, make in makes.items():
            for width in (2, 3):
                x = torch.arange(2.0 * width).reshape(2, width).requires_grad_()
                base = x * 1
                view = make(base)
                reshape(base)
                weights = torch.arange(1.0, 1 + view.numel()).reshape(view.shape)
                (first,) = torch.autograd.grad((view * weights).sum(), x, retain_graph=True)
                view.mul_(weights)
                (second,) = torch.autograd.grad((base**2).sum(), x, retain_graph=True)
                (third,) = torch.autograd.grad((view**2).sum(), x, create_graph=True)
                third.sum().backward()
                gradients = [first, second, third, x.grad]
                print(
                    name, kind, width, [g.tolist() for g in gradients], type(view.grad_fn).__name__
                )
