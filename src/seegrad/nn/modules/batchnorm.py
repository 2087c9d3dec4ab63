"""`BatchNorm1d` to `BatchNorm3d` and `InstanceNorm1d` to `InstanceNorm3d`."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn import init
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.ops.once import warn
from seegrad.tensor.creation import empty, ones, tensor, zeros
from seegrad.tensor.tensor import Tensor


class _NormBase(Module):
    """Weight, bias and running statistics of channels."""

    _version = 2
    ranks: tuple[int, ...] = ()
    weight: Tensor | None
    bias: Tensor | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self,
        num_features: int,
        eps: float,
        momentum: float | None,
        affine: bool,
        track_running_stats: bool,
        device: Any,
        dtype: Any,
        bias: bool,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            made = Parameter(empty(num_features, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, made)
        tracked = track_running_stats
        mean = zeros(num_features, device=device, dtype=dtype) if tracked else None
        variance = ones(num_features, device=device, dtype=dtype) if tracked else None
        self.register_buffer("running_mean", mean)
        self.register_buffer("running_var", variance)
        self.register_buffer("num_batches_tracked", tensor(0) if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget all batches."""
        if self.running_mean is None or self.running_var is None:
            return
        self.running_mean.zero_()
        self.running_var.fill_(1)
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Forget all batches; weight 1, bias 0."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim not in self.ranks:
            wanted = " or ".join(f"{rank}D" for rank in self.ranks)
            raise ValueError(f"expected {wanted} input (got {input.ndim}D input)")

    def extra_repr(self) -> str:
        """The number of channels and the options."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, bias={self.bias is not None}, "
            f"track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, local_metadata: Any, *rest: Any
    ) -> None:
        """Also what was saved before batches were counted."""
        version = local_metadata.get("version", None)
        key = f"{prefix}num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats:
            if key not in state_dict:
                counted = self.num_batches_tracked
                state_dict[key] = tensor(0) if counted is None else counted
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class _BatchNorm(_NormBase):
    """Batch norm of any number of dimensions."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        options = (eps, momentum, affine, track_running_stats, device, dtype, bias)
        super().__init__(num_features, *options)

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the mean over all batches
                factor = 1.0 / float(self.num_batches_tracked)
        known = self.running_mean is not None or self.running_var is not None
        of_batch = self.training or not known
        used = not self.training or self.track_running_stats
        mean, variance = (self.running_mean, self.running_var) if used else (None, None)
        return F.batch_norm(
            input, mean, variance, self.weight, self.bias, of_batch, factor, self.eps
        )


class BatchNorm1d(_BatchNorm):
    """Channels less their mean over the batch, over their deviation, times weight, plus bias.

    Args: `num_features` channels, `eps`, `momentum` (None: the mean of all batches), `affine`
    (weight and bias), `track_running_stats`. In evaluation the running statistics are used.
    Shapes: input and output (n, c) or (n, c, l). Raises ValueError for other shapes.

    >>> import seegrad as torch
    >>> torch.nn.BatchNorm1d(2, eps=0.0)(torch.tensor([[1.0, 5.0], [3.0, 9.0]]))
    tensor([[-1., -1.],
            [ 1.,  1.]], grad_fn=<NativeBatchNormBackward0>)
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """As `BatchNorm1d` for images (n, c, h, w).

    >>> import seegrad as torch
    >>> torch.nn.BatchNorm2d(3)(torch.ones(2, 3, 4, 4)).shape
    torch.Size([2, 3, 4, 4])
    """

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """As `BatchNorm1d` for volumes (n, c, d, h, w).

    >>> import seegrad as torch
    >>> torch.nn.BatchNorm3d(3)(torch.ones(2, 3, 2, 2, 2)).shape
    torch.Size([2, 3, 2, 2, 2])
    """

    ranks = (5,)


class _InstanceNorm(_NormBase):
    """Instance norm of any number of dimensions."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        options = (eps, momentum, affine, track_running_stats, device, dtype, bias)
        super().__init__(num_features, *options)

    def forward(self, input: Tensor) -> Tensor:
        """Same shape as `input`."""
        self._check_input_dim(input)
        batched = input.ndim == self.ranks[-1]
        axis = 1 if batched else 0
        if input.shape[axis] != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={axis} to match num_features "
                    f"({self.num_features}), but got: {input.shape[axis]}."
                )
            warn(
                f"input's size at dim={axis} does not match num_features. You can silence this "
                "warning by not passing in num_features, which is not used because affine=False"
            )
        out = F.instance_norm(
            input if batched else input.unsqueeze(0), self.running_mean, self.running_var,
            self.weight, self.bias, self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum, self.eps,
        )  # fmt: skip
        return out if batched else out.squeeze(0)

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Statistics that nothing is done with are named for what they are."""
        version = local_metadata.get("version", None)
        if version is None and not self.track_running_stats:
            found = [n for n in ("running_mean", "running_var") if prefix + n in state_dict]
            if found:
                error_msgs.append(_unwanted(type(self).__name__, found))
                for name in found:
                    state_dict.pop(prefix + name)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


def _unwanted(name: str, found: list[str]) -> str:
    keys = " and ".join(f'"{key}"' for key in found)
    return (
        f"Unexpected running stats buffer(s) {keys} for {name} with track_running_stats=False. If "
        "state_dict is a checkpoint saved before 0.4.0, this may be expected because "
        f"{name} does not track running stats by default since 0.4.0. Please remove these keys "
        "from state_dict. If the running stats are actually needed, instead set "
        f"track_running_stats=True in {name} to enable them. See the documentation of {name} for "
        "details."
    )


class InstanceNorm1d(_InstanceNorm):
    """Channels of each instance less their mean, over their deviation.

    Args as `BatchNorm1d`'s; `affine` and `track_running_stats` are False. Shapes: input and output
    (n, c, l) or (c, l). Raises ValueError for other shapes.

    >>> import seegrad as torch
    >>> torch.nn.InstanceNorm1d(1, eps=0.0)(torch.tensor([[[1.0, 3.0]]]))
    tensor([[[-1.,  1.]]])
    """

    ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """As `InstanceNorm1d` for images (n, c, h, w) or (c, h, w).

    >>> import seegrad as torch
    >>> torch.nn.InstanceNorm2d(3)(torch.ones(2, 3, 4, 4)).shape
    torch.Size([2, 3, 4, 4])
    """

    ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """As `InstanceNorm1d` for volumes (n, c, d, h, w) or (c, d, h, w).

    >>> import seegrad as torch
    >>> torch.nn.InstanceNorm3d(3)(torch.ones(2, 3, 2, 2, 2)).shape
    torch.Size([2, 3, 2, 2, 2])
    """

    ranks = (4, 5)
