"""The names of torch.testing."""

from seegrad.testing.comparison import assert_close

__all__ = ["assert_close"]
