"""Where the first NaN or infinity was born."""

__all__: list[str] = []
