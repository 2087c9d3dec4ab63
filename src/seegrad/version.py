"""Versions: of seegrad, and of the PyTorch whose behaviour it has."""

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "rocm", "seegrad", "xpu"]

seegrad = "0.1.0"
__version__ = f"2.13.0+seegrad.{seegrad}"
debug = False
git_version = ""
cuda: str | None = None
hip: str | None = None
rocm: str | None = None
xpu: str | None = None
