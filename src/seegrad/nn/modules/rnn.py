"""Recurrent layers: `RNN`, `LSTM`, `GRU`, and the cells of their steps."""

import math
import numbers
import warnings
from collections.abc import Callable
from typing import Any

from seegrad.functions import gru, index_select, lstm, rnn_relu, rnn_tanh, zeros
from seegrad.graph.casts import CASTS
from seegrad.nn import init
from seegrad.nn.modules.module import Module
from seegrad.nn.modules.rnn_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from seegrad.nn.parameter import Parameter
from seegrad.nn.utils.rnn import PackedSequence
from seegrad.tensor.creation import empty
from seegrad.tensor.tensor import Tensor

__all__ = ["GRU", "LSTM", "RNN", "GRUCell", "LSTMCell", "RNNBase", "RNNCell", "RNNCellBase"]

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "LSTM": lstm,
    "GRU": gru,
    "RNN_TANH": rnn_tanh,
    "RNN_RELU": rnn_relu,
}


def apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    """Deprecated: `tensor.index_select(dim, permutation)`."""
    warnings.warn(
        "`apply_permutation` is deprecated, please use "
        "`tensor.index_select(dim, permutation)` instead",
        category=FutureWarning,
        stacklevel=2,
    )
    return _permuted(tensor, permutation, dim)


def _permuted(tensor: Tensor, permutation: Tensor | None, dim: int = 1) -> Tensor:
    return tensor if permutation is None else index_select(tensor, dim, permutation)


