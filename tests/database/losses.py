"""Losses, distances, normalisation."""

from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample, function, numbers

X = numbers(3, 4)
Y = numbers(3, 4, seed=1)
Z = numbers(3, 4, seed=2)
UNIT = (0.1, 0.9)
P = numbers(3, 4, domain=UNIT)
Q = numbers(3, 4, domain=UNIT, seed=1)
WEIGHT = np.array([0.5, 2.0, 1.0, 0.25], np.float32)
MATRIX = np.abs(numbers(3, 4, seed=4)).astype(np.float32)
SIGN = np.where(numbers(3, 4, seed=3) > 0, 1, -1)
CLASSES = np.array([0, 3, 1])
IGNORED = np.array([0, -100, 1])
MAPS = numbers(2, 4, 3)
PLACES = np.array([[0, 1, 3], [2, -100, 1]])
ROW = np.array([1, -1, 1])


def each_reduction(*args: Any, **kwargs: Any) -> tuple[Sample, ...]:
    """The mean, the sum and all."""
    return tuple(Sample(*args, reduction=name, **kwargs) for name in ("mean", "sum", "none"))


def loss(name: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """A function of torch.nn.functional."""
    options = {"half_ulps": 2} | options
    return Entry(name, function(f"nn.functional.{name}"), samples, operators or name, **options)


def with_weight(torch: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """A loss with a weight of the type of the input, which requires no gradient."""
    *rest, weight = args
    weight = weight.to(rest[0].dtype).detach()
    return getattr(torch.nn.functional, name)(*rest, weight=weight, **kwargs)


def weighted(name: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """A loss with a weight."""

    def call(torch: Any, *args: Any, **kwargs: Any) -> Any:
        return with_weight(torch, name, *args, **kwargs)

    options = {"half_ulps": 4} | options
    return Entry(f"{name} with weights", call, samples, operators or name, **options)


def signed(name: str, *samples: Sample, operators: str, **options: Any) -> Entry:
    """A loss whose last tensor is of 1 and -1, in the type of the first."""

    def call(torch: Any, *args: Any, **kwargs: Any) -> Any:
        *rest, signs = args
        return getattr(torch.nn.functional, name)(*rest, signs.to(rest[0].dtype), **kwargs)

    options = {"half_ulps": 4} | options
    return Entry(name, call, samples, operators, **options)


REGRESSION = [
    loss("mse_loss", *each_reduction(X, Y), Sample(X, numbers(4))),
    weighted("mse_loss", *each_reduction(X, Y, MATRIX), operators="pow_scalar"),
    loss("l1_loss", *each_reduction(X, Y), operators="abs sub mean sum"),
    loss(
        "smooth_l1_loss",
        *each_reduction(X, Y, beta=0.7),
        Sample(X, Y),
        Sample(X, Y, beta=0.0),
    ),
    loss("huber_loss", *each_reduction(X, Y, delta=0.7), Sample(X, Y)),
    Entry(
        "kinks of smooth_l1_loss and huber_loss",
        lambda torch, x, y: (
            torch.nn.functional.smooth_l1_loss(x, y, reduction="none"),
            torch.nn.functional.huber_loss(x, y, reduction="none"),
        ),
        (Sample(np.array([1.0, -1.0, 0.0]), np.zeros(3)),),
        "smooth_l1_loss huber_loss",
        gradcheck=False,
    ),
]


CLASSIFICATION = [
    loss(
        "nll_loss",
        *each_reduction(X, CLASSES),
        Sample(X, IGNORED),
        Sample(X, CLASSES, ignore_index=3),
        Sample(X[0], np.array(2)),
        Sample(MAPS, PLACES),
        operators="nll_loss nll_loss2d nll_loss_backward",
    ),
    weighted(
        "nll_loss",
        *each_reduction(X, CLASSES, WEIGHT),
        Sample(X, IGNORED, WEIGHT),
        Sample(MAPS, PLACES, WEIGHT, reduction="sum"),
        operators="nll_loss nll_loss2d nll_loss_backward",
    ),
    Entry(
        "nll_loss of maps",  # PyTorch's backward refuses those that are not contiguous
        lambda torch, x, *args, **kwargs: torch.nn.functional.nll_loss(
            x.contiguous(), *args, **kwargs
        ),
        each_reduction(MAPS[..., None], PLACES[..., None]),
        "nll_loss2d nll_loss_backward",
        half_ulps=2,
    ),
    loss(
        "cross_entropy",
        *each_reduction(X, CLASSES),
        *each_reduction(X, CLASSES, label_smoothing=0.2),
        Sample(X, IGNORED, label_smoothing=0.2),
        Sample(X[0], np.array(1)),
        Sample(MAPS, PLACES),
        operators="log_softmax nll_loss nll_loss2d mul_scalar",
        half_ulps=8,
    ),
    Entry(
        "cross_entropy of probabilities",
        function("nn.functional.cross_entropy"),
        (
            *each_reduction(X, P),
            Sample(X, P, label_smoothing=0.2),
            Sample(X[0], P[0]),
            Sample(MAPS, np.abs(MAPS)),
        ),
        "log_softmax mul_scalar add_scalar div_scalar",
        half=False,
    ),
    weighted(
        "cross_entropy",
        Sample(X, IGNORED, WEIGHT, label_smoothing=0.2),
        Sample(X, CLASSES, WEIGHT),
        *each_reduction(X, P, WEIGHT),
        operators="log_softmax nll_loss mul_scalar",
        half=False,
    ),
    loss("binary_cross_entropy", *each_reduction(P, Q), half=False),
    weighted("binary_cross_entropy", *each_reduction(P, Q, WEIGHT), half=False),
    loss("binary_cross_entropy_with_logits", *each_reduction(X, Q), half_ulps=8),
    weighted("binary_cross_entropy_with_logits", *each_reduction(X, Q, WEIGHT), half_ulps=8),
    Entry(
        "binary_cross_entropy_with_logits with weights of positives",
        lambda torch, x, y, weight: torch.nn.functional.binary_cross_entropy_with_logits(
            x, y, pos_weight=weight.to(x.dtype)
        ),
        (Sample(X, Q, WEIGHT), Sample(X * 40, Q, WEIGHT)),
        "binary_cross_entropy_with_logits",
        half_ulps=8,
    ),
    loss(
        "kl_div",
        Sample(X, Q, reduction="batchmean"),
        *each_reduction(X, Q),
        Sample(X, Y, reduction="sum", log_target=True),
        operators="xlogy exp sub mul",
        half=False,
    ),
    signed("soft_margin_loss", *each_reduction(X, SIGN), operators="soft_margin_loss"),
    loss(
        "multi_margin_loss",
        *each_reduction(X, CLASSES, margin=0.9),
        Sample(X, CLASSES, p=2),
        Sample(X[0], np.array(2)),
        operators="multi_margin_loss",
        second=False,
        half=False,
    ),
    loss(
        "multilabel_margin_loss",
        *each_reduction(X, np.array([[0, 2, -1, 1], [3, -1, 0, 0], [-1, 0, 0, 0]])),
        Sample(X[0], np.array([1, 3, -1, 0])),
        operators="multilabel_margin_loss multilabel_margin_slopes",
        second=False,
        half=False,
    ),
    signed(
        "multilabel_soft_margin_loss",
        *each_reduction(X, np.array([[0, 1, 1, 0]] * 3)),
        operators="log_sigmoid",
    ),
]

MARGINS = [
    signed("hinge_embedding_loss", *each_reduction(X, SIGN), operators="clamp_min where"),
    signed(
        "margin_ranking_loss",
        *each_reduction(X[:, 0], Y[:, 0], ROW, margin=0.3),
        operators="clamp_min add_scalar",
    ),
    signed(
        "cosine_embedding_loss",
        *each_reduction(X, Y, ROW),
        Sample(X[0], Y[0], np.array(-1), margin=-0.9),
        operators="sub_scalar add_scalar",
        half_ulps=30,
    ),
    loss(
        "triplet_margin_loss",
        *each_reduction(X, Y, Z),
        Sample(X, Y, Z, swap=True, p=1.0),
        operators="norm_dim clamp_min",
        half=False,
    ),
    loss(
        "triplet_margin_with_distance_loss",
        Sample(X, Y, Z, swap=True, margin=3.0),
        operators="norm_dim",
        half=False,
    ),
    loss(
        "poisson_nll_loss",
        *each_reduction(X, P * 3),
        Sample(X, P * 3, full=True),
        Sample(P, P * 3, log_input=False),
        operators="exp log mul_scalar",
        half=False,
    ),
    loss(
        "gaussian_nll_loss",
        *each_reduction(X, Y, P),
        Sample(X, Y, P[:, 0], full=True),
        Sample(X, Y, P[:, :1]),
        operators="log div pow_scalar",
        half=False,
    ),
]


def spelling(torch: Any, scores: Any, *args: Any, **kwargs: Any) -> Any:
    """`ctc_loss` of probabilities, which its gradient takes for granted."""
    return torch.nn.functional.ctc_loss(scores.log_softmax(-1), *args, **kwargs)


SCORES = numbers(6, 2, 4)
SPELT = np.array([[1, 1, 3], [2, 3, 0]])
LENGTHS = (np.array([6, 5]), np.array([3, 2]))
PROJECTED = (numbers(3, 4), numbers(5, 4, seed=1))
AT_PLACES = (numbers(3, 4), numbers(5, 2, 4, seed=1))

SEQUENCES = [
    Entry(
        "ctc_loss",
        spelling,
        (
            *each_reduction(SCORES, SPELT, *LENGTHS),
            Sample(SCORES, np.array([1, 1, 3, 0]), (4, 5), (3, 1), blank=2, reduction="none"),
            Sample(SCORES, SPELT, (3, 5), (3, 0), zero_infinity=True),
            Sample(SCORES[:, 0], np.array([2]), (5,), (1,), reduction="none"),
            Sample(SCORES, SPELT[:, :0], (0, 5), (0, 0), reduction="sum"),
        ),
        operators="ctc_loss ctc_loss_backward",
        half=False,
        second=False,
    ),
    loss(
        "linear_cross_entropy",
        *each_reduction(*PROJECTED, CLASSES, linear_bias=numbers(5, seed=2)),
        Sample(PROJECTED[0][0], PROJECTED[1], np.array(2)),
        Sample(*PROJECTED, np.array([0, 1, 4]), ignore_index=1, label_smoothing=0.1),
        Sample(*AT_PLACES, np.array([[0, 1], [4, 4], [2, 0]]), linear_bias=numbers(5, 2)),
        operators="log_softmax nll_loss nll_loss2d",
        half=False,
    ),
]

DISTANCES = [
    loss(
        "pairwise_distance",
        Sample(X, Y),
        Sample(X, Y[0], keepdim=True),
        Sample(X, Y, 1.0),
        operators="norm_dim add_scalar",
        half=False,
    ),
    loss(
        "cosine_similarity",
        Sample(X, Y),
        Sample(X, Y[:1], 0),
        Sample(X[0], Y[0], -1),
        operators="linalg_vector_norm div",
        half=False,
    ),
    loss(
        "normalize",
        Sample(X),
        Sample(X, 1.0, 0),
        Sample(X[0], dim=0),
        operators="linalg_vector_norm clamp_min expand",
        half=False,
    ),
]

ENTRIES = [*REGRESSION, *CLASSIFICATION, *MARGINS, *SEQUENCES, *DISTANCES]
