"""Modules called with other parameters than their own.

A module is asked for its names and dictionaries only, so nothing of `seegrad.nn` is needed here.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from seegrad.ops import stack
from seegrad.tensor.tensor import Tensor

ABSENT: Any = object()


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call `module` with the given tensors in the place of its parameters and buffers.

    Args: `parameter_and_buffer_dicts`, tensors by their dotted names, one dictionary or several;
    `args`, a tuple or the one argument; `kwargs`; `tie_weights`, whether a tensor replaces its
    namesakes too, where a parameter has several names; `strict`, whether all names must be given,
    and no others. What `forward` assigns to a name stands in the dictionary afterwards. Raises
    ValueError for a name given twice, RuntimeError where `strict` finds fault.

    >>> import seegrad as torch
    >>> layer, w = torch.nn.Linear(2, 1, bias=False), torch.ones(1, 2, requires_grad=True)
    >>> torch.func.functional_call(layer, {"weight": w}, torch.tensor([1.0, 2.0]))
    tensor([3.], grad_fn=<SqueezeBackward4>)
    """
    given = _one_dictionary(parameter_and_buffer_dicts)
    with _replaced(module, given, tie_weights, strict):
        if args is None:
            args = ()
        elif not isinstance(args, tuple):
            args = (args,)
        return module(*args, **(kwargs or {}))


def _one_dictionary(given: Any) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    if not isinstance(given, Sequence):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(given)}"
        )
    if not all(isinstance(one, dict) for one in given):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    names = [name for one in given for name in one]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ValueError(
            f"{repeated} appeared in multiple dictionaries; behavior of functional call is "
            "ambiguous"
        )
    return {name: value for one in given for name, value in one.items()}


@contextmanager
def _replaced(module: Any, given: dict[str, Any], tied: bool, strict: bool) -> Iterator[None]:
    """The module with these tensors, its own again afterwards."""
    own = dict(module.named_parameters(remove_duplicate=False))
    own |= dict(module.named_buffers(remove_duplicate=False))
    wanted = _with_namesakes(own, given) if tied else dict(given)
    if strict:
        _check_names(module, own, wanted)
    saved: list[tuple[Any, str, str, Any]] = []
    try:
        for name, value in wanted.items():
            owner, last = _owner(module, name)
            saved.append((owner, last, name, _exchange(owner, last, value)))
        yield
    finally:
        for owner, last, name, value in reversed(saved):
            left = _exchange(owner, last, value)
            if name in given:
                given[name] = left


def _with_namesakes(own: Mapping[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The tensors for all names of what they replace."""
    names: dict[int, list[str]] = {}
    for name, value in own.items():
        names.setdefault(id(value), []).append(name)
    wanted = dict(given)
    for group in names.values():
        values = {id(given[name]): given[name] for name in group if name in given}
        if len(values) > 1:
            keys = sorted(name for name in group if name in given)
            raise ValueError(
                f"functional_call got multiple values for keys {keys}, which are tied. "
                "Consider using tie_weights=False"
            )
        for value in values.values():
            wanted |= dict.fromkeys(group, value)
    return wanted


def _check_names(module: Any, own: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    text = ""
    for word, names in (
        ("Unexpected", [name for name in wanted if name not in own]),
        ("Missing", [name for name in own if name not in wanted]),
    ):
        if names:
            text += f"\n\t{word} key(s): {', '.join(map(repr, names))}."
    if text:
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:{text}")


def _owner(module: Any, name: str) -> tuple[Any, str]:
    """The module inside that has the last part of a dotted name."""
    *path, last = name.split(".")
    for part in path:
        if not hasattr(module, part):
            raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
        module = getattr(module, part)
    if not last:
        raise KeyError('tensor name can\'t be empty string ""')
    return module, last


def _exchange(owner: Any, name: str, value: Any) -> Any:
    """Put a value where a name stands, and return what stood there."""
    if value is not None and value is not ABSENT and not isinstance(value, Tensor):
        raise TypeError(f"{value} is not an instance of torch.Tensor")
    for store in (owner._parameters, owner._buffers):
        if name in store:
            before, store[name] = store[name], value
            return before
    before = getattr(owner, name, ABSENT)
    if before is not None and before is not ABSENT and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
    if value is ABSENT:
        delattr(owner, name)
    else:
        setattr(owner, name, value)
    return before


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of several modules of one class, stacked by their names.

    The stacked parameters are leaves that require a gradient as theirs do. Raises RuntimeError for
    no models, and for models of different classes or modes.

    >>> import seegrad as torch
    >>> parameters, buffers = torch.func.stack_module_state([torch.nn.Linear(2, 3)] * 4)
    >>> parameters["weight"].shape
    torch.Size([4, 3, 2])
    """
    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({one.training for one in models}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if any(type(one) is not type(models[0]) for one in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return _stacked([dict(one.named_parameters()) for one in models]), _stacked(
        [dict(one.named_buffers()) for one in models]
    )


def _stacked(states: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in states[0]:
        each = [one[name] for one in states]
        if len({one.requires_grad for one in each}) > 1:
            raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
        found[name] = stack(each).detach().requires_grad_(each[0].requires_grad)
    return found


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Have the `BatchNorm` modules inside keep no running statistics, in place; returns `root`.

    In evaluation mode too they then normalise by the statistics of the batch at hand.

    >>> import seegrad as torch
    >>> network = torch.nn.Sequential(torch.nn.BatchNorm1d(2), torch.nn.ReLU())
    >>> list(torch.func.replace_all_batch_norm_modules_(network).buffers())
    []
    """
    for module in root.modules():
        if any(cls.__name__ == "_BatchNorm" for cls in type(module).__mro__):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
