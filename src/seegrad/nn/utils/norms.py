"""What the two ways to write weight and spectral normalisation share."""

from typing import Any, NamedTuple

from seegrad.nn.modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from seegrad.nn.modules.module import Module
from seegrad.ops.distances import normalize
from seegrad.ops.linalg import mv, vdot
from seegrad.ops.native import norm_except_dim


def scaled(direction: Any, norm: Any, dim: int) -> Any:
    """A weight of a direction and of norms along all dimensions but `dim`."""
    return direction * (norm / norm_except_dim(direction, 2, dim))


def direction(matrix: Any, dim: int, eps: float) -> Any:
    """A random vector of length 1, as long as a dimension of a matrix."""
    return normalize(matrix.new_empty(matrix.shape[dim]).normal_(0, 1), dim=0, eps=eps)


class Spectrum(NamedTuple):
    """How a weight is read as a matrix, and what its singular vectors come from."""

    dim: int  # counts the rows
    eps: float

    def matrix(self, weight: Any) -> Any:
        """The weight, shape (size of `dim`, all others)."""
        if self.dim:
            others = [place for place in range(weight.ndim) if place != self.dim]
            weight = weight.permute(self.dim, *others)
        return weight.flatten(1)

    def left(self, matrix: Any, v: Any) -> Any:
        """The left vector that belongs to a right one."""
        return normalize(mv(matrix, v), dim=0, eps=self.eps)

    def right(self, matrix: Any, u: Any) -> Any:
        """The right vector that belongs to a left one."""
        return normalize(mv(matrix.H, u), dim=0, eps=self.eps)

    def largest(self, matrix: Any, u: Any, v: Any) -> Any:
        """The largest singular value, of its two vectors."""
        return vdot(u, mv(matrix, v))


def outputs_of(module: Module) -> int:
    """The dimension of a module's weight that counts its outputs."""
    transposed = (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)
    return 1 if isinstance(module, transposed) else 0


def hook_of(module: Module, kind: type, name: str) -> tuple[int, Any] | None:
    """The key and the hook of a kind that computes the tensor `name` before each forward pass."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, kind) and hook.name == name:  # type: ignore[attr-defined]
            return key, hook
    return None
