"""One step of a recurrent layer: what is made of an input and the state before."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.ops.activations import relu
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.join import chunked
from seegrad.ops.linalg import linear

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["gru_cell", "lstm_cell", "rnn_relu_cell", "rnn_tanh_cell"]

State = tuple[Any, ...]  # what a step hands to the next: (h,), or (h, c) of an LSTM
Step = Callable[[Any, State, "Weights"], State]


class Weights(NamedTuple):
    """What a step multiplies its state with, laid out as products need it."""

    hidden: Any  # (h, chunks * w)
    bias: Any  # (chunks * w,) or None
    projection: Any = None  # (w, h) or None

    def product(self, hidden: Any) -> Any:
        """`hidden`: (b, h). Returns (b, chunks * w)."""
        if self.bias is None:
            return op.mm(hidden, self.hidden)
        return op.addmm(self.bias, hidden, self.hidden)


def tanh_step(inputs: Any, state: State, weights: Weights) -> State:
    """`inputs`: (b, w), the input's part of what the next state is made of."""
    return (op.tanh(op.add(weights.product(state[0]), inputs)),)


def relu_step(inputs: Any, state: State, weights: Weights) -> State:
    """The same with relu."""
    return (relu(op.add(weights.product(state[0]), inputs)),)


def lstm_step(inputs: Any, state: State, weights: Weights) -> State:
    """`inputs`: (b, 4 * w), parts for what enters, what stays, what is new, what is shown."""
    hidden, cell = state
    gates = op.add(weights.product(hidden), inputs)
    enters, stays, new, shown = _parts(gates, 4)
    kept = op.mul(op.sigmoid(stays), cell)
    cell = op.add(kept, op.mul(op.sigmoid(enters), op.tanh(new)))
    hidden = op.mul(op.sigmoid(shown), op.tanh(cell))
    if weights.projection is not None:
        hidden = op.mm(hidden, weights.projection)
    return hidden, cell


def gru_step(inputs: Any, state: State, weights: Weights) -> State:
    """`inputs`: (b, 3 * w), parts for what is reset, what stays, what is new."""
    (hidden,) = state
    from_input = _parts(inputs, 3)
    from_hidden = _parts(weights.product(hidden), 3)
    reset = op.sigmoid(op.add(from_hidden[0], from_input[0]))
    stays = op.sigmoid(op.add(from_hidden[1], from_input[1]))
    new = op.tanh(op.add(from_input[2], op.mul(from_hidden[2], reset)))
    return (op.add(op.mul(op.sub(hidden, new), stays), new),)


def _parts(gates: Any, count: int) -> Any:
    return chunked(gates, count, 1, op.unsafe_split, op.unsafe_split_with_sizes)


def _stepped(
    step: Step, input: Any, state: State, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any, chunks: int
) -> State:
    """One step from the input itself."""
    _check(input, state, w_ih, w_hh, chunks)
    return step(linear(input, w_ih, b_ih), state, Weights(op.t(w_hh), b_hh))


def _check(input: Any, state: State, w_ih: Any, w_hh: Any, chunks: int) -> None:
    """PyTorch's errors for sizes that do not fit."""
    wrap_dim(1, input.ndim)
    (rows, features), size = input.shape, w_hh.shape[1]
    if features != w_ih.shape[1]:
        raise RuntimeError(
            f"input has inconsistent input_size: got {features} expected {w_ih.shape[1]}"
        )
    for place, one in enumerate(state):
        if one.shape[0] != rows:
            raise RuntimeError(
                f"Input batch size {rows} doesn't match hidden{place} batch size {one.shape[0]}"
            )
        wrap_dim(1, one.ndim)
        if one.shape[1] != size:
            raise RuntimeError(
                f"hidden{place} has inconsistent hidden_size: got {one.shape[1]}, expected {size}"
            )
    if chunks > 1 and w_ih.shape[0] != chunks * size:
        raise RuntimeError(
            f"weight_ih first dim must be {chunks} * hidden_size = {chunks * size}, but got "
            f"{w_ih.shape[0]}"
        )


@public
def rnn_tanh_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """Return `tanh(input @ w_ih.T + b_ih + hx @ w_hh.T + b_hh)`.

    `input`: (b, n). `hx`: (b, h). `w_ih`: (h, n). `w_hh`: (h, h). Biases: (h,). Returns (b, h).
    Raises RuntimeError where sizes do not fit.

    >>> import seegrad as torch
    >>> one, zero = torch.ones(1, 1), torch.zeros(1, 1)
    >>> torch.rnn_tanh_cell(one, zero, one, one)
    tensor([[0.7616]])
    """
    return _stepped(tanh_step, input, (hx,), w_ih, w_hh, b_ih, b_hh, 1)[0]


@public
def rnn_relu_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """Return `relu(input @ w_ih.T + b_ih + hx @ w_hh.T + b_hh)`, shapes as in `rnn_tanh_cell`.

    >>> import seegrad as torch
    >>> one = torch.ones(1, 1)
    >>> torch.rnn_relu_cell(one, one, one, one)
    tensor([[2.]])
    """
    return _stepped(relu_step, input, (hx,), w_ih, w_hh, b_ih, b_hh, 1)[0]


@public
def gru_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """Return the state after one step of a gated unit.

    `input`: (b, n). `hx`: (b, h). `w_ih`: (3 * h, n). `w_hh`: (3 * h, h). Biases: (3 * h,).
    Returns (b, h). Raises RuntimeError where sizes do not fit.

    >>> import seegrad as torch
    >>> torch.gru_cell(torch.ones(1, 1), torch.zeros(1, 1), torch.ones(3, 1), torch.ones(3, 1))
    tensor([[0.2048]])
    """
    return _stepped(gru_step, input, (hx,), w_ih, w_hh, b_ih, b_hh, 3)[0]


@public
def lstm_cell(
    input: Tensor,
    hx: Sequence[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return what is shown and the cell after one step of long short-term memory.

    `input`: (b, n). `hx`: two of (b, h). `w_ih`: (4 * h, n). `w_hh`: (4 * h, h). Biases: (4 * h,).
    Returns two of (b, h). Raises RuntimeError where sizes do not fit.

    >>> import seegrad as torch
    >>> zero, ones = torch.zeros(1, 1), torch.ones(4, 1)
    >>> torch.lstm_cell(torch.ones(1, 1), (zero, zero), ones, ones)
    (tensor([[0.3696]]), tensor([[0.5568]]))
    """
    if isinstance(hx, TensorBase):
        raise TypeError(
            "lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor"
        )
    if len(hx) != 2:
        raise RuntimeError("lstm_cell expects two hidden states")
    hidden, cell = _stepped(lstm_step, input, tuple(hx), w_ih, w_hh, b_ih, b_hh, 4)
    return hidden, cell
