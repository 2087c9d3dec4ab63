"""`torch.utils.flop_counter`: counting operations, which is not there yet."""

from seegrad.missing import later

__all__ = ["FlopCounterMode"]

FlopCounterMode = later(
    "torch.utils.flop_counter.FlopCounterMode", "torch.overrides.TorchFunctionMode, to count calls"
)
