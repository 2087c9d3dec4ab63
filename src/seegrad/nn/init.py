"""Ways to fill a tensor in place, without recording: the numbers that PyTorch draws."""

import math
import warnings
from collections.abc import Callable
from typing import Any

from seegrad.autograd.grad_mode import no_grad
from seegrad.ops import where
from seegrad.ops.spectra import linalg_qr
from seegrad.tensor.creation import empty_like
from seegrad.tensor.sampling import randperm
from seegrad.tensor.tensor import Tensor

# Below this chance of falling inside, trunc_normal_ draws uniform numbers instead of normal ones.
_OFTEN_INSIDE = 0.3
_SAME_GAIN = frozenset(
    {
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "sigmoid",
    }
)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that keeps the variance through `nonlinearity`.

    `param` is the negative slope of "leaky_relu". Raises ValueError for an unknown name.

    >>> import seegrad as torch
    >>> torch.nn.init.calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity in _SAME_GAIN:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "selu":
        return 3.0 / 4
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + _negative_slope(param) ** 2))
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _negative_slope(param: Any) -> float:
    if param is None:
        return 0.01
    if isinstance(param, bool) or not isinstance(param, int | float):
        raise ValueError(f"negative_slope {param} not a valid number")
    return param


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with numbers uniform in [a, b).

    >>> import seegrad as torch
    >>> bool((torch.nn.init.uniform_(torch.empty(3), 2, 3) >= 2).all())
    True
    """
    with no_grad():
        tensor.uniform_(a, b, generator=generator)
    return tensor


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal numbers."""
    with no_grad():
        tensor.normal_(mean, std, generator=generator)
    return tensor


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with `val`.

    >>> import seegrad as torch
    >>> torch.nn.init.constant_(torch.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    with no_grad():
        tensor.fill_(val)
    return tensor


def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros."""
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    """Fill a 2-d tensor with the identity: ones on the diagonal. ValueError for other tensors.

    >>> import seegrad as torch
    >>> torch.nn.init.eye_(torch.empty(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        tensor.zero_()
        tensor.diagonal().fill_(1)
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs make one output of this weight (out, in, ...), and how many outputs one
    input enters.
    """
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    receptive_field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * receptive_field, tensor.shape[0] * receptive_field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        modes = ["fan_in", "fan_out"]
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill uniformly in +-gain * sqrt(6 / (fan_in + fan_out)); needs 2 dimensions or more.

    >>> import seegrad as torch
    >>> bool(torch.nn.init.xavier_uniform_(torch.empty(3, 3)).abs().max() <= 1)
    True
    """
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal(0, gain * sqrt(2 / (fan_in + fan_out))); needs 2 dimensions or more."""
    return normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def _xavier_std(tensor: Tensor, gain: float) -> float:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2.0 / float(fan_in + fan_out))


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill uniformly in +-gain * sqrt(3 / fan), the gain being that of `nonlinearity`.

    `a` is the negative slope of "leaky_relu"; `mode` chooses "fan_in" or "fan_out".

    >>> import seegrad as torch
    >>> weight = torch.nn.init.kaiming_uniform_(torch.empty(3, 6), nonlinearity="relu")
    >>> bool(weight.abs().max() <= 1)
    True
    """
    if 0 in tensor.shape:
        return _nothing_to_fill(tensor)
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill with normal(0, gain / sqrt(fan)), the gain being that of `nonlinearity`."""
    if 0 in tensor.shape:
        return _nothing_to_fill(tensor)
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def _nothing_to_fill(tensor: Tensor) -> Tensor:
    warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
    return tensor


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Fill with normal(mean, std) numbers cut off at `a` and `b`.

    Numbers outside are drawn again: from the normal distribution where it lies well inside of
    [a, b], else uniformly, each kept with the probability that its density has.
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=2,
        )
    inside = _normal_cdf((b - mean) / std) - _normal_cdf((a - mean) / std)
    with no_grad():
        if inside > _OFTEN_INSIDE:
            return _redraw_normal(tensor, mean, std, a, b, generator)
        return _redraw_uniform(tensor, mean, std, a, b, generator)


def _redraw_normal(
    tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any
) -> Tensor:
    """Draw all numbers again until each was inside once; that one it keeps."""
    tensor.normal_(mean, std, generator=generator)
    outside = (tensor < a) | (tensor > b)
    while bool(outside.any()):
        again = empty_like(tensor).normal_(mean, std, generator=generator)
        tensor.copy_(where(outside, again, tensor))
        outside = (tensor < a) | (tensor > b)
    return tensor


def _redraw_uniform(
    tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any
) -> Tensor:
    """Draw all numbers again until each was kept once."""
    peak = min(max(mean, a), b)  # where in [a, b] the density is highest
    peak_log = -0.5 * ((peak - mean) / std) ** 2
    waiting = None
    while waiting is None or bool(waiting.any()):
        drawn = empty_like(tensor).uniform_(a, b, generator=generator)
        chance = empty_like(tensor).uniform_(generator=generator)
        refused = chance > (((drawn - mean) / std) ** 2 * -0.5 - peak_log).exp()
        tensor.copy_(drawn if waiting is None else where(waiting, drawn, tensor))
        waiting = refused if waiting is None else waiting & refused
    return tensor


def _normal_cdf(x: float) -> float:
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill the kernel (out, in, ...) of a convolution so that it copies channels, in each group.

    Raises ValueError for a tensor that is no kernel and where `groups` does not divide `out`.

    >>> import seegrad as torch
    >>> torch.nn.init.dirac_(torch.empty(2, 2, 3))
    tensor([[[0., 1., 0.],
             [0., 0., 0.]],
    <BLANKLINE>
            [[0., 0., 0.],
             [0., 1., 0.]]])
    """
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    out, channels, *window = tensor.shape
    if out % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    middle = tuple(width // 2 for width in window)
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(out // groups, channels)):
                tensor[(group * (out // groups) + channel, channel, *middle)] = 1
    return tensor


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill with a (semi-)orthogonal matrix times `gain`; dimensions after the first are columns.

    Raises ValueError for a tensor of fewer than 2 dimensions.

    >>> import seegrad as torch
    >>> q = torch.nn.init.orthogonal_(torch.empty(2, 3))
    >>> torch.allclose(q @ q.T, torch.eye(2), atol=1e-6)
    True
    """
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
    with no_grad():
        drawn = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
        q, r = linalg_qr(drawn.t() if rows < columns else drawn)
        q *= r.diagonal().sign()  # one Q for every matrix, whatever signs the decomposition took
        tensor.copy_((q.t() if rows < columns else q).reshape(tensor.shape)).mul_(gain)
    return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill a matrix with normal(0, std) numbers, of each column the part `sparsity` with zeros.

    Raises ValueError for a tensor that is no matrix.

    >>> import seegrad as torch
    >>> (torch.nn.init.sparse_(torch.empty(4, 2), 0.5) == 0).sum(0)
    tensor([2, 2])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[randperm(rows)[:zeros], column] = 0
    return tensor


def _deprecated(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`function` under its name of before, without the underscore, which warns."""
    name = function.__name__.removesuffix("_")

    def old(*args: Any, **options: Any) -> Tensor:
        warnings.warn(
            f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.",
            FutureWarning,
            stacklevel=2,
        )
        return function(*args, **options)

    old.__name__ = old.__qualname__ = name
    old.__doc__ = f"The name of before of `{name}_`: warns, and does the same."
    return old


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
