"""Keeping gradients small: by their common norm, or element by element."""

import warnings
from collections.abc import Generator, Iterable

from seegrad.autograd.grad_mode import no_grad
from seegrad.ops import stack
from seegrad.ops.norms import vector_norm
from seegrad.tensor.creation import tensor as make_tensor
from seegrad.tensor.tensor import Tensor


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all `tensors` taken as one vector: a 0-d tensor.

    `foreach` is accepted and changes nothing. Raises RuntimeError for a norm that is no number, if
    asked to.

    >>> import seegrad as torch
    >>> torch.nn.utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
    tensor(5.)
    """
    chosen = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not chosen:
        return make_tensor(0.0)
    norms = stack([vector_norm(tensor, norm_type) for tensor in chosen])
    total = vector_norm(norms, norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
            "so it cannot be clipped. To disable this error and scale the gradients by the "
            "non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients, in place, so that their common norm is at most `max_norm`.

    Returns the norm before. `foreach` is accepted and changes nothing. Raises RuntimeError for a
    norm that is no number, if asked to.

    >>> import seegrad as torch
    >>> p = torch.nn.Parameter(torch.zeros(2)); p.grad = torch.tensor([3.0, 4.0])
    >>> torch.nn.utils.clip_grad_norm_([p], 1.0)
    tensor(5.)
    >>> p.grad
    tensor([0.6000, 0.8000])
    """
    chosen = _listed(parameters)
    if not chosen and isinstance(parameters, Generator):
        warnings.warn(
            "`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=2
        )
    with no_grad():
        total = get_total_norm(_grads(chosen), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(chosen, max_norm, total)
    return total


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale all gradients, in place, by `max_norm / total_norm` where that is below 1.

    The second half of `clip_grad_norm_`. `foreach` is accepted and changes nothing.

    >>> import seegrad as torch
    >>> p = torch.nn.Parameter(torch.zeros(2)); p.grad = torch.tensor([3.0, 4.0])
    >>> torch.nn.utils.clip_grads_with_norm_([p], 1.0, torch.tensor(10.0))
    >>> p.grad
    tensor([0.3000, 0.4000])
    """
    with no_grad():
        factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for grad in _grads(parameters):
            grad.mul_(factor)


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The name of before of `clip_grad_norm_`: warns, and does the same."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Cut off the elements of all gradients, in place, at +-`clip_value`.

    >>> import seegrad as torch
    >>> p = torch.nn.Parameter(torch.zeros(2)); p.grad = torch.tensor([3.0, -0.5])
    >>> torch.nn.utils.clip_grad_value_([p], 1.0)
    >>> p.grad
    tensor([ 1.0000, -0.5000])
    """
    bound = float(clip_value)
    with no_grad():
        for grad in _grads(parameters):
            grad.clamp_(min=-bound, max=bound)


def _grads(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    chosen = _listed(parameters)
    return [parameter.grad for parameter in chosen if parameter.grad is not None]


def _listed(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)
