"""What kernels refuse, in PyTorch's words."""

from typing import Any, Final, NoReturn

from seegrad.arrays import dtypes

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays

# One letter for each group of types: bool, uint8, int64 (l), the other integers, complex,
# float16 (h) and bfloat16 (g).
_LETTERS: Final = {
    dtypes.bool_.numpy: "b",
    dtypes.uint8.numpy: "u",
    dtypes.int64.numpy: "l",
    **{one.numpy: "i" for one in (dtypes.int8, dtypes.int16, dtypes.int32)},
    **{one.numpy: "c" for one in (dtypes.complex64, dtypes.complex128)},
    dtypes.float16.numpy: "h",
    dtypes.bfloat16.numpy: "g",
}
_INTEGERS: Final = "uil"
_POLYNOMIALS: Final = (
    *("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v"),
    *("chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he"),
    *("laguerre_polynomial_l", "legendre_polynomial_p"),
    *("shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u"),
    *("shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w"),
)
_SPECIAL: Final = (
    *("airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "erfcx", "log_ndtr"),
    *("modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1"),
    *("ndtri", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1"),
    *("spherical_bessel_j0", "zeta"),
)

# What PyTorch's kernels were not written for: the operator, the kernel's name, the types. What a
# kernel here cannot compute either, it refuses itself.
REFUSED: Final[dict[str, tuple[str, str]]] = {
    **{f"special_{name}": (f"{name}_cpu", "hgc") for name in _POLYNOMIALS},
    **{f"special_{name}": (f"{name}_cpu", "hg") for name in _SPECIAL},
    **{f"replication_pad{n}d": (f"replication_pad{n}d", "b") for n in (1, 2, 3)},
    **{f"reflection_pad{n}d": (f"reflection_pad{n}d", "b") for n in (1, 2, 3)},
    **{f"bitwise_{name}": (f"bitwise_{name}_cpu", "hg") for name in ("and", "not", "or", "xor")},
    "adaptive_avg_pool2d": ("adaptive_avg_pool2d", _INTEGERS + "bc"),
    "adaptive_avg_pool3d": ("adaptive_avg_pool3d_cpu", _INTEGERS + "bc"),
    "adaptive_max_pool3d": ("adaptive_max_pool3d_cpu", _INTEGERS + "bc"),
    "addcmul": ("addcmul_cpu_out", "b"),
    "addmv": ("addmv_impl_cpu", "b"),
    "avg_pool3d": ("avg_pool3d_out_frame", "uibchg"),
    "baddbmm": ("baddbmm", "b"),
    "binary_cross_entropy": ("binary_cross_entropy", "c"),
    "binary_cross_entropy_with_logits": ("log_sigmoid_cpu", _INTEGERS + "bc"),
    "bitwise_left_shift": ("lshift_cpu", "bhg"),
    "bitwise_right_shift": ("rshift_cpu", "bhg"),
    "bmm": ("bmm", "b"),
    "cdist": ("cdist", "hg"),
    "clamp": ("clamp_scalar_cpu", "b"),
    "clamp_tensor": ("clamp_cpu", "b"),
    "clamp_max": ("minimum_cpu", "c"),
    "clamp_max_tensor": ("minimum_cpu", "c"),
    "clamp_min": ("maximum_cpu", "c"),
    "clamp_min_tensor": ("maximum_cpu", "c"),
    "col2im": ("col2im_out_cpu", _INTEGERS),
    "ctc_loss": ("ctc_loss_cpu", _INTEGERS + "bchg"),
    "dot": ("dot", "b"),
    "fractional_max_pool2d": ("fractional_max_pool2d_out_frame", _INTEGERS + "bc"),
    "fractional_max_pool3d": ("fractional_max_pool3d_out_frame", _INTEGERS + "bc"),
    "gcd": ("gcd_cpu", "hg"),
    "huber_loss": ("huber_cpu", "c"),
    "igamma": ("igamma_cpu", _INTEGERS + "b"),
    "igammac": ("igammac_cpu", _INTEGERS + "b"),
    "im2col": ("im2col_out_cpu", _INTEGERS),
    "lcm": ("lcm_cpu", "hg"),
    "linalg_cross": ("cross", "b"),
    "logcumsumexp": ("logcumsumexp_out_cpu", _INTEGERS + "b"),
    "max_pool3d_with_indices": ("max_pool3d", "bc"),
    "max_unpool2d": ("max_unpool2d", _INTEGERS + "bc"),
    "max_unpool3d": ("max_unpool3d", _INTEGERS + "bc"),
    "mse_loss": ("mse_cpu", "c"),
    "multi_margin_loss": ("multi_margin_loss_cpu_kernel", _INTEGERS + "bchg"),
    "multilabel_margin_loss": ("multilabel_margin_loss_forward_out_frame", _INTEGERS + "bchg"),
    "mvlgamma": ("arange_cpu", "c"),
    "nextafter": ("nextafter_cpu", _INTEGERS + "bc"),
    "nll_loss": ("nll_loss_out_frame", _INTEGERS + "bc"),
    "prelu_kernel": ("prelu_cpu", "c"),
    "searchsorted": ("searchsorted_out_cpu", "b"),
    "smooth_l1_loss": ("smooth_l1_cpu", "c"),
    "softshrink": ("softshrink_check", _INTEGERS + "bc"),
    "trace": ("trace", "b"),
    "upsample_bicubic2d": ("compute_indices_weights_cubic", "ilbc"),
    "upsample_bilinear2d": ("upsample_bilinear2d_channels_last", "ilbc"),
    "upsample_linear1d": ("compute_indices_weights_linear", _INTEGERS + "bc"),
    "upsample_trilinear3d": ("compute_indices_weights_linear", _INTEGERS + "bc"),
    **{f"upsample_nearest{n}d": ("compute_indices_weights_nearest", "ilbc") for n in (1, 2, 3)},
    **{
        f"upsample_nearest_exact{n}d": ("compute_indices_weights_nearest", "ilbc")
        for n in (1, 2, 3)
    },
}


def _not_implemented(of: Any, kernel: str) -> NoReturn:
    name = dtypes.from_numpy(of).scalar_name
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


# Which of them do nothing for empty operands, of whatever type.
EMPTY_TAKEN: Final = frozenset(
    {"adaptive_avg_pool2d", "adaptive_avg_pool3d", "addmv", "baddbmm", "bmm", "cdist"}
    | {"fractional_max_pool3d", "max_unpool2d", "max_unpool3d", "searchsorted"}
)


def refused_types(operator: str) -> frozenset[Any]:
    """The NumPy types that an operator refuses, those of half precision apart."""
    kinds = REFUSED.get(operator, ("", ""))[1]
    return frozenset(of for of, letter in _LETTERS.items() if letter in kinds)


def need_kind(of: Any, kernel: str, kinds: str) -> None:
    """Raise for a NumPy type whose letter is among `kinds`."""
    if _LETTERS.get(of, "f") in kinds:
        _not_implemented(of, kernel)


def need_inexact(self: Array, kernel: str) -> None:
    """Raise for integers and bools."""
    if self.dtype.kind not in "fc":
        _not_implemented(self.dtype, kernel)


def need_float(self: Array, kernel: str) -> None:
    """Raise for all but floating point."""
    if self.dtype.kind != "f":
        _not_implemented(self.dtype, kernel)


def need_integers(self: Array, kernel: str) -> None:
    """Raise for all but integers and bools."""
    if self.dtype.kind in "fc":
        _not_implemented(self.dtype, kernel)


def need_order(self: Array, kernel: str) -> None:
    """Raise for complex numbers."""
    if self.dtype.kind == "c":
        _not_implemented(self.dtype, kernel)


def need_numbers(self: Array, kernel: str) -> None:
    """Raise for bools."""
    if self.dtype.kind == "b":
        _not_implemented(self.dtype, kernel)


def refuse_complex(self: Array, text: str, error: type[Exception] = RuntimeError) -> None:
    """Raise with a text of its own for complex numbers."""
    if self.dtype.kind == "c":
        raise error(text)
