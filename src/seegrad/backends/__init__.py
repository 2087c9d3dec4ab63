"""Switches of PyTorch's libraries: they can be set; those of opt_einsum do something here."""

import sys

from seegrad.backends import cuda, cudnn, mkl, mkldnn, mps, openmp
from seegrad.ops import opt_einsum

__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp", "opt_einsum"]

sys.modules[f"{__name__}.opt_einsum"] = opt_einsum  # for `import seegrad.backends.opt_einsum`
