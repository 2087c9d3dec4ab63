"""What nodes show of what they saved."""

from typing import Any

from tests.observe import attempt

SAME = (lambda t: t, lambda t: t)


def _shown(out: Any, *names: str) -> list[Any]:
    values = [getattr(out.grad_fn, f"_saved_{name}") for name in names]
    return [list(v) if isinstance(v, tuple) else v for v in values]


def index_tensors(torch: Any) -> Any:
    x = torch.ones(3, 3, requires_grad=True)
    places = torch.tensor([0, 2])
    out = x[:, places]
    node = out.grad_fn
    whole, along = node._raw_saved_indices
    found = [
        [node._saved_indices[0], node._saved_indices[1] is places],
        type(along).__name__,
        attempt(lambda: whole.register_hooks(*SAME)),
        attempt(lambda: along.register_hooks(*SAME)),
        attempt(lambda: along.register_hooks(*SAME)),
        attempt(lambda: along.register_hooks(3, 4)),
    ]
    out.sum().backward()
    found += [x.grad.tolist(), list(node._saved_self_sym_sizes)]
    for read in (lambda: node._saved_indices, lambda: node._raw_saved_indices):
        found.append(attempt(read))
    return [*found, attempt(lambda: along.register_hooks(*SAME))]


def index_tensors_packed(torch: Any) -> Any:
    x = torch.arange(4.0, requires_grad=True)
    seen = []
    places = torch.tensor([0, 2])
    out = x[places] * 2

    def pack(index: Any) -> Any:
        seen.append(index.tolist())
        return index + 1

    index = out.grad_fn.next_functions[0][0]
    index._raw_saved_indices[0].register_hooks(pack, lambda index: index)
    seen.append(index._saved_indices[0].tolist())
    out.sum().backward()  # at the places that unpacking gives
    return seen, x.grad.tolist()


def index_tensors_written_to(torch: Any) -> Any:
    x = torch.arange(4.0, requires_grad=True)
    places = torch.tensor([0, 2])
    out = x[places]
    places.add_(1)
    return attempt(lambda: out.sum().backward())


def numbers_and_sizes(torch: Any) -> Any:
    functional = torch.nn.functional
    image = torch.ones(1, 1, 3, 3, requires_grad=True)
    batch = torch.ones(1, 3, 3, requires_grad=True)
    ones = torch.ones(2, requires_grad=True)
    kernel = torch.ones(2, 1, 2, 2)
    found = [
        _shown(functional.conv2d(image, kernel), "bias_sym_sizes_opt", "output_padding"),
        _shown(functional.conv2d(image, kernel, torch.ones(2)), "bias_sym_sizes_opt", "stride"),
        _shown(torch.addbmm(batch[0], batch, batch), "batch1_sym_argsize_0", "alpha"),
        _shown(torch.addbmm(batch[0], batch, batch), "batch2_sym_argsize_2"),
        _shown(
            functional.unfold(image, 2), "self_sym_argsize_minus_2", "self_sym_argsize_minus_1"
        ),
        _shown(torch.as_strided(ones, (2,), (1,)), "storage_offset", "size"),
        _shown(torch.as_strided(ones[1:], (1,), (1,), 0), "storage_offset", "stride"),
    ]
    for mode in ("trunc", "floor"):
        found.append(_shown(torch.div(ones, 2, rounding_mode=mode), "rounding_mode"))
    return found


def packed_after_writing(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True) * 1
    y = x * x
    node = y.grad_fn
    x.add_(1)
    found = [attempt(lambda: node._saved_self)]
    node._raw_saved_self.register_hooks(*SAME)
    node._raw_saved_other.register_hooks(*SAME)
    found.append(node._saved_self.tolist())
    raw = (p := x * x).grad_fn._raw_saved_self
    p.sum().backward()
    return [*found, raw.data, attempt(lambda: raw.register_hooks(*SAME))]


def made_by_nodes_alone(torch: Any) -> Any:
    saved = torch.autograd.SavedTensor
    raw = torch.ones(1, requires_grad=True).exp().grad_fn._raw_saved_result
    return [isinstance(raw, saved), attempt(lambda: saved())]
