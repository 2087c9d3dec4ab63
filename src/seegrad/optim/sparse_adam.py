"""`SparseAdam`: Adam for sparse gradients, which seegrad does not have."""

from collections.abc import Callable
from typing import Any

from seegrad.autograd.grad_mode import enable_grad
from seegrad.optim.checks import check_betas, check_single
from seegrad.optim.optimizer import Optimizer

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Adam for sparse gradients. Gradients are dense here, which `step` refuses as PyTorch does.

    >>> import seegrad as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> optimizer = torch.optim.SparseAdam([x])
    >>> x.sum().backward()
    >>> optimizer.step()
    Traceback (most recent call last):
    RuntimeError: SparseAdam does not support dense gradients, please consider Adam instead
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        check_single(lr)
        if not lr > 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps > 0.0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        places = [
            [i, j]
            for i, group in enumerate(self.param_groups)
            for j, param in enumerate(group["params"])
            if param.is_complex()
        ]
        if places:
            raise ValueError(
                f"Complex params at indices {places}: SparseAdam does not support complex "
                "parameters"
            )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Return the loss of `closure`, if given; refuse any gradient."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            for param in group["params"]:
                if param.grad is not None:
                    raise RuntimeError(
                        "SparseAdam does not support dense gradients, please consider Adam instead"
                    )
        return loss
