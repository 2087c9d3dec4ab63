"""MultiheadAttention under all of its options, masks and shapes; what it warns of and refuses."""

from itertools import product
from typing import Any

from tests.observe import attempt, rounded

_OPTIONS = [
    {},
    {"bias": False},
    {"add_bias_kv": True},
    {"add_zero_attn": True},
    {"kdim": 3, "vdim": 5},
    {"kdim": 3, "bias": False, "add_bias_kv": True, "add_zero_attn": True},
    {"batch_first": True, "add_zero_attn": True},
    {"batch_first": True, "vdim": 5, "dropout": 0.3},
    {"dropout": 0.5, "add_bias_kv": True},
]
_CALLS = [
    {"need_weights": False},
    {},
    {"average_attn_weights": False},
]
_REFUSED = """
MultiheadAttention(4,3) | MultiheadAttention(0,1) | MultiheadAttention(4,0) | A(o(4),x,x)
A(o(3,2,2,4),x,x) | A(x,x,x,is_causal=True) | A(x,o(3,4),x) | A(o(3,4),x,x) | A(x,x,x[:2])
A(x[...,:3],x,x) | A(x,x[...,:3],x) | A(x,x,x,key_padding_mask=o(3,2).bool())
A(x,x,x,key_padding_mask=o(2).bool()) | A(x,x,x,key_padding_mask=o(2,3).long())
A(x,x,x,attn_mask=o(3,3).long()) | A(x,x,x,attn_mask=o(2,3)) | A(x,x,x,attn_mask=o(2,3,3))
A(x,x,x,attn_mask=o(3)) | A(o(3,4),o(3,4),o(3,4),attn_mask=o(1,3,3))
MultiheadAttention(4,2,kdim=3)(x,x[...,:3],o(2,2,4))
"""


def _double(torch: Any, *size: int) -> Any:
    return torch.randn(*size, dtype=torch.float64, requires_grad=True)


def _short(tensor: Any) -> Any:
    """Digest of many numbers: the shape, and a weighted sum of its elements."""
    if tensor is None:
        return None
    steps = [((7 * place) % 11) / 11 for place in range(tensor.numel())]
    flat = tensor.detach().reshape(-1).tolist()
    total = sum(step * value for step, value in zip(steps, flat, strict=True))
    return [list(tensor.shape), round(total, 5) + 0.0]


def _masks(torch: Any, length: int, keys: int) -> list[tuple[Any, Any]]:
    """Pairs (attn_mask, key_padding_mask) for two sequences and two heads; no row hides all."""
    later = torch.ones(length, keys).triu(1).bool()
    by_head = torch.arange(4 * length * keys).reshape(4, length, keys) % 5 == 1
    padding = torch.tensor([[False] * keys, [False] * (keys - 1) + [True]])
    numbers = torch.linspace(-1, 1, length * keys, dtype=torch.float64).reshape(length, keys)
    return [
        (None, None), (later, None), (by_head, None), (numbers, None), (None, padding),
        (later, padding), (numbers, numbers[:2] * 2), (by_head, padding),
    ]  # fmt: skip


def options(torch: Any) -> Any:
    """Output, weights and gradients for every option and kind of mask."""
    seen = {}
    for own, call in product(_OPTIONS, _CALLS):
        torch.manual_seed(1)
        module = torch.nn.MultiheadAttention(4, 2, **own).double()
        order = (1, 0) if own.get("batch_first") else (0, 1)
        widths = (4, module.kdim, module.vdim)
        inputs = [_double(torch, 2, n, w).transpose(*order) if order[0] else
                  _double(torch, n, 2, w)
                  for n, w in zip((3, 4, 4), widths, strict=True)]  # fmt: skip
        if order[0]:
            inputs = [one.transpose(0, 1).detach().requires_grad_() for one in inputs]
        for number, (mask, padding) in enumerate(_masks(torch, 3, 4)):
            output, weights = module(*inputs, attn_mask=mask, key_padding_mask=padding, **call)
            leaves = [*inputs, *module.parameters()]
            grads = torch.autograd.grad((output**2).sum(), leaves, allow_unused=True)
            seen[f"{own} {call} {number}"] = [
                _short(one) for one in (output, weights, *grads)
            ]  # fmt: skip
    return seen


def shared_inputs(torch: Any) -> Any:
    """One tensor as query, key and value, or as key and value; without a batch; in evaluation."""
    seen = []
    for own in ({}, {"batch_first": True}, {"bias": False}, {"dropout": 0.4}):
        torch.manual_seed(1)
        module = torch.nn.MultiheadAttention(4, 2, **own).double()
        x, y = _double(torch, 3, 2, 4), _double(torch, 3, 2, 4)
        for need in (True, False):
            for inputs in ((x, x, x), (x, y, y), (x[:, 0], y[:, 0], y[:, 0])):
                output, weights = module(*inputs, need_weights=need)
                grads = torch.autograd.grad((output**2).sum(), (x, y), allow_unused=True)
                seen.append([_short(output), _short(weights), *map(_short, grads)])
                later = module.eval()(*inputs, need_weights=need)
                module.train()
                seen.append([_short(one) for one in later])
        causal = torch.nn.Transformer.generate_square_subsequent_mask(3).double()
        hinted = module.eval()(x, x, x, attn_mask=causal, is_causal=True, need_weights=False)
        if not own.get("batch_first"):
            seen.append(_short(hinted[0]))
    return seen


def kinds_of_masks(torch: Any) -> Any:
    """Masks of different types are warned of; rows that hide all keys are zero or NaN."""
    module = torch.nn.MultiheadAttention(4, 2)
    x = torch.randn(3, 2, 4)
    padding = torch.tensor([[True] * 3, [False] * 3])
    numbers = torch.zeros(3, 3)
    module(x, x, x, key_padding_mask=padding, attn_mask=numbers)
    module(x, x, x, key_padding_mask=numbers[:2], attn_mask=numbers > 1)
    rows = [module(x, x, x, key_padding_mask=padding, need_weights=need)[0] for need in (0, 1)]
    return [one.isnan().any(-1).tolist() for one in rows]


def refused(torch: Any) -> Any:
    names = {**vars(torch.nn), "o": torch.ones, "x": torch.ones(3, 2, 4)}
    names["A"] = torch.nn.MultiheadAttention(4, 2)
    return {
        text: attempt(lambda text=text: eval(text, names))
        for line in _REFUSED.strip().splitlines()
        for text in line.split(" | ")
    }


def loading(torch: Any) -> Any:
    """Parameters from a seed, and by their names."""
    seen = []
    for own in _OPTIONS:
        torch.manual_seed(2)
        module = torch.nn.MultiheadAttention(4, 2, **own)
        state = {name: rounded(value.sum(), 4) for name, value in module.state_dict().items()}
        seen.append([repr(module), state, module._qkv_same_embed_dim, module.head_dim])
    return seen
