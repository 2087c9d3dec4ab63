"""The kernel of a layer of long short-term memory over a padded batch, and its way back.

All inputs are multiplied at once; a step only multiplies states. The four gates lie one behind the
other, (4, t, b, h), so that what a step reads and writes is in one piece.
"""

from typing import Any

import numpy as np

Array = Any  # an ndarray


def mkldnn_rnn_layer(
    input: Array,
    weight0: Array,
    weight1: Array,
    weight2: Array | None = None,
    weight3: Array | None = None,
    hx_: Array = None,
    cx_: Array = None,
    reverse: bool = False,
) -> tuple[Array, Array, Array, Array]:
    """Outputs (t, b, h), last state and cell (b, h), and gates and cells of all steps.

    `input`: (t, b, n). `weight0`: (4 * h, n). `weight1`: (4 * h, h). `weight2` and `weight3`:
    biases (4 * h,) or None. `hx_` and `cx_`: (b, h). The last result is (5, t, b, h): what
    enters, what stays, what is new, what is shown, and the cell.
    """
    steps, batch, features = input.shape
    size = weight1.shape[1]
    made = np.empty((5, steps, batch, size), input.dtype)
    gates, cells = made[:4], made[4]
    rows = input.reshape(steps * batch, features)
    np.matmul(rows, _by_gate(weight0).mT, out=gates.reshape(4, len(rows), size))
    if weight2 is not None and weight3 is not None:
        gates += (weight2 + weight3).reshape(4, 1, 1, size)
    turned = np.ascontiguousarray(_by_gate(weight1).mT)
    out = np.empty((steps, batch, size), input.dtype)
    hidden, cell = hx_, cx_
    for step in _order(steps, reverse):
        gate = gates[:, step]
        gate += np.matmul(hidden, turned)
        _squash(gate[:2])
        _squash(gate[3])
        enters, stays, new, shown = gate
        np.tanh(new, out=new)
        now = cells[step]
        np.multiply(stays, cell, out=now)
        now += enters * new
        cell, hidden = now, out[step]
        np.tanh(cell, out=hidden)
        hidden *= shown
    return out, hidden.copy(), cell.copy(), made


def _by_gate(weight: Array) -> Array:
    """(4 * h, n) as (4, h, n)."""
    return weight.reshape(4, -1, weight.shape[1])


def _order(steps: int, reverse: bool) -> range:
    return range(steps - 1, -1, -1) if reverse else range(steps)


def _squash(gate: Array) -> None:
    """The sigmoid, in place."""
    np.negative(gate, out=gate)
    np.exp(gate, out=gate)
    gate += 1
    np.reciprocal(gate, out=gate)


def _before(first: Array, values: Array, order: range) -> Array:
    """What each step found: `first`, then what the step before it left, (t, b, h)."""
    found = np.empty_like(values)
    found[order[0]] = first
    if order.step > 0:
        found[1:] = values[:-1]
    else:
        found[:-1] = values[1:]
    return found


def mkldnn_rnn_layer_backward(
    grads: tuple[Array | None, ...],
    wanted: tuple[bool, ...],
    input: Array,
    weight0: Array,
    weight1: Array,
    hx_: Array,
    cx_: Array,
    reverse: bool,
    result0: Array,
    result3: Array,
) -> tuple[Array | None, ...]:
    """The gradients of input, both weights, both biases, the first state and the first cell."""
    steps, batch, size = result0.shape
    order = _order(steps, reverse)
    enters, stays, new, shown, cells = result3
    squashed = np.tanh(cells)
    # What the gradients of state and cell are multiplied with, for all steps at once.
    to_cell = shown * (1 - squashed * squashed)
    of_shown = squashed * ((1 - shown) * shown)
    of_others = np.empty((3, steps, batch, size), input.dtype)
    np.multiply(new, (1 - enters) * enters, out=of_others[0])
    np.multiply(_before(cx_, cells, order), (1 - stays) * stays, out=of_others[1])
    np.multiply(enters, 1 - new * new, out=of_others[2])
    back = np.empty((4, steps, batch, size), input.dtype)
    by_gate = _by_gate(weight1)
    grad_out, hidden, cell = grads
    hidden = np.zeros_like(hx_) if hidden is None else hidden
    cell = np.zeros_like(cx_) if cell is None else cell
    for step in order[::-1]:
        if grad_out is not None:
            hidden = hidden + grad_out[step]
        cell = cell + hidden * to_cell[step]
        np.multiply(of_others[:, step], cell, out=back[:3, step])
        np.multiply(of_shown[step], hidden, out=back[3, step])
        cell *= stays[step]
        first, second, third, fourth = np.matmul(back[:, step], by_gate)
        first += second
        third += fourth
        first += third
        hidden = first
    rows = back.reshape(4, steps * batch, size)
    return _of_operands(rows, wanted, input, weight0, hx_, order, result0, hidden, cell)


def _of_operands(
    back: Array,
    wanted: tuple[bool, ...],
    input: Array,
    weight0: Array,
    hx_: Array,
    order: range,
    result0: Array,
    hidden: Array,
    cell: Array,
) -> tuple[Array | None, ...]:
    """What the gradients of all gates, (4, t * b, h), make of the operands."""
    rows, size = back.shape[1:]
    inputs = input.reshape(rows, -1)
    to_input, to_weight0, to_weight1, to_weight2, to_weight3, to_hidden, to_cell = wanted
    bias = back.sum(1).reshape(-1) if to_weight2 or to_weight3 else None
    weight1 = None
    if to_weight1:
        earlier = _before(hx_, result0, order).reshape(rows, size)
        weight1 = np.matmul(back.mT, earlier).reshape(4 * size, size)
    return (
        np.matmul(back, _by_gate(weight0)).sum(0).reshape(input.shape) if to_input else None,
        np.matmul(back.mT, inputs).reshape(4 * size, -1) if to_weight0 else None,
        weight1,
        bias if to_weight2 else None,
        bias.copy() if to_weight3 and bias is not None else None,
        hidden if to_hidden else None,
        cell if to_cell else None,
    )
