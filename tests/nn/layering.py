"""Modules of convolution, pools, norms, sizes, margins and dropout."""

from collections import OrderedDict
from typing import Any

from tests.nn.showing import _evaluated, _expressions
from tests.observe import attempt, rounded

_MADE = """
Conv1d(2,3,3)
Conv2d(2,4,(3,2),stride=2,padding=1,dilation=2,groups=2,bias=False,padding_mode="reflect")
Conv2d(1,1,3,padding="same") | Conv3d(1,2,3) | ConvTranspose1d(2,3,3)
ConvTranspose2d(2,4,3,2,1,1,2,False,2) | ConvTranspose3d(2,3,3) | MaxPool1d(2)
MaxPool2d(3,2,1,2,True,True) | MaxPool3d((2,1,2)) | AvgPool1d(2) | AvgPool2d(2,3,1,True,False,5)
AvgPool3d(2) | AdaptiveAvgPool1d(2) | AdaptiveAvgPool2d((2,None)) | AdaptiveAvgPool3d(1)
AdaptiveMaxPool1d(2) | AdaptiveMaxPool2d(2,True) | AdaptiveMaxPool3d(1) | LPPool1d(2,3)
LPPool2d(2,3,2,True) | LPPool3d(2,3) | MaxUnpool1d(2) | MaxUnpool2d(2,1) | MaxUnpool3d(2)
FractionalMaxPool2d(2,output_size=3) | FractionalMaxPool3d(2,output_ratio=0.5) | BatchNorm1d(3)
BatchNorm2d(3,1e-3,None,False,False) | BatchNorm3d(2) | InstanceNorm1d(3)
InstanceNorm2d(3,affine=True,track_running_stats=True) | InstanceNorm3d(2) | LayerNorm(3)
LayerNorm((2,3),bias=False) | LayerNorm([2,3],elementwise_affine=False) | GroupNorm(2,4)
GroupNorm(2,4,affine=False) | RMSNorm(3) | RMSNorm((2,3),1e-3,False) | LocalResponseNorm(2)
Upsample(2) | Upsample(scale_factor=2,mode="bilinear",align_corners=True) | Upsample((2,3))
UpsamplingNearest2d(2) | UpsamplingBilinear2d(scale_factor=2) | Fold((2,3),2) | Unfold(2)
PixelShuffle(2) | PixelUnshuffle(2) | ChannelShuffle(2) | ZeroPad1d(1) | ZeroPad2d((1,2,3,4))
ZeroPad3d(1) | ConstantPad1d(1,2.5) | ConstantPad2d(1,2) | ConstantPad3d(1,2.5)
ReflectionPad1d(1) | ReflectionPad2d(1) | ReflectionPad3d(1) | ReplicationPad1d(1)
ReplicationPad2d(1) | ReplicationPad3d(1) | CircularPad1d(1) | CircularPad2d(1)
CircularPad3d(1) | EmbeddingBag(3,2) | EmbeddingBag(3,2,mode="sum",padding_idx=1)
Dropout1d() | Dropout2d(0.2) | Dropout3d() | AlphaDropout()
FeatureAlphaDropout() | RReLU() | RReLU(0.1,0.2,True) | Softmax2d()
"""
_REFUSED = """
Conv2d(3,4,3,groups=2) | Conv2d(4,3,3,groups=2) | Conv2d(4,3,3,groups=0)
Conv2d(4,3,3,padding='same',stride=2) | ConvTranspose2d(4,3,3,padding_mode='reflect')
ConvTranspose2d(1,1,3,stride=2)(torch.ones(1,1,4,4),output_size=(20,20))
ConvTranspose2d(1,1,3,stride=2)(torch.ones(1,1,4,4),output_size=(10,10)).shape
ConvTranspose2d(1,1,3,stride=2)(torch.ones(1,1,4,4),output_size=(10,)).shape
BatchNorm1d(3)(torch.ones(3)) | BatchNorm2d(3)(torch.ones(3,3))
BatchNorm3d(3)(torch.ones(3,3)) | InstanceNorm2d(3)(torch.ones(3,3))
InstanceNorm1d(3)(torch.ones(3)) | InstanceNorm1d(3)(torch.ones(2,4,5)).shape
InstanceNorm1d(3,affine=True)(torch.ones(2,4,5)) | GroupNorm(3,4) | FractionalMaxPool2d(2)
FractionalMaxPool2d(2,2,.5) | FractionalMaxPool2d(2,None,1.5) | Dropout2d(3)
Softmax2d()(torch.ones(2,2)) | Dropout1d()(torch.ones(3)) | LayerNorm(3)(torch.ones(2))
CircularPad2d(1)(torch.ones(3)) | Conv2d(1,1,3)._reversed_padding_repeated_twice
Conv2d(1,1,2,padding='same')._reversed_padding_repeated_twice
"""
_RUN = [
    ("Conv1d(2,4,3,padding=1,padding_mode='circular')", (2, 2, 5)),
    ("Conv1d(2,4,3)", (2, 5)),
    ("Conv2d(2,4,(3,2),2,1,1,2)", (2, 2, 5, 4)),
    ("Conv2d(2,1,3,padding='same',padding_mode='reflect',bias=False)", (1, 2, 4, 4)),
    ("Conv3d(1,2,2)", (1, 1, 3, 3, 2)),
    ("ConvTranspose1d(2,4,3,2,1,1)", (2, 2, 4)),
    ("ConvTranspose2d(4,2,2,groups=2)", (1, 4, 2, 2)),
    ("ConvTranspose3d(1,2,2)", (1, 1, 2, 2, 2)),
    ("MaxPool1d(2)", (2, 1, 5)),
    ("MaxPool2d(3,2,1)", (1, 2, 5, 5)),
    ("MaxPool3d(2,1)", (1, 1, 3, 3, 3)),
    ("AvgPool1d(2)", (2, 1, 5)),
    ("AvgPool2d(3,2,1)", (1, 2, 5, 5)),
    ("AvgPool3d(2,1)", (1, 1, 3, 3, 3)),
    ("AdaptiveAvgPool1d(3)", (1, 2, 5)),
    ("AdaptiveAvgPool2d((2,None))", (1, 2, 5, 3)),
    ("AdaptiveAvgPool3d(1)", (1, 2, 2, 3, 2)),
    ("AdaptiveMaxPool1d(3)", (1, 2, 5)),
    ("AdaptiveMaxPool2d((2,None))", (1, 2, 5, 3)),
    ("AdaptiveMaxPool3d(1)", (1, 2, 2, 3, 2)),
    ("LPPool1d(3,2)", (1, 1, 4)),
    ("LPPool2d(2,2)", (1, 1, 4, 4)),
    ("LPPool3d(2,2)", (1, 1, 2, 2, 4)),
    ("FractionalMaxPool2d(2,output_size=3)", (1, 2, 6, 6)),
    ("FractionalMaxPool3d(2,output_ratio=0.5)", (1, 1, 4, 4, 6)),
    ("BatchNorm1d(3)", (4, 3)),
    ("BatchNorm2d(2,momentum=None)", (2, 2, 3, 2)),
    ("BatchNorm3d(2,affine=False)", (2, 2, 1, 3, 2)),
    ("InstanceNorm1d(3)", (2, 3, 4)),
    ("InstanceNorm2d(2,affine=True,track_running_stats=True)", (2, 2, 3, 2)),
    ("InstanceNorm3d(2)", (2, 1, 3, 2)),
    ("LayerNorm((3,2))", (2, 3, 2)),
    ("LayerNorm(2,bias=False)", (3, 2)),
    ("GroupNorm(2,4)", (2, 4, 3)),
    ("RMSNorm(3)", (2, 3)),
    ("LocalResponseNorm(2)", (1, 3, 4)),
    ("Upsample(scale_factor=2,mode='bilinear')", (1, 1, 2, 3)),
    ("UpsamplingNearest2d(4)", (1, 1, 2, 3)),
    ("UpsamplingBilinear2d(4)", (1, 1, 2, 3)),
    ("Fold((3,4),2)", (1, 8, 6)),
    ("Unfold(2,padding=1)", (1, 2, 3, 3)),
    ("PixelShuffle(2)", (1, 4, 2, 1)),
    ("PixelUnshuffle(2)", (1, 1, 2, 4)),
    ("ChannelShuffle(3)", (1, 6, 2)),
    *((f"{kind}Pad{dims}d({'1,2.5' if kind == 'Constant' else 1})", (1, 1, 3, 4, 3)[: dims + 2])
      for kind in ("Zero", "Constant", "Reflection", "Replication", "Circular")
      for dims in (1, 2, 3)),
    ("Dropout1d()", (3, 4, 2)),
    ("Dropout2d(0.3)", (2, 4, 2, 1)),
    ("Dropout3d()", (2, 4, 1, 2, 1)),
    ("AlphaDropout()", (3, 4)),
    ("FeatureAlphaDropout()", (3, 4, 2)),
    ("RReLU()", (3, 4)),
    ("Softmax2d()", (1, 3, 2, 1)),
]  # fmt: skip


