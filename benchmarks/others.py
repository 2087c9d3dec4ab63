"""The same workloads on HIPS autograd and MyGrad, where their ways of working allow it."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from workloads import CHAIN

Step = Callable[[], Any]


def _network(sizes: list[int]) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    arrays: list[np.ndarray] = []
    for fan_in, fan_out in pairwise(sizes):
        weight = random.standard_normal((fan_in, fan_out)) / fan_in**0.5
        arrays += [weight.astype(np.float32), np.zeros(fan_out, np.float32)]
    return arrays


def _rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


def hips() -> dict[str, Callable[[], Step]]:
    """Steps of HIPS autograd by row."""
    import autograd.numpy as anp
    from autograd.scipy.special import logsumexp

    import autograd

    def chain() -> Step:
        x, w = np.ones(10, np.float32), np.ones(10, np.float32)

        def product(both: Any) -> Any:
            y, factor = both
            for _ in range(CHAIN):
                y = y * factor
            return anp.sum(y)

        gradient = autograd.grad(product)
        return lambda: gradient((x, w))

    def train(sizes: list[int], rows: int, activation: Any, loss_of: Any) -> Step:
        parameters, inputs = _network(sizes), _rows(rows, sizes[0])

        def loss(values: Any) -> Any:
            hidden = inputs
            for weight, bias in zip(values[:-2:2], values[1:-2:2], strict=True):
                hidden = activation(hidden @ weight + bias)
            return loss_of(hidden @ values[-2] + values[-1])

        gradient = autograd.grad(loss)

        def step() -> None:
            for parameter, grad in zip(parameters, gradient(parameters), strict=True):
                parameter -= 1e-3 * grad

        return step

    def small_network() -> Step:
        targets = _rows(16, 1)
        return train([2, 32, 32, 1], 16, anp.tanh, lambda out: anp.mean((out - targets) ** 2))

    def large_network() -> Step:
        labels = np.arange(64) % 10

        def loss(out: Any) -> Any:
            return anp.mean(logsumexp(out, axis=1) - out[np.arange(64), labels])

        return train([784, 256, 256, 10], 64, lambda h: anp.maximum(h, 0), loss)

    def double_backward() -> Step:
        gradient = autograd.grad(rosenbrock_sum)
        outer = autograd.grad(lambda x: anp.sum(gradient(x) ** 2))
        x = np.linspace(-1, 1, 20)
        return lambda: outer(x)

    def rosenbrock_sum(x: Any) -> Any:
        return anp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    def hessian() -> Step:
        function, x = autograd.hessian(rosenbrock_sum), np.linspace(-1, 1, 20)
        return lambda: function(x)

    return {"chain": chain, "small": small_network, "large": large_network,
            "double": double_backward, "hessian": hessian}  # fmt: skip


def mygrad() -> dict[str, Callable[[], Step]]:
    """Steps of MyGrad by row; it has no second derivatives."""
    import mygrad as mg
    from mygrad.nnet.activations import relu
    from mygrad.nnet.losses import softmax_crossentropy

    def chain() -> Step:
        x, w = (mg.tensor(np.ones(10, np.float32)) for _ in range(2))

        def step() -> None:
            y = x
            for _ in range(CHAIN):
                y = y * w
            y.sum().backward()
            x.null_grad()
            w.null_grad()

        return step

    def train(sizes: list[int], rows: int, activation: Any, loss_of: Any) -> Step:
        parameters = [mg.tensor(array) for array in _network(sizes)]
        inputs = _rows(rows, sizes[0])

        def step() -> None:
            hidden = inputs
            for weight, bias in zip(parameters[:-2:2], parameters[1:-2:2], strict=True):
                hidden = activation(hidden @ weight + bias)
            loss_of(hidden @ parameters[-2] + parameters[-1]).backward()
            for parameter in parameters:
                parameter.data -= 1e-3 * parameter.grad
                parameter.null_grad()

        return step

    def small_network() -> Step:
        targets = _rows(16, 1)
        return train([2, 32, 32, 1], 16, mg.tanh, lambda out: ((out - targets) ** 2).mean())

    def large_network() -> Step:
        labels = np.arange(64) % 10
        return train([784, 256, 256, 10], 64, relu, lambda out: softmax_crossentropy(out, labels))

    return {"chain": chain, "small": small_network, "large": large_network}
