"""The names of torch.testing."""

from seegrad.testing.comparison import assert_close
from seegrad.testing.creation import make_tensor

__all__ = ["assert_close", "make_tensor"]
