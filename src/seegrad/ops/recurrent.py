"""Recurrent layers over whole sequences, padded or packed.

The inputs of all steps are multiplied at once; a step then multiplies only the state. Where
PyTorch has one kernel for a layer, there is one here.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seegrad.operators.recording import recorded as op
from seegrad.operators.signatures import type_name
from seegrad.ops.cells import State, Step, Weights, gru_step, lstm_step, relu_step, tanh_step
from seegrad.ops.dims import wrap_dim
from seegrad.ops.dropout import dropout as drop
from seegrad.ops.linalg import linear
from seegrad.ops.views import narrow

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["gru", "lstm", "rnn_relu", "rnn_tanh"]


class Layer(NamedTuple):
    """The parameters of one layer in one direction."""

    w_ih: Any
    w_hh: Any
    b_ih: Any
    b_hh: Any
    w_hr: Any

    def by_step(self) -> Weights:
        """What each step needs of them."""
        projection = None if self.w_hr is None else op.t(self.w_hr)
        return Weights(op.t(self.w_hh), self.b_hh, projection)


class Options(NamedTuple):
    """How layers are put together."""

    has_biases: bool
    num_layers: int
    dropout: float
    train: bool
    bidirectional: bool


# Of the outputs of a layer, and the state at its end.
Ran = tuple[Any, State]


def _padded(input: Any, state: State, layer: Layer, step: Step, backwards: bool) -> Ran:
    """One layer in one direction. `input`: (t, b, n). Returns (t, b, h)."""
    order = -1 if backwards else 1
    inputs = op.unbind(linear(input, layer.w_ih, layer.b_ih), 0)
    weights, outputs = layer.by_step(), []
    for one in inputs[::order]:
        state = step(one, state, weights)
        outputs.append(state[0])
    return op.stack(outputs[::order], 0), state


def _has_kernel(input: Any, hx: Any, params: Any) -> bool:
    """Whether PyTorch computes these layers of long short-term memory with one kernel for each."""
    single = all(one._array.dtype == np.float32 for one in (input, *hx, *params))
    return single and input._array.size > 0 and hx[0].shape[-1] == hx[1].shape[-1]


def _at_once(input: Any, state: State, layer: Layer, step: Step, backwards: bool) -> Ran:
    """One layer of long short-term memory in one direction by that kernel."""
    size = layer.w_hh.shape[1]
    biases = (layer.b_ih, layer.b_hh)
    fits = (
        layer.w_ih.shape == (4 * size, input.shape[2])
        and layer.w_hh.shape == (4 * size, size)
        and all(one is None or one.shape == (4 * size,) for one in biases)
        and all(one.shape == (input.shape[1], size) for one in state)
    )
    if not fits:  # which says why
        return _padded(input, state, layer, step, backwards)
    output, hidden, cell, _ = op.mkldnn_rnn_layer(input, *layer[:4], *state, backwards)
    return output, (hidden, cell)


def _packed(sizes: list[int]) -> Callable[..., Ran]:
    """One layer over rows that belong to so many sequences at each step."""

    def run(input: Any, state: State, layer: Layer, step: Step, backwards: bool) -> Ran:
        weights = layer.by_step()
        inputs = linear(input, layer.w_ih, layer.b_ih)
        walk = _shrinking if not backwards else _growing
        outputs, state = walk(inputs, state, weights, step, sizes)
        return op.cat(outputs, 0), state

    return run


def _shrinking(
    inputs: Any, state: State, weights: Weights, step: Step, sizes: list[int]
) -> tuple[list[Any], State]:
    """From the first step on: sequences that have ended leave with their state."""
    outputs, ended, start, alive = [], [], 0, sizes[0]
    for size in sizes:
        if size < alive:
            ended.append(tuple(narrow(one, 0, size, alive - size) for one in state))
            state = tuple(narrow(one, 0, 0, size) for one in state)
        state = step(narrow(inputs, 0, start, size), state, weights)
        outputs.append(state[0])
        start, alive = start + size, size
    ended.append(state)
    return outputs, tuple(op.cat(list(parts), 0) for parts in zip(*ended[::-1], strict=True))


def _growing(
    inputs: Any, state: State, weights: Weights, step: Step, sizes: list[int]
) -> tuple[list[Any], State]:
    """From the last step back: sequences join at their own end."""
    outputs, end, alive, first = [], inputs.shape[0], sizes[-1], state
    state = tuple(narrow(one, 0, 0, alive) for one in first)
    for size in sizes[::-1]:
        if size > alive:
            joining = (narrow(one, 0, alive, size - alive) for one in first)
            state = tuple(op.cat(list(pair), 0) for pair in zip(state, joining, strict=True))
        state = step(narrow(inputs, 0, end - size, size), state, weights)
        outputs.append(state[0])
        end, alive = end - size, size
    return outputs[::-1], state


def _stacked(
    run: Callable[..., Ran], step: Step, input: Any, states: Any, layers: Any, options: Options
) -> tuple[Any, ...]:
    """Layer upon layer. Returns the outputs and the states at the end, each (layers, b, h)."""
    directions = 2 if options.bidirectional else 1
    needed = options.num_layers * directions
    if len(states) != needed:
        raise RuntimeError("Expected more hidden states in stacked_rnn")
    if len(layers) != needed:
        raise RuntimeError("Expected more weights in stacked_rnn")
    ends = []
    for depth in range(options.num_layers):
        outputs = []
        for direction in range(directions):
            place = depth * directions + direction
            output, end = run(input, states[place], layers[place], step, bool(direction))
            outputs.append(output)
            ends.append(end)
        input = op.cat(outputs, -1) if options.bidirectional else outputs[0]
        if options.dropout and options.train and depth < options.num_layers - 1:
            input = drop(input, options.dropout)
    return (input, *(op.stack(list(parts), 0) for parts in zip(*ends, strict=True)))


def _layers(params: Sequence[Any], has_biases: bool, projected: bool) -> list[Layer]:
    """The parameters in groups, one for each layer and direction."""
    group = (4 if has_biases else 2) + projected
    if len(params) % group:
        raise RuntimeError("got an incorrect number of RNN parameters")
    found = []
    for start in range(0, len(params), group):
        one = params[start : start + group]
        b_ih, b_hh = one[2:4] if has_biases else (None, None)
        found.append(Layer(one[0], one[1], b_ih, b_hh, one[-1] if projected else None))
    return found


def _over_padded(
    step: Step, input: Any, hx: Any, params: Any, options: Options, batch_first: bool
) -> Any:
    """A padded batch, (t, b, n) or with `batch_first` (b, t, n)."""
    if len(hx) == 2:
        wrap_dim(2, input.ndim)
    if batch_first:
        input = op.transpose(input, 0, 1)
    if not input.shape[0]:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    run = _padded
    if step is lstm_step and _has_kernel(input, hx, params):
        run = _at_once
        if not input._array.flags.c_contiguous:
            input = op.clone(input, "contiguous")
    output, *ends = _all_layers(run, step, input, hx, params, options)
    if batch_first:
        # PyTorch turns the result of all but an LSTM in place.
        output = (op.transpose if len(hx) == 2 else op.transpose_in_place)(output, 0, 1)
    return (output, *ends)


def _over_packed(
    step: Step, data: Any, batch_sizes: Any, hx: Any, params: Any, options: Options
) -> Any:
    """Packed sequences: rows (sum of `batch_sizes`, n)."""
    sizes = batch_sizes._array.tolist()
    if step is lstm_step and sizes[0] == sizes[-1] and _has_kernel(data, hx, params):
        padded = op.view(data, (len(sizes), sizes[0], data.shape[1]))
        output, *ends = _all_layers(_at_once, step, padded, hx, params, options)
        return (op.view(output, (data.shape[0], output.shape[2])), *ends)
    return _all_layers(_packed(sizes), step, data, hx, params, options)


def _all_layers(
    run: Any, step: Step, input: Any, hx: Any, params: Any, options: Options
) -> tuple[Any, ...]:
    projected = len(hx) == 2 and hx[0].shape[-1] != hx[1].shape[-1]
    layers = _layers(params, options.has_biases, projected)
    states = list(zip(*(op.unbind(one, 0) for one in hx), strict=True))
    return _stacked(run, step, input, states, layers, options)


PADDED = ("input", "hx", "params")
PACKED = ("data", "batch_sizes", "hx", "params")
REST = ("has_biases", "num_layers", "dropout", "train", "bidirectional")


def _called(name: str, step: Step, args: Any, kwargs: Any, pair: bool = False) -> Any:
    """The call in one of its two forms, told apart by where the list of parameters stands."""
    given = _bound((*PADDED, *REST, "batch_first"), args, kwargs)
    if given and _is_list(given[2]) and _is_list(given[1]) is pair:
        input, hx, params, *options, batch_first = given
        return _over_padded(
            step, input, _both(name, hx, pair), params, Options(*options), batch_first
        )
    given = _bound((*PACKED, *REST), args, kwargs)
    if given and _is_list(given[3]) and _is_list(given[2]) is pair:
        data, batch_sizes, hx, params, *options = given
        return _over_packed(
            step, data, batch_sizes, _both(name, hx, pair), params, Options(*options)
        )
    raise _unfit(name, (*args, *kwargs.values()), pair)


def _bound(names: tuple[str, ...], args: Any, kwargs: Any) -> list[Any]:
    """The arguments in the order of the names; nothing where they are not these."""
    if len(args) + len(kwargs) != len(names) or any(n not in kwargs for n in names[len(args) :]):
        return []
    return [*args, *(kwargs[name] for name in names[len(args) :])]


def _unfit(name: str, given: Any, pair: bool) -> TypeError:
    """PyTorch's error, without what it says of each argument."""
    hx = "tuple of Tensors hx" if pair else "Tensor hx"
    rest = (
        f"{hx}, tuple of Tensors params, bool has_biases, int num_layers, float dropout, "
        "bool train, bool bidirectional"
    )
    return TypeError(
        f"{name}() received an invalid combination of arguments - got "
        f"({', '.join(type_name(one) for one in given)}), but expected one of:\n"
        f" * (Tensor data, Tensor batch_sizes, {rest})\n"
        f" * (Tensor input, {rest}, bool batch_first)\n"
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _both(name: str, hx: Any, pair: bool) -> Any:
    """The initial states as a tuple."""
    if pair and len(hx) != 2:
        raise RuntimeError(f"{name} expects two hidden states")
    return hx if pair else (hx,)


def rnn_tanh(*args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
    """Return the outputs of recurrent layers with tanh, and their states at the end.

    `rnn_tanh(input, hx, params, has_biases, num_layers, dropout, train, bidirectional,
    batch_first)`, or for packed sequences `rnn_tanh(data, batch_sizes, hx, params, has_biases,
    num_layers, dropout, train, bidirectional)`. `input`: (t, b, n), with `batch_first` (b, t, n).
    `data`: (rows, n). `hx`: (layers, b, h), with `bidirectional` two for each layer. `params`:
    weights (h, n), (h, h) and biases (h,), (h,) of each layer. Raises RuntimeError where sizes do
    not fit.

    >>> import seegrad as torch
    >>> one = torch.ones(1, 1)
    >>> params = [one, one]
    >>> torch.rnn_tanh(torch.ones(2, 1, 1), torch.zeros(1, 1, 1), params, False, 1, 0.0, False,
    ...                False, False)[0].flatten()
    tensor([0.7616, 0.9427])
    """
    return _called("rnn_tanh", tanh_step, args, kwargs)


def rnn_relu(*args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
    """Return the outputs of recurrent layers with relu; arguments as of `rnn_tanh`.

    >>> import seegrad as torch
    >>> one = torch.ones(1, 1)
    >>> torch.rnn_relu(torch.ones(2, 1, 1), torch.zeros(1, 1, 1), [one, one], False, 1, 0.0, False,
    ...                False, False)[0].flatten()
    tensor([1., 2.])
    """
    return _called("rnn_relu", relu_step, args, kwargs)


def gru(*args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
    """Return the outputs of layers of gated units; arguments as of `rnn_tanh`.

    Weights and biases of the three gates stand below each other: (3 * h, n), (3 * h, h), (3 * h,).

    >>> import seegrad as torch
    >>> ones = torch.ones(3, 1)
    >>> torch.gru(torch.ones(1, 1, 1), torch.zeros(1, 1, 1), [ones, ones], False, 1, 0.0, False,
    ...           False, False)[0]
    tensor([[[0.2048]]])
    """
    return _called("gru", gru_step, args, kwargs)


def lstm(*args: Any, **kwargs: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Return the outputs of layers of long short-term memory, their last states, their last cells.

    Arguments as of `rnn_tanh`, but `hx` is two tensors, states and cells. Weights and biases of
    the four gates stand below each other: (4 * h, n), (4 * h, h), (4 * h,). Where a state is
    smaller than a cell, each layer has a projection (p, h) as its last parameter.

    >>> import seegrad as torch
    >>> ones, zero = torch.ones(4, 1), torch.zeros(1, 1, 1)
    >>> torch.lstm(torch.ones(1, 1, 1), (zero, zero), [ones, ones], False, 1, 0.0, False,
    ...            False, False)[0]
    tensor([[[0.3696]]])
    """
    return _called("lstm", lstm_step, args, kwargs, pair=True)
