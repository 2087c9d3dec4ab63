"""Public activation functions: the names of `torch.nn.functional`."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.once import warn
from seegrad.ops.out import into
from seegrad.ops.reduce import cast

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805


@public
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return the positive part; its slope at 0 is 0.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.relu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0., 0., 2.])
    """
    return op.relu_(input) if inplace else op.relu(input)


@public
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Return the elements held between 0 and 6; the slope is 0 at both.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.relu6(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0., 0., 2.])
    """
    return op.hardtanh_(input, 0.0, 6.0) if inplace else op.hardtanh(input, 0.0, 6.0)


@public
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Return the elements, the negative ones times a slope.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.leaky_relu(torch.tensor([-1.0, 0.0, 2.0]), 0.1)
    tensor([-0.1000,  0.0000,  2.0000])
    """
    return (
        op.leaky_relu_(input, negative_slope) if inplace else op.leaky_relu(input, negative_slope)
    )


@public
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return `alpha * (exp(x) - 1)` for negative elements, others as they are.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.elu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.6321,  0.0000,  2.0000])
    """
    return op.elu_(input, alpha, 1.0, 1.0) if inplace else op.elu(input, alpha, 1.0, 1.0)


@public
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return the elu whose scales keep mean 0 and variance 1.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.selu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.1113,  0.0000,  2.1014])
    """
    return (
        op.elu_(input, SELU_ALPHA, SELU_SCALE, 1.0)
        if inplace
        else op.elu(input, SELU_ALPHA, SELU_SCALE, 1.0)
    )


@public
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return `alpha * (exp(x / alpha) - 1)` for negative elements, others as they are.

    `input`: (...). With `inplace` the result is written into input. Returns (...). Raises
    RuntimeError for alpha 0.

    >>> import seegrad as torch
    >>> torch.nn.functional.celu(torch.tensor([-1.0, 0.0, 2.0]), 2.0)
    tensor([-0.7869,  0.0000,  2.0000])
    """
    return op.celu_(input, alpha) if inplace else op.celu(input, alpha)


@public
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `x * sigmoid(x)`.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.silu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.2689,  0.0000,  1.7616])
    """
    return op.silu_(input) if inplace else op.silu(input)


@public
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `x * tanh(softplus(x))`.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.mish(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.3034,  0.0000,  1.9440])
    """
    return op.mish_(input) if inplace else op.mish(input)


@public
def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """Return the elements held between two numbers; the slope is 0 at both.

    `input`: (...). With `inplace` the result is written into input. Returns (...). Raises
    ValueError where min_val is larger.

    >>> import seegrad as torch
    >>> torch.nn.functional.hardtanh(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.,  0.,  1.])
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return (
        op.hardtanh_(input, min_val, max_val) if inplace else op.hardtanh(input, min_val, max_val)
    )


@public
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `(x + 3) / 6` held between 0 and 1.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.hardsigmoid(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0.3333, 0.5000, 0.8333])
    """
    return op.hardsigmoid_(input) if inplace else op.hardsigmoid(input)


@public
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `x * hardsigmoid(x)`.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.hardswish(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.3333,  0.0000,  1.6667])
    """
    return op.hardswish_(input) if inplace else op.hardswish(input)


@public
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Return the elements above a threshold, a value for the others.

    `input`: (...). With `inplace` the result is written into input. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.threshold(torch.tensor([-1.0, 0.0, 2.0]), 0.5, 9.0)
    tensor([9., 9., 2.])
    """
    return (
        op.threshold_(input, threshold, value)
        if inplace
        else op.threshold(input, threshold, value)
    )


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Return `x * P(x)`, P the normal distribution, or its approximation by a tanh.

    `input`: (...). Returns (...). Raises RuntimeError for another approximation than "none" and
    "tanh".

    >>> import seegrad as torch
    >>> torch.nn.functional.gelu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.1587,  0.0000,  1.9545])
    """
    return op.gelu(input, approximate)


@public
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Return `log(1 + exp(beta * x)) / beta`, x itself where `beta * x` exceeds a threshold.

    `input`: (...). Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.softplus(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0.3133, 0.6931, 2.1269])
    """
    return op.softplus(input, beta, threshold)


def logsigmoid(input: Tensor) -> Tensor:
    """Return `log(sigmoid(x))` without overflow.

    `input`: (...). Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.logsigmoid(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.3133, -0.6931, -0.1269])
    """
    return op.log_sigmoid(input)


@public
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Return the elements, zero for those within lambd of zero.

    `input`: (...). Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.hardshrink(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.,  0.,  2.])
    """
    return op.hardshrink(input, lambd)