def shown(torch: Any) -> Any:
    return {e: repr(_evaluated(torch, e)) for e in _expressions(_MADE)}


def refused(torch: Any) -> Any:
    return {e: attempt(lambda e=e: _evaluated(torch, e)) for e in _expressions(_REFUSED)}


def initial(torch: Any) -> Any:
    nn = torch.nn
    made = [nn.EmbeddingBag(3, 2, padding_idx=1),
            nn.Conv1d(3, 2, 2), nn.Conv2d(2, 4, (3, 1), groups=2), nn.Conv3d(1, 2, 2, bias=False),
            nn.ConvTranspose2d(2, 3, 2), nn.BatchNorm2d(3), nn.LayerNorm((2, 2)),
            nn.GroupNorm(1, 2), nn.RMSNorm(2)]  # fmt: skip
    return [rounded(value) for module in made for value in module.state_dict().values()]


def _outcome(torch: Any, text: str, size: tuple[int, ...]) -> Any:
    """Output and gradients after a seed, the state afterwards, and the output in evaluation."""
    torch.manual_seed(1)
    module = _evaluated(torch, text).double()
    x = torch.randn(*size, dtype=torch.float64, requires_grad=True)
    out = module(x)
    weights = torch.linspace(0.5, 1.5, out.numel(), dtype=torch.float64).reshape(out.shape)
    (out * weights).sum().backward()
    grads = [rounded(leaf.grad, 5) for leaf in (x, *module.parameters())]
    state = {name: rounded(value, 5) for name, value in module.state_dict().items()}
    later = [rounded(module.eval()(x), 5)] if "Fractional" not in text else []
    return [rounded(out, 5), grads, state, later]


