"""Whole modules in files, from PyTorch and to PyTorch, each at sample arguments."""

import io
import warnings
from operator import attrgetter
from typing import Any

import pytest

import seegrad
from seegrad.serialization._names import found, name_of
from tests.nn.showing import _MADE, _expressions

MORE = """
Conv1d(2, 4, 3) | Conv2d(2, 4, 3, padding="same", padding_mode="circular") | Conv3d(1, 1, 2)
ConvTranspose2d(2, 3, 2) | BatchNorm1d(3) | BatchNorm2d(3, affine=False) | LayerNorm(3)
GroupNorm(1, 2) | InstanceNorm1d(2, affine=True) | RMSNorm(3) | MaxPool2d(2) | AvgPool1d(2)
AdaptiveAvgPool2d(1) | LPPool1d(2, 2) | FractionalMaxPool2d(2, output_size=1) | EmbeddingBag(3, 2)
MultiheadAttention(4, 2) | PixelShuffle(2) | Upsample(scale_factor=2) | ZeroPad2d(1)
ReflectionPad1d(1) | Fold((2, 2), 1) | Unfold(1) | ChannelShuffle(1) | RReLU() | AlphaDropout()
LocalResponseNorm(2) | Sequential(Linear(2, 2), ReLU()) | ModuleDict({"a": ReLU()})
ParameterList([torch.ones(2)]) | ParameterDict({"a": torch.ones(1)}) | TripletMarginLoss()
GaussianNLLLoss() | CTCLoss() | MultiMarginLoss() | PoissonNLLLoss() | CosineEmbeddingLoss()
TripletMarginWithDistanceLoss() | RNN(2, 3) | LSTM(2, 3, 2, bidirectional=True) | GRU(2, 3)
RNNCell(2, 3) | LSTMCell(2, 3) | GRUCell(2, 3) | TransformerEncoderLayer(4, 2)
TransformerDecoderLayer(4, 2, activation="gelu") | Transformer(4, 2, 1, 1, 8)
TransformerEncoder(TransformerEncoderLayer(4, 2), 1)
"""
# They want a closure, matrices only, or other data.
NOT_HERE = {
    "LBFGS",
    "Muon",
    "SparseAdam",
    "Optimizer",
}
FLAT = {"_flat_weights", "_flat_weights_names", "_flat_weight_refs"}
SAMPLES = _expressions(_MADE) + _expressions(MORE)


def made(torch: Any, expression: str) -> Any:
    """A module of a library."""
    torch.manual_seed(0)
    return eval(expression, {**vars(torch.nn), "torch": torch})


def carried(value: Any, writer: Any, reader: Any) -> Any:
    """A value saved by one library and loaded by the other."""
    file = io.BytesIO()
    writer.save(value, file)
    file.seek(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", seegrad.serialization.UntrustedFileWarning)
        return reader.load(file, weights_only=False)


def seen(module: Any) -> Any:
    """What is told of a module: its text, attributes, numbers."""
    public = {name: value for name, value in vars(module).items() if name[0] != "_"}
    return {
        "repr": repr(module),
        "attributes": {name: getattr(one, "__name__", str(one)) for name, one in public.items()},
        # The lists of flat weights are made anew here whenever they are asked for.
        "private": sorted(vars(module).keys() - public.keys() - FLAT),
        "state": {name: value.tolist() for name, value in module.state_dict().items()},
    }


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_every_module_both_ways() -> None:
    torch = pytest.importorskip("torch")
    for expression in SAMPLES:
        theirs, ours = made(torch, expression), made(seegrad, expression)
        assert seen(carried(theirs, torch, seegrad)) == seen(ours) == seen(theirs), expression
        assert seen(carried(ours, seegrad, torch)) == seen(theirs), expression


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore:Seems like `optimizer.step")
def test_optimisers_hold_the_parameters_of_the_model() -> None:
    torch = pytest.importorskip("torch")
    kinds = {n for n in seegrad.optim.__all__ if isinstance(getattr(seegrad.optim, n), type)}
    for name in sorted(kinds - NOT_HERE):
        results = []
        for writer, reader in ((torch, torch), (torch, seegrad), (seegrad, torch)):
            net = made(writer, "Linear(2, 2)")
            optimiser = getattr(writer.optim, name)(net.parameters(), lr=0.1)
            net(writer.ones(1, 2)).sum().backward()
            optimiser.step()
            schedule = writer.optim.lr_scheduler.StepLR(optimiser, 1)
            net, optimiser, schedule = carried([net, optimiser, schedule], writer, reader)
            net(reader.ones(1, 2)).pow(2).sum().backward()
            optimiser.step()
            schedule.step()
            results.append([net.weight.tolist(), schedule.get_last_lr()])
        for weight, rate in results[1:]:
            assert weight == [pytest.approx(row, rel=1e-5) for row in results[0][0]], name
            assert rate == pytest.approx(results[0][1])


@pytest.mark.oracle
def test_files_name_classes_as_pytorch_does() -> None:
    """Every class and function of nn and optim: its name in files, and back."""
    torch = pytest.importorskip("torch")
    for path in ("nn", "optim", "optim.lr_scheduler", "nn.functional", "nn.init", "nn.parameter"):
        theirs, ours = (attrgetter(path)(lib) for lib in (torch, seegrad))
        for name in ours.__all__ if hasattr(ours, "__all__") else dir(ours):
            mine = getattr(ours, name)
            if not isinstance(mine, type) or not hasattr(theirs, name):
                continue
            if mine.__module__.partition(".")[0] != "seegrad":
                continue  # Python's own
            other = getattr(theirs, name)
            if other.__name__ != name:
                continue  # an old name of another
            module, qualified = name_of(mine)
            assert (module, qualified) == (other.__module__, other.__qualname__), name
            assert found(module, qualified) is mine


@pytest.mark.oracle
def test_functions_and_named_tuples() -> None:
    torch = pytest.importorskip("torch")
    for path in (
        "nn.functional.relu",
        "nn.functional.gelu",
        "nn.functional.dropout",
        "tanh",
        "sin",
    ):
        ours, theirs = (attrgetter(path)(library) for library in (seegrad, torch))
        assert carried(theirs, torch, seegrad) is ours
        back = carried(ours, seegrad, torch)
        assert torch.equal(back(torch.zeros(3)), theirs(torch.zeros(3)))
    for writer, reader in ((torch, seegrad), (seegrad, torch)):
        found_there = carried(writer.max(writer.ones(1, 2), 1), writer, reader)
        assert repr(found_there) == repr(reader.max(reader.ones(1, 2), 1))
        assert type(found_there) is reader.return_types.max
