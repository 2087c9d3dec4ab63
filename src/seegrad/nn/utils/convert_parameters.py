"""Parameters as one vector, and back."""

from collections.abc import Iterable

from seegrad.ops import cat
from seegrad.tensor.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All elements of all `parameters` in one 1-d tensor, recorded.

    >>> import seegrad as torch
    >>> torch.nn.utils.parameters_to_vector(torch.nn.Linear(2, 3).parameters()).shape
    torch.Size([9])
    """
    return cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let the parts of `vec` be the data of `parameters`, sharing its memory.

    >>> import seegrad as torch
    >>> layer = torch.nn.Linear(1, 1)
    >>> torch.nn.utils.vector_to_parameters(torch.tensor([2.0, 3.0]), layer.parameters())
    >>> layer.bias
    Parameter containing:
    tensor([3.], requires_grad=True)
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end
