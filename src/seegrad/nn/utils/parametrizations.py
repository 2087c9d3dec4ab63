"""Parametrisations that are known by name: the norm of a weight, of its rows, and its spectrum."""

from typing import Any

from seegrad.autograd.grad_mode import no_grad
from seegrad.missing import missing as _missing
from seegrad.nn.modules.module import Module
from seegrad.nn.utils.norms import Spectrum, direction, outputs_of, scaled
from seegrad.nn.utils.parametrize import register_parametrization
from seegrad.ops.distances import normalize
from seegrad.ops.native import norm_except_dim

__all__ = ["spectral_norm", "weight_norm"]

__getattr__ = _missing(__name__, __all__)


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
