"""Mixed precision on the CPU: `autocast` with bfloat16, and `GradScaler`."""

from seegrad.amp.autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from seegrad.amp.grad_scaler import GradScaler
from seegrad.missing import missing as _missing

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

__getattr__ = _missing(__name__, __all__)
