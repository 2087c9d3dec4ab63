"""The old names of mixed precision on a GPU: deprecated, and off, because there is none."""

import warnings
from typing import Any

from seegrad.amp import autocast_mode, grad_scaler
from seegrad.arrays.dtypes import dtype, float16
from seegrad.ops.once import users_level

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


def _deprecated(name: str) -> None:
    given = "args..., device_type='cuda'" if name.startswith("custom") else "'cuda', args..."
    warnings.warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}({given})` "
        "instead.",
        FutureWarning,
        stacklevel=users_level(),
    )


class autocast(autocast_mode.autocast):
    """`torch.amp.autocast("cuda")`: nothing is cast."""

    def __init__(
        self, enabled: bool = True, dtype: dtype = float16, cache_enabled: bool = True
    ) -> None:
        _deprecated("autocast")
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(grad_scaler.GradScaler):
    """`torch.amp.GradScaler("cuda")`: nothing is scaled."""

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        _deprecated("GradScaler")
        super().__init__(
            "cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )


def custom_fwd(fwd: Any = None, *, cast_inputs: Any = None) -> Any:
    """`torch.amp.custom_fwd(device_type="cuda")`, deprecated."""
    _deprecated("custom_fwd")
    return autocast_mode.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Any:
    """`torch.amp.custom_bwd(device_type="cuda")`, deprecated."""
    _deprecated("custom_bwd")
    return autocast_mode.custom_bwd(bwd, device_type="cuda")
