"""The names of `torch.special` that there are."""

from seegrad.graph.asked import register as _register
from seegrad.ops import (
    digamma,
    erf,
    erfc,
    erfinv,
    exp2,
    expit,
    expm1,
    gammaln,
    log1p,
    log_softmax,
    logit,
    logsumexp,
    polygamma,
    psi,
    round,
    sinc,
    softmax,
    xlogy,
)

__all__ = [
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammaln",
    "log1p",
    "log_softmax",
    "logit",
    "logsumexp",
    "polygamma",
    "psi",
    "round",
    "sinc",
    "softmax",
    "xlogy",
]

_register("torch.special", globals(), __all__)
