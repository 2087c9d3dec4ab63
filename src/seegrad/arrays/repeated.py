"""Quotients by the gaps between eigenvalues or singular values, where some of these are zero.

Note [Repeated values]: the gradient through eigenvectors has terms `W_ij / (l_j - l_i)`. Where two
values agree the vectors are arbitrary in a plane, and a loss that has a derivative there does not
depend on how they lie in it, which says that W is Hermitian in these two: the term is 0 / 0. Its
value is not determined by W and the gradient of the values alone. But it is for functions of the
matrix as a whole, `sum(C * (V h(L) V^H))`: reconstructions, powers, roots, inverses, projections,
polar factors. There, in the plane,

    W = 2 h(l) C,   gradient of the values = h'(l) diag(C),   the limit = h'(l) C

so that the limit is W times the ratio of the gradient of the values to the diagonal of W. Where
this ratio is not the same for both values the loss is something else, a sum of several such
functions for instance, and the term stays what the division gives: infinite or NaN, as it is in
PyTorch for all of them. (Several functions whose ratios agree by chance are taken for one.)
"""

from typing import Any

import numpy as np

Array = Any


def over_gaps(self: Array, values: Array, of_values: Array) -> Array:
    """`self_ij / (values_j - values_i)`, zero on the diagonal, limits where two values agree."""
    gaps = values[..., None, :] - values[..., :, None]
    size = values.shape[-1]
    diagonal = np.arange(size)
    gaps[..., diagonal, diagonal] = np.inf
    out = self / gaps
    scale = np.abs(values).max(-1, initial=0)[..., None, None]
    close = np.abs(gaps) <= 4 * size * np.finfo(values.dtype).eps * scale
    if close.any():
        limits, known = _limits(self, of_values, scale)
        np.copyto(out, limits, where=close & known)
    return out


def _limits(W: Array, of_values: Array, scale: Array) -> tuple[Array, Array]:
    """The limits, and for which pairs there is one; `scale`: how large the values are."""
    turned = W.conj().swapaxes(-1, -2)
    even, odd = (W + turned) / 2, (W - turned) / 2
    precision = np.finfo(of_values.dtype).eps
    small, largest = precision**0.5, np.abs(W).max((-1, -2), keepdims=True)
    smooth = np.abs(odd) <= 16 * W.shape[-1] * precision * largest
    weights = np.diagonal(even, axis1=-2, axis2=-1).real
    g, other_g = of_values[..., :, None], of_values[..., None, :]
    w, other_w = weights[..., :, None], weights[..., None, :]
    squares = w * w + other_w * other_w
    ratio = (g * w + other_g * other_w) / np.where(squares > 0, squares, 1)
    apart = np.abs(g - ratio * w) + np.abs(other_g - ratio * other_w)
    noise = 100 * precision * largest / np.where(scale > 0, scale, 1)
    fits = apart <= small * (np.abs(g) + np.abs(other_g)) + noise
    return ratio * even, smooth & fits


def pair_sums(self: Array) -> Array:
    """`self_i + self_j`, and on the diagonal 1 in the place of 0."""
    sums = self[..., None, :] + self[..., :, None]
    places = np.arange(self.shape[-1])
    sums[..., places, places] = np.where(self == 0, 1, 2 * self)
    return sums


PHASE = {
    "linalg_eigh_backward": "eigenvectors in the complex case are specified up to multiplication "
    "by e^{i phi}. The specified loss function depends on this quantity, so it is ill-defined.",
    "svd_backward": "singular vectors in the complex case are specified up to multiplication by "
    "e^{i phi}. The specified loss function depends on this phase term, making it ill-defined.",
}
PHASE["linalg_eig_backward"] = PHASE["linalg_eigh_backward"]


def check_phase(self: Array, name: str) -> Array:
    """Raises where the diagonal of `V^H gV` has an imaginary part: the loss turns with a phase."""
    if self.dtype.kind == "c":
        imaginary = np.diagonal(self, axis1=-2, axis2=-1).imag
        if (np.abs(imaginary) > 1e-2).any():
            raise RuntimeError(f"{name}: The {PHASE[name]}")
    return self
