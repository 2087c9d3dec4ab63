"""Methods of tensors that compute: the public functions, and their forms in place."""

from typing import Any

from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.ops import (
    activations,
    choose,
    comparison,
    elementwise,
    exponents,
    extremes,
    functions,
    histograms,
    norms,
    reduce,
    rounding,
    scans,
    special,
    special_functions,
    spectrograms,
    statistics,
)
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim

__all__ = ["MathMethods"]


def with_number(plain: Any, number: Any) -> Any:
    """A method of one argument, whose node depends on whether that is a tensor or a number."""

    def method(self: Any, other: Any) -> Any:
        return plain(self, other) if isinstance(other, TensorBase) else number(self, other)

    return method


class MathMethods(TensorBase):
    """Arithmetic, functions, comparison, reductions and scans as methods."""

    # Arithmetic and powers

    add = elementwise.add
    sub = elementwise.sub
    subtract = elementwise.sub
    mul = elementwise.mul
    multiply = elementwise.mul
    div = elementwise.div
    divide = elementwise.div
    true_divide = elementwise.true_divide
    floor_divide = elementwise.floor_divide
    remainder = elementwise.remainder
    fmod = elementwise.fmod
    neg = elementwise.neg
    negative = elementwise.neg
    positive = elementwise.positive
    reciprocal = elementwise.reciprocal
    pow = elementwise.pow
    square = elementwise.square
    float_power = elementwise.float_power
    frexp = exponents.frexp
    ldexp = exponents.ldexp
    gcd = exponents.gcd
    lcm = exponents.lcm

    mul_ = op.mul_
    multiply_ = op.mul_
    true_divide_ = op.div_
    floor_divide_ = op.floor_divide_
    neg_ = op.neg_
    negative_ = op.neg_
    reciprocal_ = op.reciprocal_
    ldexp_ = op.ldexp_
    gcd_ = op.gcd_
    lcm_ = op.lcm_

    # Signs, rounding, the larger of two

    abs = rounding.abs
    absolute = rounding.abs
    sign = rounding.sign
    sgn = rounding.sgn
    floor = rounding.floor
    ceil = rounding.ceil
    trunc = rounding.trunc
    fix = rounding.trunc
    round = rounding.round
    frac = rounding.frac
    copysign = rounding.copysign
    heaviside = rounding.heaviside
    maximum = rounding.maximum
    minimum = rounding.minimum
    fmax = rounding.fmax
    fmin = rounding.fmin

    abs_ = op.abs_
    absolute_ = op.abs_
    sign_ = op.sign_
    sgn_ = op.sgn_
    floor_ = op.floor_
    ceil_ = op.ceil_
    trunc_ = op.trunc_
    fix_ = op.trunc_
    frac_ = op.frac_
    heaviside_ = op.heaviside_

    # Choosing

    clamp = choose.clamp
    clip = choose.clamp
    clamp_min = choose.clamp_min
    clamp_max = choose.clamp_max
    nan_to_num = choose.nan_to_num
    lerp = choose.lerp
    addcmul = choose.addcmul
    addcdiv = choose.addcdiv

    # Functions

    exp = functions.exp
    exp2 = functions.exp2
    expm1 = functions.expm1
    log = functions.log
    log1p = functions.log1p
    log2 = functions.log2
    log10 = functions.log10
    sqrt = functions.sqrt
    rsqrt = functions.rsqrt
    sin = functions.sin
    cos = functions.cos
    tan = functions.tan
    asin = functions.asin
    arcsin = functions.asin
    acos = functions.acos
    arccos = functions.acos
    atan = functions.atan
    arctan = functions.atan
    sinh = functions.sinh
    cosh = functions.cosh
    tanh = functions.tanh
    asinh = functions.asinh
    arcsinh = functions.asinh
    acosh = functions.acosh
    arccosh = functions.acosh
    atanh = functions.atanh
    arctanh = functions.atanh
    sigmoid = functions.sigmoid
    sinc = functions.sinc
    deg2rad = functions.deg2rad
    rad2deg = functions.rad2deg

    exp_ = op.exp_
    exp2_ = op.exp2_
    expm1_ = op.expm1_
    log_ = op.log_
    log1p_ = op.log1p_
    log2_ = op.log2_
    log10_ = op.log10_
    sqrt_ = op.sqrt_
    rsqrt_ = op.rsqrt_
    sin_ = op.sin_
    cos_ = op.cos_
    tan_ = op.tan_
    asin_ = op.asin_
    arcsin_ = op.asin_
    acos_ = op.acos_
    arccos_ = op.acos_
    atan_ = op.atan_
    arctan_ = op.atan_
    sinh_ = op.sinh_
    cosh_ = op.cosh_
    tanh_ = op.tanh_
    asinh_ = op.asinh_
    arcsinh_ = op.asinh_
    acosh_ = op.acosh_
    arccosh_ = op.acosh_
    atanh_ = op.atanh_
    arctanh_ = op.atanh_
    sigmoid_ = op.sigmoid_
    sinc_ = op.sinc_
    deg2rad_ = op.deg2rad_
    rad2deg_ = op.rad2deg_

    erf = special.erf
    erfc = special.erfc
    erfinv = special.erfinv
    i0 = special_functions.i0
    igamma = special_functions.igamma
    igammac = special_functions.igammac
    lgamma = special.lgamma
    mvlgamma = special_functions.mvlgamma
    digamma = special.digamma
    logit = special.logit
    atan2 = special.atan2
    arctan2 = special.atan2
    hypot = special.hypot
    nextafter = special.nextafter
    logaddexp = special.logaddexp
    logaddexp2 = special.logaddexp2
    xlogy = special.xlogy

    erf_ = op.erf_
    erfc_ = op.erfc_
    erfinv_ = op.erfinv_
    i0_ = op.i0_
    igamma_ = op.igamma_
    igammac_ = op.igammac_
    lgamma_ = op.lgamma_
    mvlgamma_ = op.mvlgamma_
    digamma_ = op.digamma_
    atan2_ = op.atan2_
    arctan2_ = op.atan2_
    hypot_ = op.hypot_
    nextafter_ = op.nextafter_
    xlogy_ = with_number(op.xlogy_, op.xlogy_other_)

    # Comparison and bits

    eq = comparison.eq
    ne = comparison.ne
    not_equal = comparison.ne
    lt = comparison.lt
    less = comparison.lt
    le = comparison.le
    less_equal = comparison.le
    gt = comparison.gt
    greater = comparison.gt
    ge = comparison.ge
    greater_equal = comparison.ge
    logical_and = comparison.logical_and
    logical_or = comparison.logical_or
    logical_xor = comparison.logical_xor
    logical_not = comparison.logical_not
    bitwise_and = comparison.bitwise_and
    bitwise_or = comparison.bitwise_or
    bitwise_xor = comparison.bitwise_xor
    bitwise_not = comparison.bitwise_not
    bitwise_left_shift = comparison.bitwise_left_shift
    bitwise_right_shift = comparison.bitwise_right_shift
    isnan = comparison.isnan
    isinf = comparison.isinf
    isfinite = comparison.isfinite
    isposinf = comparison.isposinf
    isneginf = comparison.isneginf
    signbit = comparison.signbit
    isreal = comparison.isreal
    isclose = comparison.isclose
    allclose = comparison.allclose
    equal = comparison.equal

    eq_ = with_number(op.eq_, op.eq_number_)
    ne_ = with_number(op.ne_, op.ne_number_)
    not_equal_ = ne_
    lt_ = with_number(op.lt_, op.lt_number_)
    less_ = lt_
    le_ = with_number(op.le_, op.le_number_)
    less_equal_ = le_
    gt_ = with_number(op.gt_, op.gt_number_)
    greater_ = gt_
    ge_ = with_number(op.ge_, op.ge_number_)
    greater_equal_ = ge_
    logical_and_ = op.logical_and_
    logical_or_ = op.logical_or_
    logical_xor_ = op.logical_xor_
    logical_not_ = op.logical_not_
    bitwise_and_ = op.bitwise_and_
    bitwise_or_ = op.bitwise_or_
    bitwise_xor_ = op.bitwise_xor_
    bitwise_not_ = op.bitwise_not_
    bitwise_left_shift_ = op.bitwise_left_shift_
    bitwise_right_shift_ = op.bitwise_right_shift_

    # Reductions

    sum = reduce.sum
    nansum = reduce.nansum
    mean = reduce.mean
    prod = reduce.prod
    var = reduce.var
    std = reduce.std
    logsumexp = reduce.logsumexp
    all = reduce.all
    any = reduce.any
    count_nonzero = reduce.count_nonzero

    max = extremes.max
    min = extremes.min
    amax = extremes.amax
    amin = extremes.amin
    aminmax = extremes.aminmax
    argmax = extremes.argmax
    argmin = extremes.argmin
    median = extremes.median
    nanmedian = statistics.nanmedian
    mode = statistics.mode
    nanmean = statistics.nanmean
    quantile = statistics.quantile
    nanquantile = statistics.nanquantile
    histc = histograms.histc
    histogram = histograms.histogram

    stft = spectrograms.stft
    istft = spectrograms.istft

    cumsum = scans.cumsum
    cumprod = scans.cumprod
    logcumsumexp = scans.logcumsumexp
    cummax = scans.cummax
    cummin = scans.cummin

    dist = norms.dist
    renorm = norms.renorm
    renorm_ = norms.renorm_

    # Activations

    prelu = activations.prelu
    hardshrink = activations.hardshrink

    relu_ = op.relu_

    def relu(self) -> Any:
        """The positive part, as `torch.relu`."""
        return op.relu(self)

    @public
    def softmax(self: Any, dim: int, dtype: Any = None) -> Any:
        """Exponentials divided by their sum along a dimension, as `torch.softmax`."""
        return activations.softmax(self, dim, dtype=dtype)

    @public
    def log_softmax(self: Any, dim: int, dtype: Any = None) -> Any:
        """The logarithm of softmax, as `torch.log_softmax`."""
        return activations.log_softmax(self, dim, dtype=dtype)

    def norm(
        self: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
    ) -> Any:
        """The norm of all elements or over dimensions, as `torch.norm`."""
        return norms.norm(self, p, dim, keepdim, dtype=dtype)

    def polygamma(self, n: int) -> Any:
        """The n-th derivative of digamma, as `torch.polygamma`."""
        return op.polygamma(n, self)

    def where(self, condition: Any, other: Any) -> Any:
        """Self where the condition holds, other elsewhere, as `torch.where`."""
        return choose.where(condition, self, other)

    # In place, where more than one operator may be meant

    def add_(self, other: Any, *, alpha: Any = 1) -> Any:
        """Add `alpha * other` to self."""
        return op.add_(self, other) if alpha == 1 else op.add_scaled_(self, other, alpha)

    def sub_(self, other: Any, *, alpha: Any = 1) -> Any:
        """Subtract `alpha * other` from self."""
        return op.sub_(self, other) if alpha == 1 else op.sub_scaled_(self, other, alpha)

    subtract_ = sub_

    def div_(self, other: Any, *, rounding_mode: str | None = None) -> Any:
        """Divide self by other."""
        if rounding_mode is None:
            return op.div_(self, other)
        return op.div_mode_(self, other, elementwise.checked_mode(rounding_mode))

    divide_ = div_

    def remainder_(self, other: Any) -> Any:
        """Leave the remainder that has the divisor's sign."""
        if isinstance(other, TensorBase):
            return op.remainder_(self, other)
        elementwise.check_holds(self, other)
        return op.remainder_scalar_(self, other)

    def fmod_(self, other: Any) -> Any:
        """Leave the remainder that has the dividend's sign."""
        if isinstance(other, TensorBase):
            return op.fmod_(self, other)
        elementwise.check_holds(self, other)
        return op.fmod_scalar_(self, other)

    def pow_(self, exponent: Any) -> Any:
        """Raise self to a power."""
        if isinstance(exponent, TensorBase):
            return op.pow_(self, exponent)
        elementwise.check_holds(self, exponent)
        return op.pow_scalar_(self, exponent)

    def float_power_(self: Any, exponent: Any) -> Any:
        """Raise self, which is float64 or complex128, to a power."""
        wide = elementwise.float_power_dtype(self, exponent)
        if self.dtype is not wide:
            raise RuntimeError(
                f"the base given to float_power_ has dtype {self.dtype.scalar_name} but the "
                f"operation's result requires dtype {wide.scalar_name}"
            )
        return self.pow_(elementwise.widened(exponent, wide))

    def polygamma_(self, n: int) -> Any:
        """Write the n-th derivative of digamma."""
        return op.polygamma_in_place_(self, n)

    def square_(self) -> Any:
        """Square self."""
        return op.pow_scalar_(self, 2)

    def copysign_(self, other: Any) -> Any:
        """Give self the signs of other."""
        one = isinstance(other, TensorBase)
        return op.copysign_(self, other) if one else op.copysign_scalar_(self, other)

    def round_(self, *, decimals: int = 0) -> Any:
        """Round self to the nearest number."""
        return op.round_(self) if decimals == 0 else op.round_decimals_(self, decimals)

    def clamp_(self, min: Any = None, max: Any = None) -> Any:
        """Hold self within bounds."""
        return choose.clamp_in_place(self, min, max)

    clip_ = clamp_

    def clamp_min_(self, min: Any) -> Any:
        """Let no element be below a bound."""
        one = isinstance(min, TensorBase)
        return op.clamp_min_tensor_(self, min) if one else op.clamp_min_(self, min)

    def clamp_max_(self, max: Any) -> Any:
        """Let no element be above a bound."""
        one = isinstance(max, TensorBase)
        return op.clamp_max_tensor_(self, max) if one else op.clamp_max_(self, max)

    @public
    def cumsum_(self, dim: int) -> Any:
        """Replace elements by sums of the elements up to each."""
        return op.cumsum_(self, wrap_dim(dim, self.ndim))

    @public
    def cumprod_(self, dim: int) -> Any:
        """Replace elements by products of the elements up to each."""
        return op.cumprod_(self, wrap_dim(dim, self.ndim))

    def nan_to_num_(self, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
        """Replace NaN and infinities in self."""
        return op.nan_to_num_(self, nan, *choose.infinities(self, posinf, neginf))

    def logit_(self, eps: float | None = None) -> Any:
        """Turn probabilities into log-odds."""
        return op.logit_(self, eps)

    def lerp_(self, end: Any, weight: Any) -> Any:
        """Go some of the way from self to end."""
        one = isinstance(weight, TensorBase)
        return op.lerp_(self, end, weight) if one else op.lerp_scalar_(self, end, weight)

    def addcmul_(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
        """Add `value * tensor1 * tensor2` to self."""
        return op.addcmul_(self, tensor1, tensor2, value)

    def addcdiv_(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
        """Add `value * tensor1 / tensor2` to self."""
        return op.addcdiv_(self, tensor1, tensor2, value)
