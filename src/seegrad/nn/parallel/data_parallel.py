"""`DataParallel`: several devices at once, of which there is one."""

from collections.abc import Sequence
from typing import Any

from seegrad.nn.modules.module import Module

__all__ = ["DataParallel", "data_parallel"]


class DataParallel(Module):
    """Calls `module`, as PyTorch's does where there is no accelerator.

    Args: `module`; the devices, which are accepted, and `dim`. Its state has the keys of `module`
    with "module." before them.

    >>> import seegrad as torch
    >>> list(torch.nn.DataParallel(torch.nn.Linear(1, 1)).state_dict())
    ['module.weight', 'module.bias']
    """

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[Any] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What `module` returns."""
        return self.module(*inputs, **kwargs)


def data_parallel(
    module: Module,
    inputs: Any,
    device_ids: Sequence[Any] | None = None,
    output_device: Any = None,
    dim: int = 0,
    module_kwargs: Any = None,
) -> Any:
    """`module(*inputs, **module_kwargs)`; the devices are accepted.

    >>> import seegrad as torch
    >>> torch.nn.parallel.data_parallel(torch.nn.ReLU(), torch.ones(1))
    tensor([1.])
    """
    args = inputs if isinstance(inputs, tuple) else () if inputs is None else (inputs,)
    return module(*args, **(module_kwargs or {}))
