"""Parametrisations that are known by name: orthogonal weights, their norms and their spectra."""

from enum import Enum, auto
from typing import Any

from seegrad.arrays.limits import finfo
from seegrad.autograd.grad_mode import no_grad
from seegrad.missing import missing as _missing
from seegrad.nn.modules.module import Module
from seegrad.nn.utils.norms import Spectrum, direction, outputs_of, scaled
from seegrad.nn.utils.parametrize import register_parametrization
from seegrad.ops.distances import normalize
from seegrad.ops.join import cat
from seegrad.ops.native import norm_except_dim
from seegrad.ops.solvers import linalg_solve
from seegrad.ops.spectra import geqrf, householder_product, matrix_exp
from seegrad.tensor.creation import eye, zeros_like
from seegrad.tensor.sampling import randn

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]

__getattr__ = _missing(__name__, __all__)


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


class _Orthogonal(Module):
    """Orthonormal columns, made of what is trained: X (n, k) with n >= k, or its transpose.

    matrix_exp      exp(A), of A = X - X^H with X below its diagonal, and zeros to the right
    cayley          (I - A/2)^-1 (I + A/2)
    householder     the product of k reflections, by the columns of X below the diagonal, and of
                    signs, which are the diagonal

    The first k columns are taken. With a `base`, an orthogonal matrix that is not trained, they
    are multiplied from its right side, and X begins where they are those of the identity.
    """

    def __init__(
        self, weight: Any, orthogonal_map: _OrthMaps, *, use_trivialization: bool = True
    ) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map is _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape[-2:]
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        wide = X.shape[-2] < X.shape[-1]
        made = self._columns(X.mT if wide else X)
        if hasattr(self, "base"):
            made = self.base @ made
        return made.mT if wide else made

    def _columns(self, X: Any) -> Any:
        n, k = X.shape[-2:]
        if self.orthogonal_map is _OrthMaps.householder:
            A = X.tril(-1)
            tau = 2.0 / (1.0 + (A * A).sum(-2))
            signs = X.diagonal(dim1=-2, dim2=-1).int()
            return householder_product(A, tau) * signs.unsqueeze(-2)
        A = X.tril()
        if n != k:
            A = cat([A, A.new_zeros(*A.shape[:-1], n - k)], dim=-1)
        A = A - A.mH
        if self.orthogonal_map is _OrthMaps.matrix_exp:
            made = matrix_exp(A)
        else:
            one = eye(n, dtype=A.dtype)
            made = linalg_solve(one.add(A, alpha=-0.5), one.add(A, alpha=0.5))
        return made if n == k else made[..., :k]

    def right_inverse(self, Q: Any) -> Any:
        if Q.shape[-2:] != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. "
                f"Got a tensor of shape {Q.shape}."
            )
        wide = Q.shape[-2] < Q.shape[-1]
        tall = Q.mT if wide else Q
        if hasattr(self, "base"):
            begun = self._begin_at(tall)
        elif self.orthogonal_map is _OrthMaps.householder:
            begun, tau = geqrf(tall)
            signs = begun.diagonal(dim1=-2, dim2=-1)
            # LAPACK leaves out a reflection, tau 0, where ours turns the sign.
            signs.sign_()
            signs[tau == 0] *= -1
        else:
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley "
                "parametrizations when use_trivialization=False."
            )
        return begun.mT if wide else begun

    def _begin_at(self, Q: Any) -> Any:
        """Makes `Q`, or the nearest there is to it, the base; gives the X of the identity."""
        n, k = Q.shape[-2:]
        if n != k:
            others = randn(*Q.shape[:-2], n, n - k, dtype=Q.dtype)
            self.base = _orthonormal(cat([Q, others], dim=-1))
        else:
            self.base = Q.clone() if _is_orthogonal(Q) else _orthonormal(Q)
        begun = zeros_like(Q)
        begun.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return begun


def _is_orthogonal(Q: Any) -> Any:
    n = Q.shape[-1]
    one = eye(n, dtype=Q.dtype)
    return (Q.mH @ Q).allclose(one, atol=10 * n * finfo(Q.dtype).eps)


