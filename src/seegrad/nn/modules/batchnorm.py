"""`BatchNorm1d` to `BatchNorm3d`."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn import init
from seegrad.nn.modules.lazy import LazyModuleMixin
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import (
    Parameter,
    UninitializedBuffer,
    UninitializedParameter,
    is_lazy,
)
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
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
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


class _LazyNormBase(LazyModuleMixin, _NormBase):
    """A norm whose number of channels is that of its first input."""

    weight: Any
    bias: Any

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = tensor(0)

    def reset_parameters(self) -> None:
        """Forget all batches; weight 1, bias 0; once they have shapes."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """The shapes that follow from `input` (n, c, ...)."""
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            members: tuple[Any, ...] = (self.weight, self.bias)
            for member in (*members, self.running_mean, self.running_var):
                if is_lazy(member):
                    member.materialize((self.num_features,))
            self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm1d` whose number of channels is that of its first input.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyBatchNorm1d()
    >>> layer(torch.ones(2, 3)).shape, layer.num_features
    (torch.Size([2, 3]), 3)
    """

    cls_to_become = BatchNorm1d
    ranks = BatchNorm1d.ranks


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm2d` whose number of channels is that of its first input."""

    cls_to_become = BatchNorm2d
    ranks = BatchNorm2d.ranks


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm3d` whose number of channels is that of its first input."""

    cls_to_become = BatchNorm3d
    ranks = BatchNorm3d.ranks


class SyncBatchNorm(_BatchNorm):
    """Batch norm over the batches of several processes; here there is one, and it is that one's.

    Args as `BatchNorm1d`'s, and `process_group`, which is kept. Shapes: input and output
    (n, c, ...). Raises ValueError for fewer dimensions.

    >>> import seegrad as torch
    >>> torch.nn.SyncBatchNorm(3)(torch.ones(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any | None = None,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        options = (eps, momentum, affine, track_running_stats, device, dtype)
        super().__init__(num_features, *options, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim < 2:
            raise ValueError(f"expected at least 2D input (got {input.ndim}D input)")
        if input.shape[1] == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    @classmethod
    def convert_sync_batchnorm(cls, module: Any, process_group: Any = None) -> Any:
        """`module` with a SyncBatchNorm, of the same parameters, for each batch norm in it.

        >>> import seegrad as torch
        >>> model = torch.nn.Sequential(torch.nn.BatchNorm1d(2))
        >>> type(torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)[0]).__name__
        'SyncBatchNorm'
        """
        made = module
        if isinstance(module, _BatchNorm):
            made = SyncBatchNorm(
                module.num_features, module.eps, module.momentum, module.affine,
                module.track_running_stats, process_group, bias=module.bias is not None,
            )  # fmt: skip
            made.training = module.training
            for name in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked"):
                setattr(made, name, getattr(module, name))
        for name, child in module.named_children():
            made.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return made
