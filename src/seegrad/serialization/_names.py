"""What files call classes and functions, and what these are here.

Files say `torch.nn.modules.linear Linear` for what is `seegrad.nn.modules.linear.Linear`.
"""

import importlib
import sys
from typing import Any

from seegrad.serialization._rebuilding import FUNCTIONS
from seegrad.tensor.sampling import Generator
from seegrad.tensor.tensor import Tensor

__all__ = ["found", "name_of"]

_NAMES = {id(function): path.rpartition(".")[::2] for path, function in FUNCTIONS.items()} | {
    id(Generator): ("torch._C", "Generator")
}
# Where PyTorch has the classes of nn, some of which stand in other modules here.
_MODULES = """
activation: CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid
    LogSoftmax Mish MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d
    Softmin Softplus Softshrink Softsign Tanh Tanhshrink Threshold
adaptive: AdaptiveLogSoftmaxWithLoss
batchnorm: BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d
    SyncBatchNorm
channelshuffle: ChannelShuffle
container: Container ModuleDict ModuleList ParameterDict ParameterList Sequential
conv: Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d
    LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d
distance: CosineSimilarity PairwiseDistance
dropout: AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout
flatten: Flatten Unflatten
fold: Fold Unfold
instancenorm: InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d
    LazyInstanceNorm3d
linear: Bilinear Identity LazyLinear Linear NonDynamicallyQuantizableLinear
linear_cross_entropy_options: LinearCrossEntropyOptions
loss: BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss
    HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MSELoss
    MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss
    NLLLoss2d PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss
    TripletMarginWithDistanceLoss
module: Module
normalization: CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm
padding: CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d
    ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d
    ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d
pixelshuffle: PixelShuffle PixelUnshuffle
pooling: AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d
    AdaptiveMaxPool2d AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d
    FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d
    MaxUnpool2d MaxUnpool3d
rnn: GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase
sparse: Embedding EmbeddingBag
transformer: Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder
    TransformerEncoderLayer
upsampling: Upsample UpsamplingBilinear2d UpsamplingNearest2d
"""


def _by_class(text: str) -> dict[str, str]:
    """The module of each class, from a text of modules and their classes."""
    places: dict[str, str] = {}
    for word in text.split():
        if word.endswith(":"):
            module = f"torch.nn.modules.{word[:-1]}"
        else:
            places[word] = module
    return places


_OF_NN = _by_class(_MODULES)
_OF_OPTIM = {
    "Adafactor": "torch.optim",
    "Muon": "torch.optim",
    "SparseAdam": "torch.optim.sparse_adam",
}
# Where a function of ours may be found under the name it has for users, the nearest first.
_HOMES = ("nn.functional", "nn.init", "linalg", "special", "fft")
# What PyTorch has in C: functions are attributes of the second and third.
_BUILT_IN = {
    "torch._C.Generator": Generator,
    "torch._C._VariableFunctionsClass": sys.modules["seegrad"],
    "torch._C.TensorBase": Tensor,
}


def name_of(thing: Any, name: str | None = None) -> tuple[str, str]:
    """The module and the name by which files speak of a class or function."""
    if id(thing) in _NAMES:
        return _NAMES[id(thing)]
    qualified = name or getattr(thing, "__qualname__", None) or thing.__name__
    module = getattr(thing, "__module__", None) or "__main__"
    if module.partition(".")[0] == "seegrad":
        place = class_module if isinstance(thing, type) else function_module
        module = place(thing, module, qualified)
    return module, qualified


def class_module(cls: type, module: str, name: str) -> str:
    """The module where PyTorch has this class."""
    if module.startswith("seegrad.optim."):
        if getattr(sys.modules.get("seegrad.optim.lr_scheduler"), name, None) is cls:
            return "torch.optim.lr_scheduler"
        if getattr(sys.modules.get("seegrad.optim"), name, None) is cls and name != "Optimizer":
            return _OF_OPTIM.get(name, f"torch.optim.{name.lower()}")
    if module.startswith("seegrad.nn.modules.") and name in _OF_NN:
        return _OF_NN[name]
    return "torch" + module.removeprefix("seegrad").replace(".ops.return_types", ".return_types")


def function_module(function: Any, module: str, name: str) -> str:
    """The module where users find a function of ours, and PyTorch has it."""
    for home in ("seegrad", *(f"seegrad.{one}" for one in _HOMES)):
        if getattr(sys.modules.get(home), name, None) is function:
            module = home
    return "torch" + module.removeprefix("seegrad")


def found(module: str, name: str) -> Any:
    """The class or function of ours that a file calls by a name of PyTorch's.

    Raises AttributeError where seegrad has none.
    """
    path = f"{module}.{name}"
    if path in FUNCTIONS:
        return FUNCTIONS[path]
    if path in _BUILT_IN:
        return _BUILT_IN[path]
    for home in homes(module):
        value = attribute(home, name)
        if value is not None:
            return value
    raise AttributeError(f"this file speaks of {path}, which seegrad does not have")


def homes(module: str) -> list[str]:
    """Where a thing of one of PyTorch's modules may be here: under its name, or in the faces."""
    faces = {
        "torch.nn.modules.": ["seegrad.nn", "seegrad.nn.modules.attention"],
        "torch.optim.": ["seegrad.optim.lr_scheduler", "seegrad.optim"],
        "torch.return_types": ["seegrad.ops.return_types"],
        "torch._C._nn": ["seegrad.nn.functional"],
    }
    public = [one for start, some in faces.items() if module.startswith(start) for one in some]
    return ["seegrad" + module.removeprefix("torch"), *public]


def attribute(module: str, path: str) -> Any:
    """An attribute of a module of ours, None where there is none."""
    try:
        value: Any = importlib.import_module(module)
        for part in path.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError):
        return None
    return value
