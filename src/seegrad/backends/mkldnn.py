"""oneDNN: seegrad itself does not use it."""

__all__ = ["enabled", "is_available"]

enabled = True


def is_available() -> bool:
    """False."""
    return False
