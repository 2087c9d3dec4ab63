"""One step of a recurrent layer as a module: `RNNCell`, `LSTMCell`, `GRUCell`."""

import math
from typing import Any

from seegrad.functions import gru_cell, lstm_cell, rnn_relu_cell, rnn_tanh_cell, zeros
from seegrad.nn import init
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.tensor.creation import empty
from seegrad.tensor.tensor import Tensor


class RNNCellBase(Module):
    """What the cells have in common: weights and biases of `num_chunks` gates."""

    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: Tensor
    weight_hh: Tensor
    bias_ih: Tensor | None
    bias_hh: Tensor | None

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        options, rows = {"device": device, "dtype": dtype}, num_chunks * hidden_size
        self.weight_ih = Parameter(empty((rows, input_size), **options))
        self.weight_hh = Parameter(empty((rows, hidden_size), **options))
        for name in ("bias_ih", "bias_hh"):
            made = Parameter(empty(rows, **options)) if bias else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def extra_repr(self) -> str:
        """The sizes, and options that are not the usual ones."""
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        kind = self.__dict__.get("nonlinearity", "tanh")
        return text if kind == "tanh" else f"{text}, nonlinearity={kind}"

    def reset_parameters(self) -> None:
        """Draw all parameters anew, uniform in +-1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _weights(self) -> tuple[Any, ...]:
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def _check_rank(self, what: str, one: Any) -> None:
        if one.dim() not in (1, 2):
            raise ValueError(
                f"{self._get_name()}: Expected {what} to be 1D or 2D, got {one.dim()}D instead"
            )

    def _zeros(self, input: Tensor) -> Tensor:
        return zeros(input.size(0), self.hidden_size, dtype=input.dtype)

    def _one_state(self, input: Tensor, hx: Tensor | None) -> tuple[Tensor, Tensor, bool]:
        """The input and the state, both with a batch, and whether there was one."""
        self._check_rank("input", input)
        if hx is not None:
            self._check_rank("hidden", hx)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            return input, self._zeros(input), batched
        return input, hx if batched else hx.unsqueeze(0), batched


class RNNCell(RNNCellBase):
    """One step of an `RNN`.

    Args: `input_size`, `hidden_size`, `bias`, `nonlinearity` ("tanh" or "relu"). Shapes: input
    (b, n) or (n,), state and result (b, h) or (h,).

    >>> import seegrad as torch
    >>> torch.nn.RNNCell(3, 4)(torch.ones(2, 3)).shape
    torch.Size([2, 4])
    """

    nonlinearity: str

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks=1, device=device, dtype=dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next state."""
        input, hx, batched = self._one_state(input, hx)
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        cell = rnn_tanh_cell if self.nonlinearity == "tanh" else rnn_relu_cell
        made: Tensor = cell(input, hx, *self._weights())
        return made if batched else made.squeeze(0)


class GRUCell(RNNCellBase):
    """One step of a `GRU`; shapes as of `RNNCell`.

    >>> import seegrad as torch
    >>> torch.nn.GRUCell(3, 4)(torch.ones(2, 3)).shape
    torch.Size([2, 4])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks=3, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next state."""
        input, hx, batched = self._one_state(input, hx)
        made: Tensor = gru_cell(input, hx, *self._weights())
        return made if batched else made.squeeze(0)


class LSTMCell(RNNCellBase):
    """One step of an `LSTM`: takes and returns a pair, the state and the cell.

    >>> import seegrad as torch
    >>> hidden, cell = torch.nn.LSTMCell(3, 4)(torch.ones(2, 3))
    >>> hidden.shape, cell.shape
    (torch.Size([2, 4]), torch.Size([2, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks=4, device=device, dtype=dtype)

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        """The next state and the next cell."""
        self._check_rank("input", input)
        if hx is not None:
            for place, one in enumerate(hx):
                self._check_rank(f"hx[{place}]", one)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            first = self._zeros(input)
            hx = (first, first)
        elif not batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        hidden, cell = lstm_cell(input, hx, *self._weights())
        return (hidden, cell) if batched else (hidden.squeeze(0), cell.squeeze(0))
