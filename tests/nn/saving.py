"""`state_dict` and `load_state_dict`."""

from collections import OrderedDict
from typing import Any

from tests.observe import attempt, rounded


def _model(torch: Any) -> Any:
    nn = torch.nn
    return nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))


class _Parts:
    """Not a snippet: keeps the helpers of the snippets below together."""

    @staticmethod
    def module(torch: Any) -> Any:
        module = torch.nn.Module()
        module.scale = torch.nn.Parameter(torch.zeros(()))
        module.register_buffer("mean", torch.zeros(2))
        module.register_buffer("loose", torch.zeros(2), persistent=False)
        module.register_buffer("nothing", None)
        module.register_parameter("empty", None)
        return module


def saved(torch: Any) -> Any:
    model = _model(torch)
    state = model.state_dict()
    weight = state["0.weight"]
    shares = weight._is_view() or weight.data_ptr() == model[0].weight.data_ptr()
    kept = model.state_dict(prefix="a.", keep_vars=True)
    return [type(state).__name__, list(state), dict(state._metadata), shares,
            weight.requires_grad, list(kept), type(kept["a.0.bias"]).__name__,
            list(_Parts.module(torch).state_dict())]  # fmt: skip


def saved_into(torch: Any) -> Any:
    model = _model(torch)
    given: dict[str, Any] = {}
    returned = model.state_dict(destination=given)
    old = model.state_dict({}, "x", True)
    return [returned is given, list(given), list(old)]


def loaded(torch: Any) -> Any:
    model, other = _model(torch), _model(torch)
    weight = model[0].weight
    result = model.load_state_dict(other.state_dict())
    return [repr(result), type(result).__name__, torch.equal(weight, other[0].weight),
            weight is model[0].weight, rounded(weight) == rounded(other[0].weight),
            repr(model.load_state_dict(dict(other.state_dict())))]  # fmt: skip


def misfits(torch: Any) -> Any:
    model = _model(torch)
    state = model.state_dict()
    keys = OrderedDict(state)
    del keys["0.weight"], keys["2.bias"]
    keys["other"], keys["0.x.y"] = 1, torch.zeros(2)
    sizes = OrderedDict(state)
    sizes["0.weight"], sizes["2.bias"] = torch.zeros(5, 5), "text"
    both = OrderedDict(sizes)
    both["z"] = 1
    del both["0.bias"]
    tries = [(keys, True), (keys, False), (sizes, True), (sizes, False), (both, True),
             (3, True), ([], True)]  # fmt: skip
    return [attempt(lambda t=case: model.load_state_dict(t[0], strict=t[1])) for case in tries]


def misfits_of_buffers(torch: Any) -> Any:
    module = _Parts.module(torch)
    two, one = torch.ones(2), torch.ones(())
    states = [{"scale": torch.ones(1), "mean": two}, {"scale": torch.ones(1, 1), "mean": two},
              {"scale": one, "mean": two, "nothing": torch.ones(3)},
              {"scale": one, "mean": two, "loose": two}, {"scale": one}]  # fmt: skip
    return [attempt(lambda s=state: module.load_state_dict(s)) for state in states]


def loaded_casts(torch: Any) -> Any:
    model = _model(torch)
    state = OrderedDict(model.state_dict())
    state["0.weight"] = torch.ones(3, 2, dtype=torch.float64)
    model.load_state_dict(state)
    seen = [str(model[0].weight.dtype), rounded(model[0].weight)]
    model.load_state_dict(state, assign=True)
    assigned = model[0].weight
    return [*seen, str(assigned.dtype), assigned.requires_grad, type(assigned).__name__]


def extra_state(torch: Any) -> Any:
    class Counting(torch.nn.Module):  # type: ignore[misc,name-defined]
        def get_extra_state(self) -> Any:
            return {"count": 1}

        def set_extra_state(self, state: Any) -> None:
            print("set", state)

    module = Counting()
    return [dict(module.state_dict()), repr(module.load_state_dict(module.state_dict())),
            attempt(lambda: module.load_state_dict({})),
            attempt(lambda: torch.nn.ReLU().load_state_dict({"_extra_state": 3})),
            attempt(torch.nn.ReLU().get_extra_state),
            attempt(lambda: torch.nn.ReLU().set_extra_state(3))]  # fmt: skip


def hooks_around(torch: Any) -> Any:
    layer = torch.nn.Linear(2, 2)

    def told(name: str) -> Any:
        return lambda *args: print(name, [type(arg).__name__ for arg in args])

    handles = [layer.register_state_dict_post_hook(told("saved")),
               layer.register_state_dict_pre_hook(told("save")),
               layer.register_load_state_dict_pre_hook(told("load")),
               layer.register_load_state_dict_post_hook(told("loaded"))]  # fmt: skip
    layer.load_state_dict(layer.state_dict())
    for handle in handles:
        handle.remove()
    layer.load_state_dict(layer.state_dict())
