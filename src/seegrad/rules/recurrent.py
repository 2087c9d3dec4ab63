"""The derivative of a layer of long short-term memory, back through all of its steps."""

from typing import Any

from seegrad.arrays.recurrent import mkldnn_rnn_layer_backward
from seegrad.rules.shape import reshaped
from seegrad.rules.spec import general

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it


def steps_of(
    xp: Xp,
    input: Value,
    weight0: Value,
    weight1: Value,
    weight2: Value | None,
    weight3: Value | None,
    hx_: Value,
    cx_: Value,
    reverse: bool,
) -> list[tuple[Value, ...]]:
    """For each step, first to last: state and cell before, the four gates, the cell after."""
    steps, batch, features = input.shape
    size = weight1.shape[1]
    rows = xp.mm(reshaped(xp, input, (steps * batch, features)), xp.t(weight0))
    if weight2 is not None:
        rows = rows + weight2 + weight3
    hidden, cell, found = hx_, cx_, []
    for step in range(steps)[:: -1 if reverse else 1]:
        own = xp.slice(rows, 0, step * batch, (step + 1) * batch, 1)
        gates = own + xp.mm(hidden, xp.t(weight1))
        enters, stays, new, shown = (
            (xp.tanh if place == 2 else xp.sigmoid)(
                xp.slice(gates, 1, place * size, (place + 1) * size, 1)
            )
            for place in range(4)
        )
        after = stays * cell + enters * new
        found.append((hidden, cell, enters, stays, new, shown, after))
        hidden, cell = shown * xp.tanh(after), after
    return found


def layer_back(
    xp: Xp,
    grads: tuple[Value | None, ...],
    input: Value,
    weight0: Value,
    weight1: Value,
    weight2: Value | None,
    weight3: Value | None,
    hx_: Value,
    cx_: Value,
    reverse: bool,
) -> tuple[Value, ...]:
    """The gradients of input, weights, bias, first state and first cell.

    From the last step to the first `hidden` and `cell` are the gradients of what a step hands on,
    `back` those of its gates before they were squashed: (b, 4 * h).
    """
    ran = steps_of(xp, input, weight0, weight1, weight2, weight3, hx_, cx_, reverse)
    count = len(ran)
    grad_out, hidden, cell = grads
    hidden = xp.zeros_like(hx_) if hidden is None else hidden
    cell = xp.zeros_like(cx_) if cell is None else cell
    backs: list[Value] = []
    for place in range(count)[::-1]:
        _, before, enters, stays, new, shown, after = ran[place]
        if grad_out is not None:
            step = count - 1 - place if reverse else place
            hidden = hidden + xp.select(grad_out, 0, step)
        squashed = xp.tanh(after)
        cell = cell + hidden * shown * (1 - squashed * squashed)
        parts = (
            cell * new * ((1 - enters) * enters),
            cell * before * ((1 - stays) * stays),
            cell * enters * (1 - new * new),
            hidden * squashed * ((1 - shown) * shown),
        )
        back = xp.cat(parts, 1)
        backs.append(back)
        cell = cell * stays
        hidden = xp.mm(back, weight1)
    in_order = backs if reverse else backs[::-1]  # as the steps stand in the input
    rows = xp.cat(in_order, 0)
    earlier = [one[0] for one in (ran[::-1] if reverse else ran)]
    steps, batch, features = input.shape
    return (
        reshaped(xp, xp.mm(rows, weight0), input.shape),
        xp.mm(xp.t(rows), reshaped(xp, input, (steps * batch, features))),
        xp.mm(xp.t(rows), xp.cat(earlier, 0)),
        xp.sum_dim(rows, (0,), False),
        hidden,
        cell,
    )


def of_operand(place: int) -> Any:
    """The formula of one operand."""

    def formula(
        xp: Xp,
        grads: tuple[Value | None, ...],
        input: Value,
        weight0: Value,
        weight1: Value,
        weight2: Value | None,
        weight3: Value | None,
        hx_: Value,
        cx_: Value,
        reverse: bool,
    ) -> Value:
        return layer_back(xp, grads, input, weight0, weight1, weight2, weight3, hx_, cx_, reverse)[
            place
        ]

    formula.__doc__ = layer_back.__doc__
    formula.__name__ = layer_back.__name__
    return formula


# PyTorch's name of what is one kernel on the CPU; its other parameters are constants here.
general(
    "mkldnn_rnn_layer(input, weight0, weight1, weight2=None, weight3=None, hx_=None, cx_=None, "
    "reverse=False)",
    outputs="result0 result1 result2 result3",
    gradients="result0 result1 result2",
    fused=True,
    fast=mkldnn_rnn_layer_backward,
    input=of_operand(0),
    weight0=of_operand(1),
    weight1=of_operand(2),
    weight2=of_operand(3),
    weight3=of_operand(3),
    hx_=of_operand(4),
    cx_=of_operand(5),
)
