"""Transformers: parameters, outputs, gradients, masks, random numbers, evaluation, refusals."""

import warnings
from typing import Any

from tests.nn.rnn_attention import _double, _short
from tests.nn.showing import _expressions
from tests.observe import attempt, rounded

_MADE = """
Transformer(8,2,1,2,6)
TransformerEncoderLayer(8,2,6,activation='gelu',norm_first=True,bias=False)
TransformerDecoderLayer(8,2,6,0.2,layer_norm_eps=1e-3) | TransformerDecoderLayer(8,2,6,bias=False)
TransformerEncoder(TransformerEncoderLayer(8,2,6),2,LayerNorm(8))
TransformerEncoder(TransformerEncoderLayer(8,2,6,batch_first=True),1,enable_nested_tensor=False)
TransformerDecoder(TransformerDecoderLayer(8,2,6,dtype=torch.float64),2)
Transformer(4,2,custom_encoder=Linear(4,4),custom_decoder=Linear(4,4))
"""
_REFUSED = """
Transformer(8,3) | TransformerEncoderLayer(8,2,16,activation='elu') | M(o(3,2,8),o(4,3,8))
M(o(3,2,7),o(4,2,8)) | M(o(3,2,8),o(4,2,7)) | M(o(3,2,8),o(4,8)) | M(o(8),o(8))
M(o(3,2,8),o(4,2,8),src_mask=o(3,4)) | M(o(3,2,8),o(4,2,8),src_mask=o(3,3).long())
M(o(3,2,8),o(4,2,8),src_key_padding_mask=o(2,3).long())
M(o(3,2,8),o(4,2,8),tgt_mask=o(4,4).long()) | M(o(3,2,8),o(4,2,8),tgt_mask=o(4,3))
M(o(3,2,8),o(4,2,8),tgt_key_padding_mask=o(2,4).long())
M(o(3,2,8),o(4,2,8),src_key_padding_mask=o(2,4).bool())
M(o(3,2,8),o(4,2,8),memory_mask=o(4,4)) | L(o(3,4,7)) | L(o(2,3,4,8))
L(o(3,4,8),src_mask=o(3,3).int()) | L(o(3,4,8),src_key_padding_mask=o(3,5).bool())
L(o(3,4,8),is_causal=True) | Transformer.generate_square_subsequent_mask(3)
M.generate_square_subsequent_mask(0).shape | TransformerEncoder(Linear(2,2),1)
Transformer.generate_square_subsequent_mask(2,dtype=torch.float64)
"""
_LAYERS: list[dict[str, Any]] = [
    {},
    {"batch_first": True},
    {"norm_first": True},
    {"activation": "gelu", "batch_first": True, "bias": False},
    {"norm_first": True, "batch_first": True, "layer_norm_eps": 1e-2},
    {"dropout": 0.0},
]


def made(torch: Any) -> Any:
    """The printed form, and sums of parameters drawn from the same seed."""
    seen = {}
    for text in _expressions(_MADE):
        torch.manual_seed(1)
        module = eval(text, {**vars(torch.nn), "torch": torch})
        state = {name: rounded(value.sum(), 4) for name, value in module.state_dict().items()}
        seen[text] = [repr(module), state]
    return seen


def refused(torch: Any) -> Any:
    names = {**vars(torch.nn), "torch": torch, "o": torch.ones}
    torch.manual_seed(2)
    names["M"] = torch.nn.Transformer(8, 2, 1, 1, 6, 0.0)
    names["L"] = torch.nn.TransformerEncoderLayer(8, 2, 6, 0.0)
    return {e: attempt(lambda e=e: eval(e, names)) for e in _expressions(_REFUSED)}


def _grads(torch: Any, output: Any, leaves: list[Any]) -> Any:
    grads = torch.autograd.grad((output**2).sum(), leaves, allow_unused=True)
    return [_short(output), *(_short(one) for one in grads)]


def _masks(torch: Any, length: int, batch: int) -> list[tuple[Any, Any]]:
    """Pairs of a mask and a padding mask."""
    causal = torch.nn.Transformer.generate_square_subsequent_mask(length, dtype=torch.float64)
    numbers = torch.linspace(-1, 1, length * length, dtype=torch.float64).view(length, length)
    padding = torch.zeros(batch, length).bool()
    padding[0, -1] = True
    return [(None, None), (causal, None), (causal < 0, padding), (numbers, None), (None, padding)]


def encoder_layers(torch: Any) -> Any:
    """In training, where dropout draws PyTorch's numbers, and in evaluation."""
    seen = {}
    for own in _LAYERS:
        torch.manual_seed(1)
        layer = torch.nn.TransformerEncoderLayer(4, 2, 6, **own).double()
        x = _double(torch, 3, 3, 4)
        for number, (mask, padding) in enumerate(_masks(torch, 3, 3)):
            leaves = [x, *layer.train().parameters()]
            first = _grads(torch, layer(x, mask, padding), leaves)
            later = layer.eval()(x[0] if padding is None else x, mask, padding)
            seen[f"{own} {number}"] = [*first, _short(later), type(later.grad_fn).__name__]
        seen[f"{own} hinted"] = _short(layer(x, _masks(torch, 3, 3)[1][0], is_causal=True))
    return seen


def decoder_layers(torch: Any) -> Any:
    seen = {}
    for own in _LAYERS:
        torch.manual_seed(1)
        layer = torch.nn.TransformerDecoderLayer(4, 2, 6, **own).double()
        x, memory = _double(torch, 3, 3, 4), _double(torch, 3, 3, 4)
        masks = _masks(torch, 3, 3)
        for number, (mask, padding) in enumerate(masks):
            other, rest = masks[number - 1]
            leaves = [x, memory, *layer.train().parameters()]
            output = layer(x, memory, mask, other, padding, rest)
            later = layer.eval()(x, memory, tgt_mask=mask)
            seen[f"{own} {number}"] = [*_grads(torch, output, leaves), _short(later)]
    return seen