@public
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Return the elements drawn lambd towards zero.

    `input`: (...). Returns (...). Raises RuntimeError for a negative lambd.

    >>> import seegrad as torch
    >>> torch.nn.functional.softshrink(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.5000,  0.0000,  1.5000])
    """
    return op.softshrink(input, lambd)


def tanhshrink(input: Tensor) -> Tensor:
    """Return `x - tanh(x)`.

    `input`: (...). Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.tanhshrink(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.2384,  0.0000,  1.0360])
    """
    return op.sub(input, op.tanh(input))


def softsign(input: Tensor) -> Tensor:
    """Return `x / (1 + abs(x))`.

    `input`: (...). Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.softsign(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.5000,  0.0000,  0.6667])
    """
    return op.div(input, op.add(op.abs(input), 1))


@public
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Return the elements, the negative ones times a learnt slope.

    `input`: (N, C, ...). `weight`: (1,), or (C,) with a slope for each channel. Returns input's
    shape. Raises RuntimeError where shapes or types do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.prelu(torch.tensor([-1.0, 2.0]), torch.tensor([0.25]))
    tensor([-0.2500,  2.0000])
    """
    _check_prelu(input, weight)
    if weight.ndim and (weight._array.size != 1 or input.ndim != 1):
        shape = [1] * input.ndim
        if input.ndim:
            shape[1 if input.ndim > 1 else 0] = weight._array.size
        weight = op.view(weight, tuple(shape))
    return op.prelu_kernel(input, weight)


def _check_prelu(input: Any, weight: Any) -> None:
    if input.dtype is not weight.dtype:
        raise RuntimeError(
            f"prelu: Type promoting not supported. Got {input.dtype.scalar_name} and "
            f"{weight.dtype.scalar_name}"
        )
    if not input.ndim and weight._array.size != 1:
        raise RuntimeError("Not allow zero-dim input tensor.")
    channels = input.shape[1] if input.ndim > 1 else 1
    if weight._array.size not in (1, channels):
        raise RuntimeError(
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
            f"{weight._array.size} and channel size = {channels}."
        )
    if weight.ndim > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}"
        )


@public
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Return the first half times the sigmoid of the second.

    `input`: (..., 2n, ...). `dim`: the dimension that is halved. Returns (..., n, ...). Raises
    RuntimeError where the halved dimension is odd.

    >>> import seegrad as torch
    >>> torch.nn.functional.glu(torch.tensor([1.0, 2.0, 0.0, 0.0]))
    tensor([0.5000, 1.0000])
    """
    if input.ndim == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return op.glu(input, wrap_dim(dim, input.ndim))


@public
def softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: Any = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return exponentials divided by their sum along a dimension.

    `input`: (...). `dim`: the dimension whose elements compete. `dtype`: the type to compute
    in. Returns (...). Raises NotImplementedError for integers without a dtype.

    >>> import seegrad as torch
    >>> torch.softmax(torch.tensor([0.0, 1.0, 2.0]), dim=0)
    tensor([0.0900, 0.2447, 0.6652])
    """
    if dim is None:
        dim = _guessed_dim("softmax", input.ndim)
    elif _stacklevel.__class__ is not int:  # torch.softmax(input, dim, dtype)
        dtype = _stacklevel
    input, dim = cast(input, dtype), wrap_dim(dim, input.ndim)
    return op.softmax(input, dim) if out is None else into(out, "softmax", op.softmax, input, dim)


@public
def log_softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: Any = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the logarithm of softmax, exact where that is small.

    `input`: (...). `dim`: the dimension whose elements compete. `dtype`: the type to compute
    in. Returns (...). Raises NotImplementedError for integers without a dtype.

    >>> import seegrad as torch
    >>> torch.log_softmax(torch.tensor([0.0, 1.0, 2.0]), dim=0)
    tensor([-2.4076, -1.4076, -0.4076])
    """
    if dim is None:
        dim = _guessed_dim("log_softmax", input.ndim)
    elif _stacklevel.__class__ is not int:  # torch.log_softmax(input, dim, dtype)
        dtype = _stacklevel
    input, dim = cast(input, dtype), wrap_dim(dim, input.ndim)
    return (
        op.log_softmax(input, dim)
        if out is None
        else into(out, "log_softmax", op.log_softmax, input, dim)
    )


def _guessed_dim(name: str, ndim: int) -> int:
    """The dimension that PyTorch takes where none is given, with its warning."""
    warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument."
    )
    return 0 if ndim in (0, 1, 3) else 1


@public
def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return softmax of the negated elements.

    `input`: (...). `dim`: the dimension whose elements compete. `dtype`: the type to compute
    in. Returns (...).

    >>> import seegrad as torch
    >>> torch.nn.functional.softmin(torch.tensor([0.0, 1.0, 2.0]), dim=0)
    tensor([0.6652, 0.2447, 0.0900])
    """
    if dim is None:
        dim = _guessed_dim("softmin", input.ndim)
    return softmax(op.neg(input), dim, dtype=dtype)