def computed(torch: Any) -> Any:
    return {text: _outcome(torch, text, size) for text, size in _RUN}


def back_to_their_places(torch: Any) -> Any:
    nn, seen = torch.nn, []
    for dims in (1, 2, 3):
        x = torch.randn(1, 1, *[4] * dims, dtype=torch.float64)
        pool = getattr(nn, f"MaxPool{dims}d")(2, return_indices=True)
        seen.append(rounded(getattr(nn, f"MaxUnpool{dims}d")(2)(*pool(x)), 5))
    return seen


def loading_states(torch: Any) -> Any:
    nn = torch.nn
    state = nn.BatchNorm2d(2).state_dict()
    del state["num_batches_tracked"]
    old = OrderedDict(state)
    stats = {"running_mean": torch.zeros(2), "running_var": torch.zeros(2)}
    return [
        attempt(lambda: nn.BatchNorm2d(2).load_state_dict(state)),
        attempt(lambda: nn.BatchNorm2d(2).load_state_dict(old)),
        attempt(lambda: nn.InstanceNorm1d(2).load_state_dict(stats)),
        list(nn.BatchNorm2d(2, track_running_stats=False).state_dict()),
        dict(nn.BatchNorm2d(2).state_dict()._metadata),
    ]


def attending(torch: Any) -> Any:
    nn, seen = torch.nn, []
    for options in (
        {}, {"bias": False, "batch_first": True}, {"kdim": 3, "vdim": 5, "add_bias_kv": True},
        {"dropout": 0.5, "add_zero_attn": True},
    ):  # fmt: skip
        module = nn.MultiheadAttention(4, 2, **options)
        state = {name: rounded(value, 5) for name, value in module.state_dict().items()}
        module = module.double()
        sizes = (4, module.kdim, module.vdim)
        inputs = [torch.randn(2, 3, n, dtype=torch.float64, requires_grad=True) for n in sizes]
        if not options.get("kdim"):
            inputs = inputs[:1] * 3
        for need in (True, False):
            output, weights = module(*inputs, need_weights=need)
            grads = torch.autograd.grad(output.sum(), inputs[0])
            seen.append([rounded(output, 5), None if weights is None else rounded(weights, 5),
                         rounded(grads[0], 5), type(output.grad_fn).__name__])  # fmt: skip
        seen.append([repr(module), state])
    x = torch.zeros(3, 2, 4)
    module = nn.MultiheadAttention(4, 2)
    refusals = [
        lambda: nn.MultiheadAttention(4, 3), lambda: nn.MultiheadAttention(0, 1),
        lambda: module(x[0, 0], x, x), lambda: module(x, x, x, is_causal=True),
        lambda: module(x, x, x, attn_mask=torch.ones(2, 2)), lambda: module(x, x[:2], x),
        lambda: module(x[..., :3], x, x),
        lambda: module(x, x, x, key_padding_mask=torch.ones(3, 2).bool()),
    ]  # fmt: skip
    return [seen, [attempt(refusal) for refusal in refusals]]
