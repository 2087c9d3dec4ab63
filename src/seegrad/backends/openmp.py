"""OpenMP: seegrad itself does not use it."""

__all__ = ["is_available"]


def is_available() -> bool:
    """False."""
    return False
