"""`ElementwiseOptimizer`: the one loop of the optimisers that step each element by itself."""

from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays.dtypes import float64, get_default_dtype
from seegrad.autograd.grad_mode import enable_grad
from seegrad.graph.tensor import wrap
from seegrad.graph.versions import bump
from seegrad.ops.complex import view_as_complex, view_as_real
from seegrad.optim.blocks import zeros_for
from seegrad.optim.kernels import raw, recorded
from seegrad.optim.optimizer import Group, Optimizer
from seegrad.tensor.tensor import Tensor

State = dict[str, Any]
Value = Callable[[Any], Any]

# Options that groups saved by older versions lack.
_LATER = {
    "maximize": False, "foreach": None, "fused": None, "capturable": False,
    "differentiable": False, "amsgrad": False, "decoupled_weight_decay": False,
    "nesterov": False, "centered": False, "momentum": 0,
}  # fmt: skip
_NO_DEVICE = (
    "If capturable=True, {} must be on supported devices: "
    "['cuda', 'xpu', 'hpu', 'privateuseone', 'xla']."
)
_NOT_FUSED = (
    "`fused=True` requires all the params to be floating point Tensors of supported devices: "
    "['mps', 'cuda', 'xpu', 'hpu', 'cpu', 'mtia', 'privateuseone'] but {} and cpu"
)


class ElementwiseOptimizer(Optimizer):
    """An optimiser whose step says what happens to one element; see Note [Two readings].

    Subclasses name the state that has the parameter's shape, and define `_numbers`, the numbers of
    a step, and `_update`.
    """

    # What must be on another device than the CPU for `capturable`.
    _captured = "params and state_steps"

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name in _LATER.keys() & self.defaults.keys():
                group.setdefault(name, _LATER[name])
        for kept in self.state.values():
            if not isinstance(kept.get("step", np), Tensor) and "step" in kept:
                kept["step"] = count_from(kept["step"])

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; returns the loss of `closure`, if given."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            step = self._step_recorded if group["differentiable"] else self._step_raw
            for param in group["params"]:
                if param.grad is not None:
                    if group.get("capturable") or group.get("fused"):
                        self._check_flags(group, param)
                    step(group, param, param.grad)
        return loss

    def _check_flags(self, group: Group, param: Tensor) -> None:
        if group.get("capturable"):
            raise AssertionError(_NO_DEVICE.format(self._captured))
        if not param.is_floating_point():
            raise RuntimeError(_NOT_FUSED.format(param.dtype))

    def _step_raw(self, group: Group, param: Tensor, grad: Tensor) -> None:
        state = self._state_of(group, param)
        numbers = self._numbers(group, state, _number)
        arrays = [grad._array, param._array]
        arrays += [state[name]._array for name in self._names(group)]
        update = self._update
        for rooms, blocks in self._scratch.blocks(arrays):
            update(raw, numbers, rooms, *blocks)
        bump(param)

    def _step_recorded(self, group: Group, param: Tensor, grad: Tensor) -> None:
        if group["foreach"]:
            raise AssertionError("_foreach ops don't support autograd")
        state, names = self._state_of(group, param), self._names(group)
        with enable_grad():
            numbers = self._numbers(group, state, lambda option: option)
            # What the step keeps for backward must not be the parameter that it overwrites.
            tensors = [grad, param.clone(), *[state[name] for name in names]]
            if param.is_complex():
                tensors = [view_as_real(tensor) for tensor in tensors]
            results = self._update(recorded, numbers, (None, None), *tensors)
            if param.is_complex():
                results = [view_as_complex(result) for result in results]
            param.copy_(results[0])
            state.update(zip(names, results[1:], strict=True))

    def _state_of(self, group: Group, param: Tensor) -> State:
        """The state of a parameter, made at its first step."""
        state: State = self.state[param]
        if not state:
            state["step"] = count_from(0)
        for name in self._names(group):
            if name not in state:
                state[name] = zeros_for(param)
        return state

    def _names(self, group: Group) -> tuple[str, ...]:
        """The names of the state tensors that `_update` takes."""
        raise NotImplementedError

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        """Count the step, and return the numbers that are the same for all elements.

        `value` makes a number of an option that may be a tensor (or leaves it one).
        """
        raise NotImplementedError

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        """The new values of the parameter and of the state, computed in two rooms."""
        raise NotImplementedError


def count_from(start: float) -> Tensor:
    """A count of steps, or another number of one parameter, as a tensor."""
    dtype = np.float64 if get_default_dtype() is float64 else np.float32
    return wrap(np.array(start, dtype))  # type: ignore[no-any-return]


def counted(state: State) -> float:
    """The number of this step; it is counted."""
    return float(count(state)._array)


def count(state: State) -> Tensor:
    """The same as a tensor, in whose precision PyTorch computes where steps are recorded."""
    step: Tensor = state["step"]
    step._array[...] += 1
    return step


def _number(option: Any) -> float:
    """An option as a number; it may be a tensor of one element."""
    if isinstance(option, Tensor):
        option = option.item()
    return float(option)
