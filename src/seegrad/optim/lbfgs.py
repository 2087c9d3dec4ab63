"""`LBFGS`: steps along the gradient, bent by the curvature that the last steps met."""

from collections.abc import Callable
from typing import Any

from seegrad.autograd.grad_mode import enable_grad, no_grad
from seegrad.ops.complex import view_as_real
from seegrad.ops.join import cat
from seegrad.optim.checks import check_not_below, check_single
from seegrad.optim.line_search import Point, strong_wolfe
from seegrad.optim.optimizer import Optimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["LBFGS"]

Closure = Callable[[], Any]


class LBFGS(Optimizer):
    """A quasi-Newton method: up to `max_iter` steps a call, each by what `closure` finds.

    `closure` clears the gradients, computes the loss, runs its backward pass and returns it. The
    last `history_size` changes of the parameters and of the gradient stand for the curvature.
    `line_search_fn` is None, then each step has length `lr`, or "strong_wolfe", which starts from
    there. A call ends after `max_eval` evaluations (default `max_iter * 5 / 4`), where the
    largest element of the gradient is at most `tolerance_grad`, or where loss and parameters
    change by less than `tolerance_change`. There is one parameter group. Raises ValueError for
    several, and for options out of range.

    >>> import seegrad as torch
    >>> x = torch.tensor([-1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.LBFGS([x], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    ...     loss.backward()
    ...     return loss
    >>> for _ in range(3):
    ...     loss = optimizer.step(closure)
    >>> x.detach().round(decimals=2)
    tensor([1., 1.])
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_single(lr)
        check_not_below("learning rate", lr)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def step(self, closure: Closure) -> Any:  # type: ignore[override]
        """Take up to `max_iter` steps; returns the loss before the first of them."""
        with no_grad():
            return self._step(enable_grad()(closure))

    def _step(self, closure: Closure) -> Any:
        group, state = self.param_groups[0], self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss, grad = _number(first_loss), self._gather_flat_grad()
        state["func_evals"] += 1
        if not _is_level(grad, group):
            self._descend(closure, loss, grad)
        return first_loss

    def _descend(self, closure: Closure, loss: float, grad: Tensor) -> None:
        group, state = self.param_groups[0], self.state[self._params[0]]
        memory = _Memory(state, group["history_size"])
        count, evaluations = 0, 1
        while count < group["max_iter"]:
            count += 1
            state["n_iter"] += 1
            memory.turn(grad, is_first=state["n_iter"] == 1)
            memory.loss, loss_before = loss, loss
            step = group["lr"]
            if state["n_iter"] == 1:
                step = min(1.0, 1.0 / grad.abs().sum()) * group["lr"]
            memory.step = step
            slope = grad.dot(memory.direction)
            if slope > -group["tolerance_change"]:
                break
            is_last = count == group["max_iter"]
            start = Point(0, loss, grad, slope)
            if group["line_search_fn"] is None:
                point, tries = self._stride(closure, memory.direction, start, step, is_last)
            else:
                left = group["max_eval"] - evaluations
                point, tries = self._search(closure, memory.direction, start, step, left)
            memory.step, loss, grad = point.step, point.loss, point.grad
            evaluations += tries
            state["func_evals"] += tries
            change = (_largest(memory.direction) * memory.step).abs()
            if (
                is_last
                or evaluations >= group["max_eval"]
                or _is_level(grad, group)
                or change <= group["tolerance_change"]
                or abs(loss - loss_before) < group["tolerance_change"]
            ):
                break
        memory.save()

    def _stride(
        self, closure: Closure, direction: Tensor, start: Point, step: Any, is_last: bool
    ) -> tuple[Point, int]:
        """Take the step as it is; where that ends, and how many evaluations it took."""
        self._add_grad(step, direction)
        if is_last:  # nobody would use what the closure finds
            return start._replace(step=step), 0
        return Point(step, _number(closure()), self._gather_flat_grad(), None), 1

    def _search(
        self, closure: Closure, direction: Tensor, start: Point, step: Any, left: int
    ) -> tuple[Point, int]:
        """Look for a good step, with `left` evaluations besides the first."""
        if self.param_groups[0]["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        places = [param.clone() for param in self._params]

        def evaluate(step: Any) -> Point:
            self._add_grad(step, direction)
            loss, grad = _number(closure()), self._gather_flat_grad()
            for param, place in zip(self._params, places, strict=True):
                param.copy_(place)
            return Point(step, loss, grad, grad.dot(direction))

        point, tries = strong_wolfe(evaluate, start, step, _largest(direction), left)
        self._add_grad(point.step, direction)
        return point, tries

    def _numel(self) -> int:
        """The number of real numbers that all parameters hold."""
        return sum(2 * p.numel() if p.is_complex() else p.numel() for p in self._params)

    def _gather_flat_grad(self) -> Tensor:
        """The gradients of all parameters in a line of its own."""
        return cat([_line_of_grad(param) for param in self._params])

    def _add_grad(self, step: Any, direction: Tensor) -> None:
        """Move the parameters by a multiple of the direction."""
        offset = 0
        for param in self._params:
            numbers = view_as_real(param) if param.is_complex() else param
            end = offset + numbers.numel()
            numbers.add_(direction[offset:end].view_as(numbers), alpha=float(step))
            offset = end


def _line_of_grad(param: Tensor) -> Tensor:
    grad = param.grad
    if grad is None:
        grad = param.new_zeros(param.shape)
    line: Tensor = grad.reshape(-1)
    return view_as_real(line).reshape(-1) if line.is_complex() else line


def _number(loss: Any) -> float:
    return float(loss.detach() if isinstance(loss, Tensor) else loss)


def _is_level(grad: Tensor, group: dict[str, Any]) -> bool:
    """Whether every element of the gradient is small enough to stop."""
    return bool(_largest(grad) <= group["tolerance_grad"])


def _largest(line: Tensor) -> Tensor:
    """The largest absolute value, without an array of them."""
    low, high = line.aminmax()
    largest: Tensor = high.maximum(low.neg())
    return largest


class _Memory:
    """What is kept from step to step: the last direction, and the changes that gave it.

    `changes` are those of the gradient, `moves` those of the parameters, oldest first; `inverses`
    are 1 over their dot products, `scale` the size of the curvature before any of them.
    """

    def __init__(self, state: dict[str, Any], size: int) -> None:
        self.size = size
        self.state = state
        self.direction: Any = state.get("d")
        self.step: Any = state.get("t")
        self.changes: Any = state.get("old_dirs")
        self.moves: Any = state.get("old_stps")
        self.inverses: Any = state.get("ro")
        self.scale: Any = state.get("H_diag")
        self.grad: Any = state.get("prev_flat_grad")
        self.loss: Any = state.get("prev_loss")

    def save(self) -> None:
        """Put everything into the state, under PyTorch's names."""
        state = self.state
        state["d"] = self.direction
        state["t"] = self.step
        state["old_dirs"] = self.changes
        state["old_stps"] = self.moves
        state["ro"] = self.inverses
        state["H_diag"] = self.scale
        state["prev_flat_grad"] = self.grad
        state["prev_loss"] = self.loss

    def turn(self, grad: Tensor, is_first: bool) -> None:
        """Find the direction for a gradient."""
        if is_first:
            self.direction = grad.neg()
            self.changes, self.moves, self.inverses, self.scale = [], [], [], 1
        else:
            # In the memory of what is not needed any more; a search may end where it began.
            before = self.grad.clone() if self.grad is grad else self.grad
            self._learn(before.neg_().add_(grad), self.direction.mul_(self.step))
            self.direction = self._bend(grad.neg())
        self.grad = grad

    def _learn(self, change: Tensor, move: Tensor) -> None:
        """Remember a step, unless the loss curved down along it."""
        curvature = change.dot(move)
        if curvature <= 1e-10:
            return
        for kept, new in (
            (self.changes, change), (self.moves, move), (self.inverses, 1.0 / curvature)
        ):  # fmt: skip
            if len(kept) == self.size:
                kept.pop(0)
            kept.append(new)
        self.scale = curvature / change.dot(change)

    def _bend(self, direction: Tensor) -> Tensor:
        """Multiply by the inverse of the curvature: the two-loop recursion, in place."""
        shares = self.state.setdefault("al", [None] * self.size)
        places = range(len(self.changes))
        for i in reversed(places):
            shares[i] = self.moves[i].dot(direction) * self.inverses[i]
            direction.add_(self.changes[i], alpha=-float(shares[i]))
        direction.mul_(self.scale)
        for i in places:
            share = self.changes[i].dot(direction) * self.inverses[i]
            direction.add_(self.moves[i], alpha=float(shares[i] - share))
        return direction
