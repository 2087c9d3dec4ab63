"""Spectral normalisation by a hook before each forward pass; see `parametrizations` too."""

from typing import Any

from seegrad.autograd.grad_mode import no_grad
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.nn.utils.norms import Spectrum, direction, hook_of, outputs_of

__all__ = ["remove_spectral_norm", "spectral_norm"]


class SpectralNorm:
    """The hook: divides `weight_orig` by its largest singular value."""

    def __init__(self, name: str, n_power_iterations: int, spectrum: Spectrum) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.n_power_iterations = n_power_iterations
        self.spectrum = spectrum

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Any:
        """The weight now; the vectors are improved in place before."""
        weight = getattr(module, f"{self.name}_orig")
        u, v = getattr(module, f"{self.name}_u"), getattr(module, f"{self.name}_v")
        matrix = self.spectrum.matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(self.spectrum.right(matrix, u))
                    u.copy_(self.spectrum.left(matrix, v))
                u, v = u.clone(), v.clone()
        return weight / u.dot(matrix.mv(v))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight by its largest singular value before each pass; return the module.

    The trained parameter is `weight_orig`; its singular vectors are the buffers `weight_u` and
    `weight_v`. Raises RuntimeError for a second one on the same weight.
    """
    if hook_of(module, SpectralNorm, name) is not None:
        raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    if dim is None:
        dim = outputs_of(module)
    hook = SpectralNorm(name, n_power_iterations, Spectrum(dim, eps))
    weight: Any = module._parameters[name]
    with no_grad():
        matrix = hook.spectrum.matrix(weight)
        u, v = (direction(matrix, place, eps) for place in (0, 1))
    del module._parameters[name]
    module.register_parameter(f"{name}_orig", weight)
    # An attribute, so that what reads the weight before the first pass finds it.
    setattr(module, name, weight.data)
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make the weight a parameter again; return the module. Raises ValueError without a hook."""
    found = hook_of(module, SpectralNorm, name)
    if found is None:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    key, hook = found
    with no_grad():
        weight = hook.compute_weight(module, do_power_iteration=False)
    delattr(module, name)
    for ending in ("_u", "_v", "_orig"):
        delattr(module, name + ending)
    module.register_parameter(name, Parameter(weight.detach()))
    del module._forward_pre_hooks[key]
    return module
