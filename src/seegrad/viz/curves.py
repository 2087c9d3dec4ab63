"""Curves with matplotlib: gradient flow, losses, a function with its derivatives."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad import autograd
from seegrad.arrays.dtypes import float64
from seegrad.tensor.creation import linspace
from seegrad.tensor.tensor import Tensor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from seegrad.explain.flows.report import Flow

__all__ = ["plot_flow", "plot_function", "plot_losses"]


def new_figure(width: float, height: float, parts: int = 1) -> tuple["Figure", Any]:
    """A figure of its own, which no window shows and pyplot does not keep.

    Raises ModuleNotFoundError that says what to install where matplotlib is missing.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        error.add_note("curves need matplotlib: pip install 'seegrad[plot]'")
        raise
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(parts, 1, sharex=True, squeeze=False)[:, 0]


def saved(figure: "Figure", path: str | os.PathLike[str] | None) -> "Figure":
    """The figure, written to `path` where one is given."""
    if path is not None:
        figure.savefig(path)
    return figure


def plot_flow(report: "Flow", path: str | os.PathLike[str] | None = None) -> "Figure":
    """Draws norm and largest element of each parameter's gradient, on a logarithmic scale.

    Args: `report` what `explain.flow(model)` returns; `path` of a .png or .svg file. Returns the
    matplotlib Figure. Raises TypeError for anything else.

    >>> import seegrad as torch
    >>> from seegrad import explain, viz
    >>> model = torch.nn.Linear(2, 1)
    >>> model(torch.ones(1, 2)).sum().backward()
    >>> figure = viz.plot_flow(explain.flow(model))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['weight', 'bias']
    """
    from seegrad.explain.flows.report import Flow

    if not isinstance(report, Flow):
        kind = type(report).__name__
        raise TypeError(f"plot_flow needs what explain.flow returns, but got {kind}")
    rows = report.rows
    figure, (axes,) = new_figure(7, 1.2 + 0.32 * len(rows))
    places = np.arange(len(rows))
    for offset, name, color in ((-0.18, "norm", "#2f6fde"), (0.18, "max", "#d9480f")):
        values = [getattr(row, name) or 0.0 for row in rows]
        axes.barh(places + offset, values, 0.34, label=f"{name} of the gradient", color=color)
    axes.set_yticks(places, [row.name for row in rows])
    axes.invert_yaxis()
    if any(row.norm for row in rows):
        axes.set_xscale("log")
    axes.legend(loc="lower right", fontsize=8)
    axes.grid(axis="x", alpha=0.3)
    return saved(figure, path)


def plot_losses(
    losses: Sequence[Any] | Mapping[str, Sequence[Any]],
    path: str | os.PathLike[str] | None = None,
    log: bool = False,
) -> "Figure":
    """Draws one curve of losses, or several by name, against the step.

    Args: `losses` numbers or tensors of one element; `path` of a .png or .svg file; `log` for a
    logarithmic scale. Returns the matplotlib Figure. Raises ValueError for an empty curve.

    >>> from seegrad import viz
    >>> figure = viz.plot_losses({"train": [3.0, 2.0, 1.5], "test": [3.1, 2.4, 2.2]})
    >>> [line.get_label() for line in figure.axes[0].get_lines()]
    ['train', 'test']
    """
    curves = losses if isinstance(losses, Mapping) else {"loss": losses}
    figure, (axes,) = new_figure(7, 4)
    for name, curve in curves.items():
        if not isinstance(curve, Iterable):
            kind = type(curve).__name__
            raise TypeError(f"plot_losses needs a sequence of losses, but {name!r} is one {kind}")
        values = [one.item() if isinstance(one, Tensor) else float(one) for one in curve]
        if not values:
            raise ValueError(f"the curve {name!r} has no losses")
        axes.plot(np.arange(1, len(values) + 1), values, label=name)
    axes.set_xlabel("step")
    axes.set_ylabel("loss")
    if log:
        axes.set_yscale("log")
    if len(curves) > 1:
        axes.legend()
    axes.grid(alpha=0.3)
    return saved(figure, path)


def plot_function(
    fn: Callable[[Any], Any],
    low: float = -5.0,
    high: float = 5.0,
    path: str | os.PathLike[str] | None = None,
    points: int = 401,
) -> "Figure":
    """Draws an elementwise function of one variable with its first and second derivative.

    Args: `fn` from a float64 tensor of `points` numbers between `low` and `high` to one of the
    same shape; `path` of a .png or .svg file. Returns the matplotlib Figure. Raises ValueError
    where the shape changes; a derivative that the graph does not give is drawn as zero.

    >>> import seegrad as torch
    >>> from seegrad import viz
    >>> figure = viz.plot_function(torch.tanh)
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['f(x)', "f'(x)", "f''(x)"]
    """
    if not (isfinite(low) and isfinite(high)):
        raise ValueError(f"plot_function draws between two finite numbers, not {low} and {high}")
    x = linspace(low, high, points, dtype=float64).requires_grad_()
    values = fn(x)
    if not isinstance(values, Tensor):
        kind = type(values).__name__
        raise TypeError(
            f"plot_function needs a function from a tensor to a tensor, got {kind} out"
        )
    if values.shape != x.shape:
        raise ValueError(
            f"plot_function needs an elementwise function: {points} numbers in, got a tensor of "
            f"shape {list(values.shape)} out"
        )
    curves = [values]
    for _ in range(2):
        curves.append(derivative(curves[-1], x))
    figure, axes = new_figure(7, 7, parts=3)
    names = ("f(x)", "f'(x)", "f''(x)")
    for one, curve, name in zip(axes, curves, names, strict=True):
        one.plot(x.detach().numpy(), curve.detach().numpy())
        one.set_ylabel(name)
        one.grid(alpha=0.3)
    axes[-1].set_xlabel("x")
    return saved(figure, path)


def derivative(values: Any, x: Any) -> Any:
    """The derivative of each value by its own x, itself recorded; zeros where there is none."""
    if not values.requires_grad:
        return x.new_zeros(x.shape)
    (found,) = autograd.grad(
        values.sum(), x, create_graph=True, allow_unused=True, materialize_grads=True
    )
    return found
