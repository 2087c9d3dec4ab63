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
# The modules of PyTorch's whose classes stand elsewhere here.
_ELSEWHERE = {
    name: module
    for module, names in {
        "torch.nn.modules.activation": ["MultiheadAttention"],
        "torch.nn.modules.adaptive": ["AdaptiveLogSoftmaxWithLoss"],
        "torch.nn.modules.channelshuffle": ["ChannelShuffle"],
        "torch.nn.modules.container": ["ParameterDict", "ParameterList"],
        "torch.nn.modules.fold": ["Fold", "Unfold"],
        "torch.nn.modules.instancenorm": [
            *(f"{kind}InstanceNorm{dims}d" for kind in ("", "Lazy") for dims in (1, 2, 3))
        ],
        "torch.nn.modules.linear": ["LazyLinear", "NonDynamicallyQuantizableLinear"],
        "torch.nn.modules.linear_cross_entropy_options": ["LinearCrossEntropyOptions"],
        "torch.nn.modules.loss": [
            *("CosineEmbeddingLoss", "GaussianNLLLoss", "HingeEmbeddingLoss"),
            *("LinearCrossEntropyLoss", "MarginRankingLoss", "MultiLabelMarginLoss"),
            *("MultiLabelSoftMarginLoss", "MultiMarginLoss", "PoissonNLLLoss"),
            *("SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss"),
        ],
        "torch.nn.modules.pixelshuffle": ["PixelShuffle", "PixelUnshuffle"],
        "torch.nn.modules.rnn": [
            "GRU",
            "GRUCell",
            "LSTM",
            "LSTMCell",
            "RNN",
            "RNNCell",
            "RNNBase",
            "RNNCellBase",
        ],
        "torch.nn.modules.upsampling": [
            *("Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d")
        ],
    }.items()
    for name in names
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
            return f"torch.optim.{name.lower()}"
    if module.startswith("seegrad.nn.modules.") and name in _ELSEWHERE:
        return _ELSEWHERE[name]
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
