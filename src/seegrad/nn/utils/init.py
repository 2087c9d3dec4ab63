"""`skip_init`: a module without its initial numbers."""

import inspect
from typing import Any

from seegrad.nn.modules.module import Module
from seegrad.random import fork_rng


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Any:
    """A module with any parameters; the stream of random numbers stays where it is.

    Raises RuntimeError for what is no module, or one without an argument `device`.

    >>> import seegrad as torch
    >>> torch.nn.utils.skip_init(torch.nn.Linear, 2, 3).weight.shape
    torch.Size([3, 2])
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    with fork_rng():
        return module_cls(*args, **kwargs)