def whole(torch: Any) -> Any:
    """A Transformer with every mask, in training and in evaluation, batched and not."""
    seen = []
    for own in ({}, {"batch_first": True, "norm_first": True}):
        torch.manual_seed(3)
        model = torch.nn.Transformer(4, 2, 2, 2, 6, **own).double()
        src, tgt = _double(torch, 3, 3, 4), _double(torch, 3, 3, 4)
        mask, padding = _masks(torch, 3, 3)[2]
        masks = [
            {},
            {"tgt_mask": mask.double().masked_fill(mask, float("-inf"))},
            {"src_mask": mask, "src_key_padding_mask": padding},
            {"memory_mask": mask, "memory_key_padding_mask": padding},
            {"tgt_mask": mask, "tgt_is_causal": True, "tgt_key_padding_mask": padding},
        ]
        for more in masks:
            leaves = [src, tgt, *model.train().parameters()]
            seen.append(_grads(torch, model(src, tgt, **more), leaves))
            seen.append(_short(model.eval()(src, tgt, **more)))
        seen.append(_short(model(src[0], tgt[0])))
    return seen


def padded_rows_in_evaluation(torch: Any) -> Any:
    """Which rows of an encoder's output are zero, with a gradient wanted and without."""
    warnings.simplefilter("ignore")  # PyTorch calls its own nested tensors a prototype
    nn, seen = torch.nn, []
    torch.manual_seed(4)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    norm = nn.LayerNorm(8)
    nn.init.ones_(norm.bias)
    x = torch.randn(3, 4, 8)
    patterns = ["0001 0011 0000", "0001 0011 0001", "1000 0000 0000", "0100 0001 0000",
                "0000 0000 0000", "1111 0001 0000"]  # fmt: skip
    paddings = [torch.tensor([[c == "1" for c in row] for row in text.split()])
                for text in patterns]  # fmt: skip
    encoders = {
        "usual": nn.TransformerEncoder(layer, 2),
        "norm": nn.TransformerEncoder(layer, 1, norm),
        "not nested": nn.TransformerEncoder(layer, 1, enable_nested_tensor=False),
        "unchecked": nn.TransformerEncoder(layer, 1, mask_check=False),
        "unusual": nn.TransformerEncoder(
            nn.TransformerEncoderLayer(8, 2, 16, activation=torch.tanh, batch_first=True), 1),
        "gelu": nn.TransformerEncoder(
            nn.TransformerEncoderLayer(8, 2, 16, activation=nn.GELU(), batch_first=True), 1),
    }  # fmt: skip
    for name, encoder in encoders.items():
        encoder.eval()
        for text, padding in zip(patterns, paddings, strict=True):
            if "1111" in text and name in ("not nested", "unusual"):
                continue  # PyTorch's kernel makes NaN of it
            with torch.no_grad():
                output = encoder(x, src_key_padding_mask=padding)
            seen.append([name, text, (output == 0).all(-1).tolist(), rounded(output[0], 3)])
    usual = encoders["usual"]
    for more in ({"mask": torch.zeros(4, 4)}, {"mask": torch.zeros(4, 4).bool()}, {}):
        with torch.no_grad():
            output = usual(x, src_key_padding_mask=paddings[0], **more)
        seen.append((output == 0).all(-1).tolist())
    with torch.no_grad():
        numbers = torch.zeros(3, 4).masked_fill(paddings[0], float("-inf"))
        seen.append((usual(x, src_key_padding_mask=numbers) == 0).all(-1).tolist())
        seen.append(attempt(lambda: usual(x, src_key_padding_mask=torch.ones(3, 4).bool())))
        seen.append(usual(x[0], src_key_padding_mask=paddings[0][0]).shape)
    seen.append((usual(x, src_key_padding_mask=paddings[0]) == 0).any().item())
    frozen = usual.requires_grad_(False)
    seen.append((frozen(x, src_key_padding_mask=paddings[0]) == 0).all(-1).tolist())
    wanted = frozen(x.requires_grad_(), src_key_padding_mask=paddings[0])
    return [*seen, (wanted == 0).any().item(), (frozen.train()(x) == 0).any().item()]


def warnings_of_encoders(torch: Any) -> Any:
    nn = torch.nn

    class Mine(nn.TransformerEncoderLayer):  # type: ignore[misc,name-defined]
        pass

    flags = []
    for own in ({}, {"norm_first": True, "batch_first": True}, {"batch_first": True},
                {"batch_first": True, "activation": torch.tanh},
                {"batch_first": True, "bias": False}):  # fmt: skip
        flags.append(
            nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 6, **own), 1).use_nested_tensor
        )
    nn.TransformerEncoder(nn.TransformerEncoderLayer(9, 3, 6, batch_first=True), 1)
    nn.TransformerEncoder(Mine(8, 2, 6, batch_first=True), 1)
    nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 6), 1, enable_nested_tensor=False)
    layer = nn.TransformerEncoderLayer(8, 2, 6, batch_first=True)
    layer.norm1.eps = 0.1
    nn.TransformerEncoder(layer, 1)
    numbers, bools = torch.zeros(3, 3), torch.zeros(3, 3).bool()
    x = torch.ones(3, 3, 8)
    layer(x, numbers, bools)
    nn.TransformerEncoder(layer, 1, None, False)(x, numbers, bools)
    nn.TransformerDecoderLayer(8, 2, 6)(x, x, numbers, None, bools)
    return flags
