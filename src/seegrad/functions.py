"""The functions of the namespace `torch`: operators, creation, sampling, in-place functions."""

from seegrad import ops as _ops
from seegrad.graph.asked import register as _register
from seegrad.ops import *  # noqa: F403
from seegrad.ops import cells as _cells
from seegrad.ops import copies as _copies
from seegrad.ops import exponents as _exponents
from seegrad.ops import gradients as _gradients
from seegrad.ops import histograms as _histograms
from seegrad.ops import layers as _layers
from seegrad.ops import native as _native
from seegrad.ops import recurrent as _recurrent
from seegrad.ops import segments as _segments
from seegrad.ops import special_functions as _special
from seegrad.ops import spectrograms as _spectrograms
from seegrad.ops import statistics as _statistics
from seegrad.ops import undocumented as _undocumented
from seegrad.ops.cells import *  # noqa: F403
from seegrad.ops.copies import *  # noqa: F403
from seegrad.ops.exponents import *  # noqa: F403
from seegrad.ops.gradients import *  # noqa: F403
from seegrad.ops.histograms import *  # noqa: F403
from seegrad.ops.layers import *  # noqa: F403
from seegrad.ops.native import *  # noqa: F403
from seegrad.ops.recurrent import *  # noqa: F403
from seegrad.ops.segments import *  # noqa: F403
from seegrad.ops.special_functions import *  # noqa: F403
from seegrad.ops.spectrograms import *  # noqa: F403
from seegrad.ops.statistics import *  # noqa: F403
from seegrad.ops.undocumented import *  # noqa: F403
from seegrad.tensor import buffers as _buffers
from seegrad.tensor import creation as _creation
from seegrad.tensor import sampling as _sampling
from seegrad.tensor import twins as _twins
from seegrad.tensor import variates as _variates
from seegrad.tensor import windows as _windows
from seegrad.tensor.buffers import *  # noqa: F403
from seegrad.tensor.creation import *  # noqa: F403
from seegrad.tensor.sampling import *  # noqa: F403
from seegrad.tensor.twins import *  # noqa: F403
from seegrad.tensor.variates import *  # noqa: F403
from seegrad.tensor.windows import *  # noqa: F403

from_numpy = _creation.from_numpy_array
range = _creation.range_

# Functions of `ops` that stand in torch.nn.functional, torch.special or torch.linalg only.
_ELSEWHERE = frozenset(
    {"binary_cross_entropy", "cross_entropy", "elu", "expit", "gammaln", "gaussian_nll_loss"}
    | {"gelu", "glu", "hardsigmoid", "hardswish", "hardtanh", "huber_loss", "l1_loss"}
    | {"leaky_relu", "linear", "logsigmoid", "mish"}
    | {"mse_loss", "multi_margin_loss", "multilabel_margin_loss"}
    | {"multilabel_soft_margin_loss", "nll_loss", "normalize", "one_hot", "pad", "psi", "relu6"}
    | {"silu", "smooth_l1_loss", "soft_margin_loss", "softmin", "softplus", "softshrink"}
    | {"softsign", "tanhshrink", "triplet_margin_with_distance_loss"}
)
_NOT_FUNCTIONS = frozenset({"SamplingMethods", "from_numpy_array", "range_"})

__all__ = sorted(
    {
        *_ops.__all__,
        *_cells.__all__,
        *_copies.__all__,
        *_exponents.__all__,
        *_gradients.__all__,
        *_histograms.__all__,
        *_layers.__all__,
        *_native.__all__,
        *_recurrent.__all__,
        *_segments.__all__,
        *_special.__all__,
        *_spectrograms.__all__,
        *_statistics.__all__,
        *_undocumented.__all__,
        *_buffers.__all__,
        *_creation.__all__,
        *_sampling.__all__,
        *_twins.__all__,
        *_variates.__all__,
        *_windows.__all__,
    }
    - _ELSEWHERE
    - _NOT_FUNCTIONS
    | {"from_numpy", "range"}
)
_register("torch", globals(), __all__)
