"""`AdaptiveLogSoftmaxWithLoss`: a softmax over many classes, the rare ones in clusters."""

# mypy: disable-error-code="no-any-return"
# What layers return is Any to the type checker.

from collections.abc import Sequence
from typing import Any, NamedTuple

from seegrad.nn import functional as F
from seegrad.nn.modules.container import ModuleList, Sequential
from seegrad.nn.modules.linear import Linear
from seegrad.nn.modules.module import Module
from seegrad.ops import bucketize, where
from seegrad.tensor.creation import tensor
from seegrad.tensor.tensor import Tensor


class _ASMoutput(NamedTuple):
    output: Tensor
    loss: Tensor


_CUTOFFS = (
    "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, "
    "where each value is between 1 and n_classes-1"
)
_BATCH = "Input and target should have the same size in the batch dimension."


class AdaptiveLogSoftmaxWithLoss(Module):
    """The log-softmax of many classes, for which rare ones are looked at only where they occur.

    Classes below `cutoffs[0]`, the commonest, have a score of their own in `head`; each later
    cluster has one for all its classes, which share it out by a layer of its own in `tail`,
    through `div_value` times fewer features than the cluster before.

    Args: `in_features`, `n_classes`, `cutoffs`, `div_value`, `head_bias`. Called with features
    (n, in) and classes (n,), or (in,) and (), it returns `output`, the log-probabilities of the
    targets, and `loss`, minus their mean. Raises ValueError for cutoffs that do not increase,
    RuntimeError for shapes that do not fit and targets that are no classes.

    >>> import seegrad as torch
    >>> layer = torch.nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 5], div_value=2.0)
    >>> layer(torch.ones(3, 4), torch.tensor([0, 3, 9])).output.shape
    torch.Size([3])
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        _check_cutoffs(cutoffs, n_classes)
        options = {"device": device, "dtype": dtype}
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, **options)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(
                    Linear(in_features, hidden, bias=False, **options),
                    Linear(hidden, size, bias=False, **options),
                )
            )

    def reset_parameters(self) -> None:
        """Draw all layers anew."""
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        """Features (n, in) and classes (n,), or (in,) and (), to (log-probabilities, loss)."""
        _check_shapes(input_, target_)
        if target_.ndim == 0:
            output = self._of_targets(input_.unsqueeze(0), target_.unsqueeze(0)).squeeze(0)
        else:
            output = self._of_targets(input_, target_)
        return _ASMoutput(output, (-output).mean())

    def _of_targets(self, features: Tensor, target: Tensor) -> Tensor:
        """The log-probability of the target of each row: that of its cluster, plus its own."""
        self._check_targets(target)
        cluster = bucketize(target, tensor(self.cutoffs), right=True) - 1
        column = where(cluster < 0, target, self.shortlist_size + cluster)
        inside = features.new_zeros(target.shape)
        for i, layer in enumerate(self.tail):
            rows = (cluster == i).nonzero().flatten()
            if rows.numel():
                scores = F.log_softmax(layer(features[rows]), dim=1)
                own = scores.gather(1, (target[rows] - self.cutoffs[i]).unsqueeze(1))
                inside = inside.index_copy(0, rows, own.squeeze(1))
        head = F.log_softmax(self.head(features), dim=1)
        return inside + head.gather(1, column.unsqueeze(1)).squeeze(1)

    def _check_targets(self, target: Tensor) -> None:
        if bool(((target < 0) | (target >= self.n_classes)).any()):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )

    def _get_full_log_prob(self, input: Tensor, head_output: Tensor) -> Tensor:
        """All log-probabilities (n, n_classes), given the scores of the head."""
        out = input.new_empty((head_output.size(0), self.n_classes))
        head = F.log_softmax(head_output, dim=1)
        out[:, : self.shortlist_size] = head[:, : self.shortlist_size]
        for i, layer in enumerate(self.tail):
            scores = F.log_softmax(layer(input), dim=1)
            shared = head[:, self.shortlist_size + i].unsqueeze(1)
            out[:, self.cutoffs[i] : self.cutoffs[i + 1]] = scores + shared
        return out

    def log_prob(self, input: Tensor) -> Tensor:
        """The log-probabilities (n, n_classes) of all classes.

        >>> import seegrad as torch
        >>> layer = torch.nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 5], div_value=2.0)
        >>> torch.allclose(layer.log_prob(torch.ones(1, 4)).exp().sum(), torch.tensor(1.0))
        True
        """
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The most probable class (n,) of each row: `log_prob(input).argmax(1)`.

        >>> import seegrad as torch
        >>> layer = torch.nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 5], div_value=2.0)
        >>> layer.predict(torch.ones(3, 4)).shape
        torch.Size([3])
        """
        head_output = self.head(input)
        best = head_output.argmax(dim=1)
        rare = best >= self.shortlist_size
        if bool(rare.any()):  # only there does the tail decide
            full = self._get_full_log_prob(input[rare], head_output[rare])
            best[rare] = full.argmax(dim=1)
        return best


def _check_cutoffs(cutoffs: list[int], n_classes: int) -> None:
    if not cutoffs:
        raise ValueError("cutoffs should be a sequence of length larger than 0")
    increasing = cutoffs == sorted(set(cutoffs))
    whole = all(int(cutoff) == cutoff for cutoff in cutoffs)
    if not (increasing and whole and cutoffs[0] > 0 and cutoffs[-1] < n_classes):
        raise ValueError(_CUTOFFS)


def _check_shapes(features: Tensor, target: Tensor) -> None:
    found = f"but found inputs with size {features.size()}"
    if target.ndim == 1:
        if features.shape[0] != target.shape[0]:
            raise RuntimeError(_BATCH)
        if features.ndim != 2:
            raise RuntimeError(f"1D target tensor expects 2D input tensors, {found}")
    elif target.ndim == 0:
        if features.ndim != 1:
            raise RuntimeError(f"0D target tensor expects 1D input tensors, {found}")
    else:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
