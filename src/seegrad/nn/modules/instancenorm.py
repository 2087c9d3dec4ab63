"""`InstanceNorm1d` to `InstanceNorm3d`."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn.modules.batchnorm import _LazyNormBase, _NormBase
from seegrad.ops.once import warn
from seegrad.tensor.tensor import Tensor


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
        options = (eps, momentum, affine, track_running_stats, device, dtype)
        super().__init__(num_features, *options, bias=bias)

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


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    """An `InstanceNorm1d` whose number of channels is that of its first input."""

    cls_to_become = InstanceNorm1d
    ranks = InstanceNorm1d.ranks


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    """An `InstanceNorm2d` whose number of channels is that of its first input."""

    cls_to_become = InstanceNorm2d
    ranks = InstanceNorm2d.ranks


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    """An `InstanceNorm3d` whose number of channels is that of its first input."""

    cls_to_become = InstanceNorm3d
    ranks = InstanceNorm3d.ranks
