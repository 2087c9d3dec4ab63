"""What programs ask about Intel's devices: there is none."""

from seegrad.missing import missing

__all__ = ["device_count", "is_available"]


def is_available() -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


__getattr__ = missing("seegrad.xpu", __all__)
