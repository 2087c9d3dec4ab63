"""`GradScaler`: losses are scaled up, so that small gradients do not vanish in half precision."""

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from seegrad.arrays.dtypes import float16
from seegrad.graph.tensor import TensorBase
from seegrad.ops.once import users_level

__all__ = ["GradScaler"]

_READY, _UNSCALED, _STEPPED = "ready", "unscaled", "stepped"


class GradScaler:
    """Scales losses, takes the scale out of gradients again, and finds the right scale.

    Where a gradient is infinite or NaN, `step` leaves the parameters alone, and `update` takes the
    scale times `backoff_factor`; after `growth_interval` good steps, times `growth_factor`. On
    "cuda", the default, it is off with a warning: there is none.

    >>> import seegrad as torch
    >>> scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    >>> x = torch.ones(1, requires_grad=True)
    >>> optimizer = torch.optim.SGD([x], lr=1.0)
    >>> scaler.scale((x * 3).sum()).backward()
    >>> x.grad
    tensor([24.])
    >>> scaler.step(optimizer)
    >>> scaler.update()
    >>> x
    tensor([-2.], requires_grad=True)
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda":
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                stacklevel=users_level(),
            )
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._scale: float | None = None  # until something is scaled
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0
        # By optimizer: how far it is, and whether its gradients are not finite.
        self._optimizers: dict[int, tuple[str, bool]] = {}

    def scale(self, outputs: Any) -> Any:
        """A tensor, or several in containers, times the scale.

        Raises ValueError for what is neither.
        """
        if not self._enabled:
            return outputs
        if self._scale is None:
            self._scale = float(self._init_scale)
        return self._scaled(outputs)

    def _scaled(self, value: Any) -> Any:
        if isinstance(value, TensorBase):
            return value * self._scale  # type: ignore[operator]
        if not isinstance(value, Iterable):
            raise ValueError("outputs must be a Tensor or an iterable of Tensors")
        parts = map(self._scaled, value)
        return type(value)(parts) if isinstance(value, (list, tuple)) else parts

    def unscale_(self, optimizer: Any) -> None:
        """Takes the scale out of the gradients of an optimizer, before they are clipped, say.

        Raises RuntimeError where that was done since the last `update`, ValueError for gradients
        in float16.
        """
        if not self._enabled:
            return
        self._check_scale("unscale_")
        stage, _ = self._optimizers.get(id(optimizer), (_READY, False))
        if stage == _UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if stage == _STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        self._optimizers[id(optimizer)] = _UNSCALED, self._unscaled(optimizer)

    def _unscaled(self, optimizer: Any) -> bool:
        """Divides the gradients; whether one of them is not finite."""
        grads = [p.grad for g in optimizer.param_groups for p in g["params"]]
        grads = [grad for grad in grads if grad is not None]
        if not grads:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        if any(grad.dtype is float16 for grad in grads):
            raise ValueError("Attempting to unscale FP16 gradients.")
        found = False
        inverse = 1.0 / self._check_scale("unscale_")
        for grad in grads:
            found = found or not bool(np.isfinite(grad._array).all())
            grad.detach().mul_(inverse)
        return found

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.step(...)` with the scale taken out; nothing where a gradient is not finite.

        Raises RuntimeError where it is called twice before an `update`, or with a closure.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_scale("step")
        stage, found = self._optimizers.get(id(optimizer), (_READY, False))
        if stage == _STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if stage == _READY:
            found = self._unscaled(optimizer)
        result = None if found else optimizer.step(*args, **kwargs)
        self._optimizers[id(optimizer)] = _STEPPED, found
        return result

    def update(self, new_scale: Any = None) -> None:
        """Finds the next scale, or sets it, a number or a tensor of one element."""
        if not self._enabled:
            return
        scale = self._check_scale("update")
        if new_scale is not None:
            self._scale = self._given(new_scale)
        elif not self._optimizers:
            raise AssertionError("No inf checks were recorded prior to update.")
        elif any(found for _, found in self._optimizers.values()):
            self._scale = scale * self._backoff_factor
            self._growth_tracker = 0
        else:
            self._growth_tracker += 1
            if self._growth_tracker == self._growth_interval:
                self._scale = scale * self._growth_factor
                self._growth_tracker = 0
        self._optimizers.clear()

    @staticmethod
    def _given(new_scale: Any) -> float:
        if isinstance(new_scale, (float, int)):
            return float(new_scale)
        if new_scale.numel() != 1 or new_scale.requires_grad:
            raise AssertionError(
                "new_scale should be a float or a 1-element torch.cuda.FloatTensor or "
                "torch.FloatTensor with requires_grad=False."
            )
        return float(new_scale.item())

    def _check_scale(self, name: str) -> float:
        if self._scale is None:
            raise AssertionError(
                f"Attempted {name} but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration."
            )
        return self._scale

    def get_scale(self) -> float:
        """The scale; 1.0 where scaling is off."""
        if not self._enabled:
            return 1.0
        return float(self._init_scale) if self._scale is None else self._scale

    def get_growth_factor(self) -> float:
        """What the scale is multiplied by after good steps."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Sets it."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What the scale is multiplied by after a step that was left out."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Sets it."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many good steps the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Sets it."""
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        """Whether anything is scaled."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """What a file keeps; empty where scaling is off."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._growth_tracker,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over a state; RuntimeError for an empty one."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled "
                "instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._growth_tracker = state_dict["_growth_tracker"]