class RNNBase(Module):
    """What `RNN`, `LSTM` and `GRU` have in common: parameters, options, checks.

    `mode` is "LSTM", "GRU", "RNN_TANH" or "RNN_RELU". Raises ValueError for options that do not
    make sense, TypeError for sizes that are no whole numbers.

    >>> import seegrad as torch
    >>> list(dict(torch.nn.RNNBase("GRU", 2, 3).named_parameters()))
    ['weight_ih_l0', 'weight_hh_l0', 'bias_ih_l0', 'bias_hh_l0']
    """

    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_options(dropout)
        if mode not in GATES:
            raise ValueError(f"Unrecognized RNN mode: {mode}")
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[: self._directions]:
                self._add_layer(layer, suffix, {"device": device, "dtype": dtype})
        self.reset_parameters()

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def _shown_size(self) -> int:
        """The size of what a step shows: of the state, unless it is projected."""
        return self.proj_size or self.hidden_size

    def _check_options(self, dropout: Any) -> None:
        number = isinstance(dropout, numbers.Number) and not isinstance(dropout, bool)
        if not number or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an "
                "element being zeroed"
            )
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero "
                f"dropout expects num_layers greater than 1, but got dropout={dropout} and "
                f"num_layers={self.num_layers}",
                stacklevel=4,
            )
        for name in ("input_size", "hidden_size"):
            size = getattr(self, name)
            if not isinstance(size, int):
                raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
        for name in ("input_size", "hidden_size", "num_layers"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.proj_size < 0:
            raise ValueError(
                "proj_size should be a positive integer or zero to disable projections"
            )
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    def _add_layer(self, layer: int, suffix: str, options: dict[str, Any]) -> None:
        """Register the parameters of one layer in one direction."""
        rows, shown = GATES[self.mode] * self.hidden_size, self._shown_size
        inputs = self.input_size if layer == 0 else shown * self._directions
        shapes: dict[str, tuple[int, ...]] = {
            "weight_ih": (rows, inputs),
            "weight_hh": (rows, shown),
        }
        if self.bias:
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
        if self.proj_size:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        names = {f"{name}_l{layer}{suffix}": shape for name, shape in shapes.items()}
        for name, shape in names.items():
            setattr(self, name, Parameter(empty(shape, **options)))
        self._all_weights.append(list(names))

    @property
    def _flat_weights_names(self) -> list[str]:
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self) -> list[Any]:
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters, a list for each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def __getstate__(self) -> dict[str, Any]:
        """With the lists that PyTorch keeps: files of whole modules are read there too."""
        lists = {
            "_flat_weights_names": self._flat_weights_names,
            "_flat_weights": self._flat_weights,
        }
        return vars(self) | lists

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(
            {name: value for name, value in state.items() if not name.startswith("_flat_weight")}
        )

    def flatten_parameters(self) -> None:
        """Nothing: on a CPU weights lie as they are."""

    def reset_parameters(self) -> None:
        """Draw all parameters anew, uniform in +-1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """Raise for an input of a wrong type (ValueError) or size (RuntimeError)."""
        wanted = self._flat_weights[0].dtype
        if input.dtype != wanted and not CASTS.active:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({wanted}). "
                f"Convert input: input.to({wanted}), or convert model: model.to({input.dtype})"
            )
        rank = 3 if batch_sizes is None else 2
        if input.dim() != rank:
            raise RuntimeError(f"input must have {rank} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.size(-1)}"
            )

    def get_expected_hidden_size(
        self, input: Tensor, batch_sizes: Tensor | None
    ) -> tuple[int, int, int]:
        """(layers * directions, batch, size of what a step shows)."""
        batch = self._batch(input, batch_sizes)
        return (self.num_layers * self._directions, batch, self._shown_size)

    def _batch(self, input: Tensor, batch_sizes: Tensor | None) -> int:
        if batch_sizes is not None:
            return int(batch_sizes[0])
        return int(input.size(0 if self.batch_first else 1))

    def check_hidden_size(
        self,
        hx: Tensor,
        expected_hidden_size: tuple[int, int, int],
        msg: str = "Expected hidden size {}, got {}",
    ) -> None:
        """Raise RuntimeError for a state of another size."""
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        """Raise for an input or a state that does not fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """The state with sequences in another order."""
        return _permuted(hx, permutation)

    def extra_repr(self) -> str:
        """The sizes, and options that are not the usual ones."""
        text = f"{self.input_size}, {self.hidden_size}"
        shown = [
            ("proj_size", self.proj_size != 0),
            ("num_layers", self.num_layers != 1),
            ("bias", self.bias is not True),
            ("batch_first", self.batch_first is not False),
            ("dropout", self.dropout != 0),
            ("bidirectional", self.bidirectional is not False),
        ]
        return text + "".join(f", {name}={getattr(self, name)}" for name, show in shown if show)

    def _initial(self, input: Tensor, batch: int) -> Any:
        """States of zeros."""
        size = (self.num_layers * self._directions, batch, self._shown_size)
        return zeros(*size, dtype=input.dtype)

    def _states_with_batch(self, input: Tensor, hx: Any, batched: bool) -> Any:
        """The given states, checked for their rank and with a batch of one where there is none."""
        if hx is None:
            return None
        rank, word = (3, "batched") if batched else (2, "unbatched")
        if hx.dim() != rank:
            raise RuntimeError(
                f"For {word} {rank}-D input, hx should also be {rank}-D but got {hx.dim()}-D "
                "tensor"
            )
        return hx if batched else hx.unsqueeze(1)

    def _without_batch(self, hx: Any) -> Any:
        return hx.squeeze(1)

    def _ran(self, *args: Any) -> tuple[Tensor, Any]:
        """The output and the state at the end."""
        output, hidden = FUNCTIONS[self.mode](*args)
        return output, hidden

    _shape_word = ""  # an RNN says "1D tensor instead" where the others say "1D instead"

    def _forward(self, input: Any, hx: Any) -> Any:
        if isinstance(input, PackedSequence):
            return self._over_packed(input, hx)
        if input.dim() not in (2, 3):
            raise ValueError(
                f"{self._get_name()}: Expected input to be 2D or 3D, got {input.dim()}D"
                f"{self._shape_word} instead"
            )
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
        hx = self._states_with_batch(input, hx, batched)
        if hx is None:
            hx = self._initial(input, self._batch(input, None))
        self.check_forward_args(input, hx, None)
        output, hidden = self._ran(input, hx, *self._arguments(), self.batch_first)
        if batched:
            return output, hidden
        return output.squeeze(0 if self.batch_first else 1), self._without_batch(hidden)

    def _arguments(self) -> tuple[Any, ...]:
        """The parameters and options, as the functions want them."""
        options = (self.num_layers, self.dropout, self.training, self.bidirectional)
        return (self._flat_weights, self.bias, *options)

    def _over_packed(self, packed: PackedSequence, hx: Any) -> Any:
        input, batch_sizes, sorted_indices, unsorted_indices = packed
        if hx is None:
            hx = self._initial(input, int(batch_sizes[0]))
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        output, hidden = self._ran(input, batch_sizes, hx, *self._arguments())
        made = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        return made, self.permute_hidden(hidden, unsorted_indices)


