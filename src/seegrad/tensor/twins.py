"""PyTorch's in-place functions: the methods of the same names."""

from seegrad.ops import activations, randomized
from seegrad.ops.dropout import dropout
from seegrad.ops.masks import shorten_rows
from seegrad.tensor.tensor import Tensor

__all__ = [
    "abs_",
    "acos_",
    "acosh_",
    "addmv_",
    "alpha_dropout_",
    "arccos_",
    "arccosh_",
    "arcsin_",
    "arcsinh_",
    "arctan_",
    "arctanh_",
    "as_strided_",
    "asin_",
    "asinh_",
    "atan_",
    "atanh_",
    "ceil_",
    "celu_",
    "clamp_",
    "clamp_max_",
    "clamp_min_",
    "clip_",
    "conj_physical_",
    "cos_",
    "cosh_",
    "deg2rad_",
    "detach",
    "detach_",
    "dropout_",
    "embedding_renorm_",
    "erf_",
    "erfc_",
    "exp2_",
    "exp_",
    "expm1_",
    "feature_alpha_dropout_",
    "feature_dropout_",
    "fill_",
    "fix_",
    "floor_",
    "frac_",
    "gcd_",
    "i0_",
    "index_put_",
    "lcm_",
    "ldexp_",
    "log1p_",
    "log2_",
    "log10_",
    "log_",
    "logit_",
    "nan_to_num_",
    "neg_",
    "negative_",
    "rad2deg_",
    "reciprocal_",
    "relu_",
    "resize_as_",
    "round_",
    "rrelu_",
    "rsqrt_",
    "selu_",
    "sigmoid_",
    "sin_",
    "sinc_",
    "sinh_",
    "sqrt_",
    "square_",
    "tan_",
    "tanh_",
    "threshold_",
    "trunc_",
    "xlogy_",
    "zero_",
]

abs_ = Tensor.abs_
as_strided_ = Tensor.as_strided_
conj_physical_ = Tensor.conj_physical_
acos_ = Tensor.acos_
acosh_ = Tensor.acosh_
addmv_ = Tensor.addmv_
arccos_ = Tensor.arccos_
arccosh_ = Tensor.arccosh_
arcsin_ = Tensor.arcsin_
arcsinh_ = Tensor.arcsinh_
arctan_ = Tensor.arctan_
arctanh_ = Tensor.arctanh_
asin_ = Tensor.asin_
asinh_ = Tensor.asinh_
atan_ = Tensor.atan_
atanh_ = Tensor.atanh_
ceil_ = Tensor.ceil_
clamp_ = Tensor.clamp_
clamp_max_ = Tensor.clamp_max_
clamp_min_ = Tensor.clamp_min_
clip_ = Tensor.clip_
cos_ = Tensor.cos_
cosh_ = Tensor.cosh_
deg2rad_ = Tensor.deg2rad_
detach = Tensor.detach
detach_ = Tensor.detach_
erf_ = Tensor.erf_
erfc_ = Tensor.erfc_
exp2_ = Tensor.exp2_
exp_ = Tensor.exp_
expm1_ = Tensor.expm1_
fill_ = Tensor.fill_
fix_ = Tensor.fix_
floor_ = Tensor.floor_
frac_ = Tensor.frac_
gcd_ = Tensor.gcd_
i0_ = Tensor.i0_
index_put_ = Tensor.index_put_
lcm_ = Tensor.lcm_
ldexp_ = Tensor.ldexp_
log10_ = Tensor.log10_
log1p_ = Tensor.log1p_
log2_ = Tensor.log2_
log_ = Tensor.log_
logit_ = Tensor.logit_
nan_to_num_ = Tensor.nan_to_num_
neg_ = Tensor.neg_
negative_ = Tensor.negative_
rad2deg_ = Tensor.rad2deg_
reciprocal_ = Tensor.reciprocal_
relu_ = Tensor.relu_
resize_as_ = Tensor.resize_as_
round_ = Tensor.round_
rsqrt_ = Tensor.rsqrt_
sigmoid_ = Tensor.sigmoid_
sin_ = Tensor.sin_
sinc_ = Tensor.sinc_
sinh_ = Tensor.sinh_
sqrt_ = Tensor.sqrt_
square_ = Tensor.square_
tan_ = Tensor.tan_
tanh_ = Tensor.tanh_
trunc_ = Tensor.trunc_
xlogy_ = Tensor.xlogy_
zero_ = Tensor.zero_


def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """`torch.nn.functional.celu_`."""
    return activations.celu(input, alpha, inplace=True)


def selu_(input: Tensor) -> Tensor:
    """`torch.nn.functional.selu_`."""
    return activations.selu(input, inplace=True)


def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """`torch.nn.functional.threshold_`."""
    return activations.threshold(input, threshold, value, inplace=True)


def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`torch.nn.functional.dropout` into `input`."""
    return dropout(input, p, train, inplace=True)


def alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`torch.nn.functional.alpha_dropout` into `input`."""
    return randomized.alpha_dropout(input, p, train, inplace=True)


def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`torch.nn.functional.feature_alpha_dropout` into `input`."""
    return randomized.feature_alpha_dropout(input, p, train, inplace=True)


def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`torch.feature_dropout` into `input`."""
    out: Tensor = randomized.without_channels(input, p, train, True)
    return out


def embedding_renorm_(input: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    """Shortens the rows of a table that are named and longer than `max_norm`."""
    shorten_rows(input, indices, max_norm, norm_type)
    return input


def rrelu_(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False
) -> Tensor:
    """`torch.nn.functional.rrelu` into `input`."""
    return randomized.rrelu(input, lower, upper, training, inplace=True)
