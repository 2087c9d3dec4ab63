"""Functions of `torch` that are its kernels."""

from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample, function, numbers

X = numbers(2, 4, 3)
M = numbers(3, 4, seed=1)
WEIGHT = numbers(4, domain=(0.5, 1.5), seed=2)
BIAS = numbers(4, seed=3)
LENGTHS = np.array([1, 0, 2])


def kernel(name: str, operators: str, *samples: Sample, **options: Any) -> Entry:
    """A function of `torch`."""
    return Entry(f"torch.{name}", function(name), samples, operators, **{"half": False, **options})


def first(name: str, operators: str, *samples: Sample, **options: Any) -> Entry:
    """A function of which PyTorch differentiates the first result."""
    call = function(name)
    return Entry(
        f"torch.{name}",
        lambda torch, *args: call(torch, *args)[0],
        samples,
        operators,
        **{"half": False, **options},
    )


ENTRIES = [
    first("native_layer_norm", "native_layer_norm", Sample(X, (4, 3), None, None, 1e-5)),
    Entry(
        "torch.native_group_norm",  # PyTorch's refuses what is not contiguous
        lambda torch, x, *args: torch.native_group_norm(x.contiguous(), *args)[0],
        (Sample(X, WEIGHT, BIAS, 2, 4, 3, 2, 1e-5),),
        "native_group_norm",
        half=False,
    ),
    first(
        "native_batch_norm",
        "native_batch_norm",
        Sample(X, WEIGHT, BIAS, None, None, True, 0.1, 1e-5),
    ),
    kernel(
        "batch_norm",
        "native_batch_norm",
        Sample(X, WEIGHT, BIAS, None, None, True, 0.1, 1e-5, False),
    ),
    kernel(
        "instance_norm",
        "native_batch_norm view",
        Sample(X, WEIGHT, BIAS, None, None, True, 0.1, 1e-5, False),
    ),
    kernel(
        "convolution",
        "convolution",
        Sample(X, numbers(2, 4, 2), None, [1], [1], [1], False, [0], 1),
        Sample(X, numbers(4, 1, 2), numbers(2), [2], [0], [1], True, [1], 2),
    ),
    first("adaptive_max_pool1d", "adaptive_max_pool2d squeeze_dim", Sample(M, 2)),
    first("max_pool1d_with_indices", "max_pool2d_with_indices squeeze_dim", Sample(M, 2, 1)),
    kernel(
        "frobenius_norm",
        "norm_dim",
        Sample(M, (0, 1)),
        Sample(M, 1, True),
        Sample(M, []),
        complex=True,
    ),
    kernel("nuclear_norm", "linalg_svd sum_dim", Sample(M), Sample(X, (0, 2)), tolerance=10),
    kernel(
        "norm_except_dim", "linalg_vector_norm view", Sample(M), Sample(X, 1, 1), Sample(M, 2, 1)
    ),
    kernel(
        "affine_grid_generator",
        "affine_grid_generator",
        Sample(numbers(2, 2, 3), (2, 1, 3, 4), False),
        Sample(numbers(1, 3, 4), (1, 1, 2, 3, 2), True),
    ),
    Entry(
        "torch.conv_tbc",  # PyTorch's node is one of its own, and refuses what is not contiguous
        lambda torch, x, w, *args: torch.conv_tbc(x.contiguous(), w.contiguous(), *args) * 1,
        (Sample(X, numbers(1, 3, 2), numbers(2)), Sample(X, numbers(2, 3, 1), numbers(1), 1)),
        "convolution permute",
        half=False,
    ),
    Entry(
        "torch.ctc_loss",
        lambda torch, x, *args: torch.ctc_loss(x.log_softmax(-1), *args),
        (
            Sample(numbers(5, 2, 4), np.array([[1, 2], [3, 3]]), (5, 4), (2, 1)),
            Sample(numbers(5, 2, 4), np.array([[1, 2], [3, 3]]), (5, 4), (2, 1), 0, 2, True),
        ),
        "ctc_loss",
        second=False,
        half=False,
    ),
    Entry(  # PyTorch's node is one of its own, and has no second derivative
        "segment_reduce",
        lambda torch, x, *reduce: [
            torch.segment_reduce(x, one, lengths=torch.tensor(LENGTHS)) * 1 for one in reduce
        ],
        (Sample(M, "sum", "prod", "max", "min"),),
        "scatter_reduce",
        second=False,
        gradcheck=False,
        half=False,
    ),
]
