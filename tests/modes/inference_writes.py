"""Writes and views across the border of inference mode: every way, every kind of tensor."""

from typing import Any

from tests.observe import attempt


def _shown(function: Any) -> str:
    """As `attempt`, cut after what tells errors apart; of a tensor only that it is one."""
    text = attempt(function)
    return "no error" if text.startswith("no error -> tensor") else text[:80]


def _facts(x: Any) -> list[Any]:
    """What is seen of a tensor."""
    leaf = _shown(lambda: x.is_leaf)
    return [x.is_inference(), x.requires_grad, leaf, x._is_view(), list(x.shape)]


def _writes(torch: Any) -> dict[str, Any]:
    """Ways to write to a tensor of the shape (1, 2, 3)."""
    index = torch.zeros(1, 2, 3, dtype=torch.int64)
    return {
        "add_": lambda x: x.add_(2), "sub_": lambda x: x.sub_(x), "zero_": lambda x: x.zero_(),
        "copy_": lambda x: x.copy_(torch.ones(1, 2, 3)), "uniform_": lambda x: x.uniform_(),
        "fill_": lambda x: x.fill_(1), "masked_fill_": lambda x: x.masked_fill_(x > 0, 1),
        "index_put_": lambda x: x.index_put_((torch.tensor([0]),), torch.tensor(1.0)),
        "scatter_": lambda x: x.scatter_(0, index, 2.0),
        "transpose_": lambda x: x.transpose_(0, 1),
        "squeeze_": lambda x: x.squeeze_(), "unsqueeze_": lambda x: x.unsqueeze_(0),
        "resize_": lambda x: x.resize_(1, 2), "set_": lambda x: x.set_(torch.ones(2)),
        "detach_": lambda x: x.detach_(), "requires_grad_": lambda x: x.requires_grad_(),
        "requires_grad": lambda x: setattr(x, "requires_grad", False),
        "grad": lambda x: setattr(x, "grad", torch.ones_like(x)),
    }  # fmt: skip


def _cases(torch: Any, then: Any) -> Any:
    """What `then` says of every write, to a tensor that requires a gradient or does not."""
    found: dict[str, list[str]] = {}
    for name, write in _writes(torch).items():
        for requires in (True, False):
            said = str(then(write, requires))
            found.setdefault(said, []).append(f"{name} {requires}")
    return found


def inference_tensors_inside(torch: Any) -> Any:
    def then(write: Any, requires: bool) -> Any:
        with torch.inference_mode():
            x = torch.ones(1, 2, 3, requires_grad=requires)
            return [_shown(lambda: write(x)), _facts(x), _facts(x.view(-1))]

    return _cases(torch, then)


def inference_tensors_outside(torch: Any) -> Any:
    def then(write: Any, requires: bool) -> Any:
        with torch.inference_mode():
            x = torch.ones(1, 2, 3, requires_grad=requires)
        return [_shown(lambda: write(x)), _facts(x)]

    return _cases(torch, then)


def normal_tensors_inside(torch: Any) -> Any:
    def then(write: Any, requires: bool) -> Any:
        x = torch.ones(1, 2, 3, requires_grad=requires).clone()
        with torch.inference_mode():
            seen = [_shown(lambda: write(x)), _facts(x), _shown(lambda: write(x)), _facts(x)]
            seen.append(_shown(lambda: _facts(x.view(-1))))
        return [*seen, _shown(lambda: (x * x).requires_grad), _shown(lambda: x.add_(1)), _facts(x)]

    return _cases(torch, then)


def leaves_inside(torch: Any) -> Any:
    def then(write: Any, requires: bool) -> Any:
        x = torch.ones(1, 2, 3, requires_grad=requires)
        with torch.inference_mode():
            return [_shown(lambda: write(x)), _facts(x), _shown(lambda: _facts(x.view(-1)))]

    return _cases(torch, then)


def leaves_in_no_grad(torch: Any) -> Any:
    def then(write: Any, requires: bool) -> Any:
        x = torch.ones(1, 2, 3, requires_grad=requires)
        made = x.clone()
        with torch.no_grad():
            seen = [_shown(lambda: write(x)), _facts(x), _shown(lambda: write(made)), _facts(made)]
        return [*seen, _shown(lambda: made.grad_fn is None)]

    return _cases(torch, then)


def views_inside(torch: Any) -> Any:
    ways = {
        "view": lambda x: x.view(-1), "expand": lambda x: x.expand(2, *x.shape),
        "transpose": lambda x: x.transpose(0, -1), "select": lambda x: x[0],
        "slice": lambda x: x[..., 1:], "unbind": lambda x: x.unbind(-1)[0],
        "same": lambda x: x.view_as(x), "detach": lambda x: x.detach(),
    }  # fmt: skip
    found: dict[str, list[str]] = {}
    for name, way in ways.items():
        for requires in (True, False):
            x = torch.ones(1, 2, 3, requires_grad=requires)
            base = x.clone()
            with torch.inference_mode():
                view = way(base)
                again = way(view)
                seen = [_facts(view)[:4], _shown(lambda: again.add_(2)), again._version]
            seen += [_shown(lambda: (view * view).requires_grad), _shown(lambda: view.add_(2))]
            seen += [_shown(lambda: view.view_as(view).requires_grad)]
            base.add_(1)
            seen += [_shown(lambda: view.grad_fn), _shown(lambda: view.is_leaf)]
            seen += [_shown(lambda: (view + 1).requires_grad)]
            found.setdefault(str(seen), []).append(f"{name} {requires}")
    return found


def data_of_the_other_kind(torch: Any) -> Any:
    with torch.inference_mode():
        made, other = torch.ones(2), torch.zeros(2)
    x, y = torch.ones(2), torch.ones(2, requires_grad=True)
    for tensor in (x, y):
        tensor.data = made
        print(_facts(tensor), tensor._version, _shown(lambda: tensor.requires_grad_()))
        tensor.data = torch.ones(2)
        print(_facts(tensor), tensor._version, _shown(lambda: tensor * tensor))
    other.data = torch.ones(2)
    print(_facts(other))