def _orthonormal(A: Any) -> Any:
    """The columns of a matrix made orthonormal from left to right (Gram and Schmidt)."""
    reflectors, tau = geqrf(A)
    signs = reflectors.diagonal(dim1=-2, dim2=-1).sgn()
    return householder_product(reflectors, tau) * signs.unsqueeze(-2)


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """Keep a matrix, or a batch of them, orthogonal (complex: unitary); return the module.

    Args: `orthogonal_map`, how what is trained makes the matrix: `"matrix_exp"`, `"cayley"` or
    `"householder"`, by default the first for square and complex matrices, else the last;
    `use_trivialization`, whether the matrix is that times a fixed one, `base`, which takes the
    value that is assigned. Rows of wide matrices and columns of tall ones are orthonormal. Raises
    ValueError where there is no such tensor, and for vectors (Lezcano-Casado, 2019).

    >>> import seegrad as torch
    >>> layer = orthogonal(torch.nn.Linear(5, 3))
    >>> torch.allclose(layer.weight @ layer.weight.mT, torch.eye(3), atol=1e-6)
    True
    """
    weight: Any = getattr(module, name, None)
    if not hasattr(weight, "_array"):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    found = _OrthMaps.__members__.get(orthogonal_map)
    if found is None:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
            f"Got: {orthogonal_map}"
        )
    made = _Orthogonal(weight, found, use_trivialization=use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return scaled(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> Any:
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Train a weight's norm and its direction apart; return the module.

    Args: `dim`, the dimension whose slices have norms of their own; None for one norm. The norm is
    `parametrizations.weight.original0`, the direction `original1` (Salimans and Kingma, 2016).

    >>> import seegrad as torch
    >>> layer = weight_norm(torch.nn.Linear(3, 2))
    >>> layer.parametrizations.weight.original0.shape
    torch.Size([2, 1])
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def older(state: Any, prefix: str, *_: Any) -> None:
        """Takes the names that `torch.nn.utils.weight_norm` gives."""
        names = [(f"{prefix}{name}_g", "original0"), (f"{prefix}{name}_v", "original1")]
        if all(old in state for old, _ in names):
            for old, new in names:
                state[f"{prefix}parametrizations.{name}.{new}"] = state.pop(old)

    module._register_load_state_dict_pre_hook(older)
    return module


class _SpectralNorm(Module):
    _u: Any
    _v: Any

    def __init__(
        self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise IndexError(
                "Dimension out of range (expected to be in range of "
                f"[-{ndim}, {ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.n_power_iterations = n_power_iterations
        self.spectrum = Spectrum(dim if dim >= 0 else dim + ndim, eps)
        if ndim > 1:
            with no_grad():
                matrix = self.spectrum.matrix(weight)
                self.register_buffer("_u", direction(matrix, 0, eps))
                self.register_buffer("_v", direction(matrix, 1, eps))
                self._iterate(matrix, 15)

    def _iterate(self, matrix: Any, times: int) -> None:
        with no_grad():
            for _ in range(times):
                self._u.copy_(self.spectrum.left(matrix, self._v))
                self._v.copy_(self.spectrum.right(matrix, self._u))

    def forward(self, weight: Any) -> Any:
        if weight.ndim == 1:
            return normalize(weight, dim=0, eps=self.spectrum.eps)
        matrix = self.spectrum.matrix(weight)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        return weight / self.spectrum.largest(matrix, self._u.clone(), self._v.clone())

    def right_inverse(self, value: Any) -> Any:
        return value


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight by its largest singular value; return the module.

    Args: `n_power_iterations`, each time the weight is read in training; `dim`, the dimension that
    counts outputs, by default 0, and 1 for transposed convolutions. Raises ValueError where there
    is no such tensor (Miyato, Kataoka, Koyama, Yoshida, 2018).

    >>> import seegrad as torch
    >>> layer = spectral_norm(torch.nn.Linear(3, 4), n_power_iterations=1000)
    >>> round(torch.linalg.matrix_norm(layer.weight, 2).item(), 2)
    1.0
    """
    weight = getattr(module, name, None)
    if not hasattr(weight, "_array"):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = outputs_of(module)
    return register_parametrization(
        module, name, _SpectralNorm(weight, n_power_iterations, dim, eps)
    )