class RNN(RNNBase):
    """Recurrent layers: `h = tanh(W_ih x + b_ih + W_hh h + b_hh)` at each step.

    Args: `input_size`, `hidden_size`, `num_layers`, `nonlinearity` ("tanh" or "relu"), `bias`,
    `batch_first`, `dropout` between layers, `bidirectional`. Shapes: input (t, b, n), with
    `batch_first` (b, t, n), without a batch (t, n), or a PackedSequence; the state `hx` (layers *
    directions, b, h). Returns the output (t, b, directions * h) and the state at the end.

    >>> import seegrad as torch
    >>> output, hidden = torch.nn.RNN(3, 4, num_layers=2)(torch.ones(5, 1, 3))
    >>> output.shape, hidden.shape
    (torch.Size([5, 1, 4]), torch.Size([2, 1, 4]))
    """

    _shape_word = " tensor"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse_projection(kwargs)
        if len(args) > 3:
            self.nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__(f"RNN_{self.nonlinearity.upper()}", *args, **kwargs)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The output, and the state at the end."""
        return self._forward(input, hx)


class GRU(RNNBase):
    """Layers of gated recurrent units; arguments and shapes as of `RNN`, without a nonlinearity.

    >>> import seegrad as torch
    >>> output, hidden = torch.nn.GRU(3, 4, bidirectional=True)(torch.ones(5, 1, 3))
    >>> output.shape, hidden.shape
    (torch.Size([5, 1, 8]), torch.Size([2, 1, 4]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The output, and the state at the end."""
        return self._forward(input, hx)


def _refuse_projection(kwargs: dict[str, Any]) -> None:
    if "proj_size" in kwargs:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class LSTM(RNNBase):
    """Layers of long short-term memory; arguments as of `RNN`, without a nonlinearity.

    `hx` is a pair: states (layers * directions, b, h) and cells of that shape; so is what stands
    at the end. With `proj_size` states are projected to that size before they are shown.

    >>> import seegrad as torch
    >>> output, (hidden, cell) = torch.nn.LSTM(3, 4, proj_size=2)(torch.ones(5, 1, 3))
    >>> output.shape, hidden.shape, cell.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]), torch.Size([1, 1, 4]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(
        self, input: Tensor, batch_sizes: Tensor | None
    ) -> tuple[int, int, int]:
        """(layers * directions, batch, size of a cell)."""
        batch = self._batch(input, batch_sizes)
        return (self.num_layers * self._directions, batch, self.hidden_size)

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        """Raise for an input, a state or a cell that does not fit."""
        self.check_input(input, batch_sizes)
        sizes = (
            self.get_expected_hidden_size(input, batch_sizes),
            self.get_expected_cell_size(input, batch_sizes),
        )
        for place, size in enumerate(sizes):
            text = f"Expected hidden[{place}] size {{}}, got {{}}"
            self.check_hidden_size(hidden[place], size, text)

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """States and cells with sequences in another order."""
        if permutation is None:
            return hx
        return _permuted(hx[0], permutation), _permuted(hx[1], permutation)

    def _initial(self, input: Tensor, batch: int) -> Any:
        size = (self.num_layers * self._directions, batch, self.hidden_size)
        return super()._initial(input, batch), zeros(*size, dtype=input.dtype)

    def _states_with_batch(self, input: Tensor, hx: Any, batched: bool) -> Any:
        if hx is None:
            return None
        rank, word = (3, "batched") if batched else (2, "unbatched")
        if hx[0].dim() != rank or hx[1].dim() != rank:
            raise RuntimeError(
                f"For {word} {rank}-D input, hx and cx should also be {rank}-D but got "
                f"({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
            )
        return hx if batched else (hx[0].unsqueeze(1), hx[1].unsqueeze(1))

    def _without_batch(self, hx: Any) -> Any:
        return hx[0].squeeze(1), hx[1].squeeze(1)

    def _ran(self, *args: Any) -> tuple[Tensor, Any]:
        output, hidden, cell = lstm(*args)
        return output, (hidden, cell)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The output, and the pair of states and cells at the end."""
        return self._forward(input, hx)
