"""Switches of PyTorch's libraries: they can be set, and change nothing here."""

from seegrad.backends import cuda, cudnn, mkl, mkldnn, mps, openmp

__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp"]
