"""Arithmetic, powers, rounding, choosing, elementary and special functions, comparison."""

import math
from typing import Any

import numpy as np

from tests.database.spec import (
    POSITIVE,
    WHOLE_LINE,
    Entry,
    Sample,
    binary,
    binary_samples,
    function,
    numbers,
    unary,
    unary_samples,
)

UNIT = (-0.9, 0.9)
NAN, INF = math.nan, math.inf


def with_number(*numbers_: float, domain: tuple[float, float] = WHOLE_LINE) -> tuple[Sample, ...]:
    """A matrix with each of some numbers as the second argument."""
    return tuple(Sample(numbers(2, 3, domain=domain), n) for n in numbers_)


def kinks(*rows: list[float]) -> tuple[Sample, ...]:
    """Vectors on kinks and ties, for values and first derivatives."""
    return (Sample(*(np.array(row, np.float64) for row in rows)),)


ARITHMETIC = [
    binary("add", complex=True, integer=True, inplace="add_", extra=with_number(2, 0.5)),
    binary("sub", complex=True, integer=True, inplace="sub_", extra=with_number(2, 0.5)),
    binary("mul", complex=True, integer=True, inplace="mul_", extra=with_number(2, 0.5)),
    binary(
        "div",
        other_domain=POSITIVE,
        complex=True,
        integer=True,
        inplace="div_",
        extra=(*with_number(2, 0.5), *kinks([1.0, 0.0], [0.0, 0.0])),
    ),
    Entry(
        "add with alpha",
        function("add"),
        tuple(Sample(*s.args, alpha=2) for s in binary_samples()),
        operators="add_scaled",
        complex=True,
        integer=True,
        inplace="add_",
    ),
    Entry(
        "sub with alpha",
        function("sub"),
        tuple(Sample(*s.args, alpha=2) for s in binary_samples()),
        operators="sub_scaled",
        complex=True,
        integer=True,
        inplace="sub_",
    ),
    Entry(
        "rsub",
        function("rsub"),
        (
            *binary_samples(),
            Sample(numbers(3), 2),
            Sample(numbers(3), numbers(3, seed=1), alpha=3),
        ),
        operators="rsub rsub_scalar",
        complex=True,
        integer=True,
    ),
    Entry(
        "number minus tensor",
        lambda torch, x, n: n - x,
        with_number(1, 2.5),
        operators="rsub_scalar",
        complex=True,
        integer=True,
    ),
    Entry(
        "number divided by tensor",
        lambda torch, x, n: n / x,
        with_number(1, 2.5, domain=POSITIVE),
        operators="reciprocal mul",
        complex=True,
        integer=True,
    ),
    Entry(
        "div rounded",
        function("div"),
        tuple(
            Sample(*s.args, rounding_mode=mode)
            for mode in ("trunc", "floor")
            for s in binary_samples((-4.0, 4.0), POSITIVE)
        ),
        operators="div_mode",
        integer=True,
        inplace="div_",
    ),
    binary(
        "remainder",
        domain=(-4.0, 4.0),
        other_domain=(1.1, 2.4),
        integer=True,
        inplace="remainder_",
        extra=(Sample(numbers(3), numbers(3, domain=(-2.0, -1.0))),),
    ),
    Entry(
        "remainder of a number",
        function("remainder"),
        with_number(1.3, -1.3, domain=(-4.0, 4.0)),
        operators="remainder_scalar",
        integer=True,
        half=False,  # PyTorch rounds the number first
    ),
    binary(
        "fmod",
        domain=(-4.0, 4.0),
        other_domain=(1.1, 2.4),
        integer=True,
        inplace="fmod_",
        extra=(Sample(numbers(3), numbers(3, domain=(-2.0, -1.0))),),
    ),
    Entry(
        "fmod of a number",
        function("fmod"),
        with_number(1.3, -1.3, domain=(-4.0, 4.0)),
        operators="fmod_scalar",
        integer=True,
        half=False,  # PyTorch rounds the number first
    ),
    Entry(
        "floor_divide",
        function("floor_divide"),
        (*binary_samples((-4.0, 4.0), POSITIVE), *with_number(2, 0.7)),
        operators="floor_divide",
        first=False,
        integer=True,
        inplace="floor_divide_",
    ),
    unary("neg", complex=True, integer=True, inplace="neg_"),
    unary("reciprocal", POSITIVE, complex=True, integer=True, inplace="reciprocal_"),
    Entry(
        "addcmul",
        function("addcmul"),
        (
            Sample(numbers(2, 3), numbers(3, seed=1), numbers(2, 1, seed=2)),
            Sample(numbers(2, 3), numbers(3, seed=1), numbers(2, 1, seed=2), value=2),
            Sample(numbers(), numbers(seed=1), numbers(seed=2)),
        ),
        operators="addcmul",
        complex=True,
        integer=True,
        inplace="addcmul_",
    ),
    Entry(
        "addcdiv",
        function("addcdiv"),
        (
            Sample(numbers(2, 3), numbers(3, seed=1), numbers(2, 1, seed=2, domain=POSITIVE)),
            Sample(numbers(3), numbers(3, seed=1), numbers(3, seed=2, domain=POSITIVE), value=2),
        ),
        operators="addcdiv",
        complex=True,
        inplace="addcdiv_",
    ),
    Entry(
        "lerp",
        function("lerp"),
        (
            Sample(numbers(2, 3), numbers(3, seed=1), 0.3),
            Sample(numbers(2, 3), numbers(2, 3, seed=1), 0.7),
            Sample(numbers(2, 3), numbers(3, seed=1), numbers(2, 1, seed=2)),
            Sample(numbers(), numbers(seed=1), numbers(seed=2)),
        ),
        operators="lerp lerp_scalar",
        complex=True,
        inplace="lerp_",
    ),
]

POWERS = [
    Entry(
        "pow number",
        function("pow"),
        with_number(0, 1, 2, 3, -1, 2.5, 0.5, -0.5, domain=POSITIVE),
        operators="pow_scalar",
        complex=True,
        inplace="pow_",
        half_ulps=2,
    ),
    Entry(
        "pow number, any base",
        function("pow"),
        (*with_number(0, 1, 2, 3), *(Sample(np.array([0.0, 1.0]), n) for n in (0, 0.5, 1, 2))),
        operators="pow_scalar",
        integer=True,
        second=False,
        gradcheck=False,
    ),
    binary("pow", POSITIVE, WHOLE_LINE, complex=True, inplace="pow_"),
    Entry(
        "pow at zero",
        function("pow"),
        kinks([0.0, 0.0, 0.0, 2.0], [0.0, 2.0, 0.5, 0.0]),
        operators="pow",
        second=False,
        gradcheck=False,
    ),
    Entry(
        "pow of integers", function("pow"), with_number(2, 3), operators="pow_scalar", integer=True
    ),
    Entry(
        "pow of a number",
        function("pow"),
        tuple(Sample(base, numbers(2, 3)) for base in (2, 0.5, 1)),
        operators="pow_base",
        complex=True,
    ),
    Entry(
        "pow of zero",
        function("pow"),
        (Sample(0, np.array([0.0, 1.5])),),
        operators="pow_base",
        second=False,
        gradcheck=False,
    ),
    unary("square", complex=True, integer=True, operators="pow_scalar", inplace="square_"),
    Entry(
        "float_power",
        function("float_power"),
        (*with_number(2, 0.5, domain=POSITIVE), *binary_samples(POSITIVE)),
        operators="pow_scalar pow",
        integer=True,
    ),
]

ROUNDING = [
    unary("abs", complex=True, inplace="abs_", integer=True),
    Entry(
        "abs at zero",
        function("abs"),
        kinks([0.0, -0.0, NAN]),
        operators="abs sgn",
        gradcheck=False,
        second=False,
    ),
    unary("sgn", complex=True, inplace="sgn_", integer=True),
    unary("sign", gradcheck=False, inplace="sign_", integer=True, extra=kinks([0.0, NAN])),
    unary("floor", inplace="floor_", integer=True),
    unary("ceil", inplace="ceil_", integer=True),
    unary("trunc", inplace="trunc_", integer=True),
    unary("round", gradcheck=False, inplace="round_", integer=True, extra=kinks([0.5, 1.5, -2.5])),
    Entry(
        "round to decimals",
        function("round"),
        tuple(Sample(numbers(2, 3, domain=(-30.0, 30.0)), decimals=d) for d in (2, -1)),
        operators="round_decimals",
        half=False,
    ),
    unary("frac", inplace="frac_"),
    binary(
        "copysign",
        inplace="copysign_",
        operators="copysign copysign_scalar",
        extra=with_number(1.0, -1.0),
    ),
    Entry(
        "copysign of zero",
        function("copysign"),
        kinks([0.0, -0.0], [1.0, -1.0]),
        operators="copysign",
        gradcheck=False,
        second=False,
    ),
    binary("heaviside", first=False, inplace="heaviside_", integer=True),
    binary("maximum", integer=True),
    binary("minimum", integer=True),
    binary("fmax", integer=True),
    binary("fmin", integer=True),
    *(
        Entry(
            f"{name}, ties and NaN",
            function(name),
            kinks([1.0, NAN, 1.0, NAN], [1.0, 1.0, NAN, NAN]),
            operators=name,
            gradcheck=False,
        )
        for name in ("maximum", "minimum", "fmax", "fmin")
    ),
]

CHOOSING = [
    Entry(
        "clamp",
        function("clamp"),
        (
            Sample(numbers(2, 3), -0.5, 0.7),
            Sample(numbers(2, 3), min=0.1),
            Sample(numbers(2, 3), max=0.1),
            Sample(numbers(2, 3), 0.7, -0.5),
            Sample(numbers(), 0.0, 0.5),
        ),
        operators="clamp",
        integer=True,
        inplace="clamp_",
    ),
    Entry(
        "clamp, tensors",
        function("clamp"),
        (
            Sample(
                numbers(2, 3), numbers(3, domain=(-1.0, 0.0)), numbers(2, 1, domain=(0.1, 1.0))
            ),
            Sample(numbers(2, 3), numbers(3, domain=(0.5, 1.0)), numbers(3, domain=(-1.0, 0.1))),
            Sample(numbers(2, 3), min=numbers(3, seed=1)),
            Sample(numbers(2, 3), max=numbers(3, seed=1)),
        ),
        operators="clamp_tensor clamp_tensor_min clamp_tensor_max",
        integer=True,
        inplace="clamp_",
    ),
    Entry(
        "clamp at bounds",
        function("clamp"),
        (
            Sample(np.array([0.0, 1.0, 2.0, -1.0, NAN]), 0.0, 1.0),
            Sample(
                np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0, 2.0])
            ),
        ),
        operators="clamp clamp_tensor",
        gradcheck=False,
    ),
    Entry(
        "clamp_min",
        function("clamp_min"),
        (Sample(numbers(2, 3), 0.2), Sample(numbers(2, 3), numbers(3, seed=1))),
        operators="clamp_min clamp_min_tensor",
        integer=True,
        inplace="clamp_min_",
    ),
    Entry(
        "clamp_max",
        function("clamp_max"),
        (Sample(numbers(2, 3), 0.2), Sample(numbers(2, 3), numbers(3, seed=1))),
        operators="clamp_max clamp_max_tensor",
        integer=True,
        inplace="clamp_max_",
    ),
    Entry(
        "where",
        function("where"),
        (
            Sample(np.array([True, False, True]), numbers(2, 3), numbers(3, seed=1)),
            Sample(np.array([[True], [False]]), numbers(3), numbers(seed=1)),
            Sample(np.array([True, False]), numbers(2), 0.5),
            Sample(np.array([True, False]), 1, numbers(2)),
            Sample(np.array(True), numbers(2), numbers(2, seed=1)),
        ),
        operators="where",
        complex=True,
        integer=True,
    ),
    Entry(
        "nan_to_num",
        function("nan_to_num"),
        (
            *unary_samples(),
            Sample(np.array([NAN, 1.0, INF, -INF])),
            Sample(np.array([NAN, 1.0, INF, -INF]), 2.0, 3.0, 4.0),
        ),
        operators="nan_to_num",
        integer=True,
        inplace="nan_to_num_",
        gradcheck=False,
    ),
]

ANY: dict[str, Any] = {"complex": True, "integer": True}
ELEMENTARY = [
    unary("exp", inplace="exp_", **ANY),
    unary("exp2", inplace="exp2_", **ANY),
    unary("expm1", inplace="expm1_", **ANY),
    unary("log", POSITIVE, inplace="log_", **ANY),
    unary("log1p", POSITIVE, inplace="log1p_", **ANY),
    unary("log2", POSITIVE, inplace="log2_", **ANY),
    unary("log10", POSITIVE, inplace="log10_", **ANY),
    unary("sqrt", POSITIVE, inplace="sqrt_", **ANY),
    unary("rsqrt", POSITIVE, inplace="rsqrt_", half_ulps=4, **ANY),
    Entry(
        "sqrt at zero",
        lambda torch, x: (torch.sqrt(x), torch.log(x)),
        kinks([0.0, -1.0, INF]),
        operators="sqrt log",
        gradcheck=False,
        second=False,
    ),
    unary("sin", inplace="sin_", **ANY),
    unary("cos", inplace="cos_", **ANY),
    unary("tan", (-1.2, 1.2), inplace="tan_", **ANY),
    unary("asin", UNIT, inplace="asin_", half_ulps=2, **ANY),
    unary("acos", UNIT, inplace="acos_", half_ulps=2, **ANY),
    unary("atan", inplace="atan_", **ANY),
    unary("sinh", inplace="sinh_", **ANY),
    unary("cosh", inplace="cosh_", **ANY),
    unary("tanh", inplace="tanh_", **ANY),
    unary("asinh", inplace="asinh_", **ANY),
    unary("acosh", (1.3, 3.0), inplace="acosh_", half_ulps=4, **ANY),
    unary("atanh", UNIT, inplace="atanh_", half_ulps=2, **ANY),
    unary("sigmoid", inplace="sigmoid_", **ANY),
    unary("deg2rad", inplace="deg2rad_", integer=True),
    unary("rad2deg", inplace="rad2deg_", integer=True),
    unary("sinc", inplace="sinc_", complex=False, operators="sinc sinc_derivative", half=False),
    Entry(
        "sinc at zero",
        function("sinc"),
        kinks([0.0, 1e-3, -1e-2]),
        operators="sinc",
        second=False,
        single=False,  # PyTorch's difference cancels near 0
        half=False,
    ),
]

SPECIAL = [
    unary("erf", inplace="erf_", integer=True),
    unary("erfc", inplace="erfc_", integer=True),
    unary("erfinv", UNIT, inplace="erfinv_"),
    unary("lgamma", POSITIVE, inplace="lgamma_", integer=True),
    unary("digamma", POSITIVE, inplace="digamma_", integer=True),
    Entry(
        "polygamma",
        lambda torch, x, n: torch.polygamma(n, x),
        with_number(1, 2, domain=POSITIVE),
        operators="polygamma",
        half_ulps=2,
    ),
    Entry(
        "polygamma_",
        lambda torch, x, n: (x * 1).polygamma_(n),
        with_number(1, 2, domain=POSITIVE),
        operators="polygamma_in_place",
        half_ulps=2,
    ),
    Entry(
        "logit",
        function("logit"),
        (
            Sample(numbers(2, 3, domain=(0.1, 0.9))),
            Sample(numbers(2, 3, domain=(0.1, 0.9)), 0.3),
            Sample(numbers(0, domain=(0.1, 0.9))),
        ),
        operators="logit",
        inplace="logit_",
        half=False,  # PyTorch rounds half way through
    ),
    Entry(
        "logit outside",
        function("logit"),
        kinks([-1.0, 0.0, 1.0, 2.0]),
        operators="logit",
        gradcheck=False,
        second=False,
    ),
    # The gradient does not overflow where PyTorch's does, so it rounds elsewhere.
    binary("atan2", inplace="atan2_", integer=True, half_ulps=4),
    Entry(
        "atan2 at the origin",
        function("atan2"),
        kinks([0.0, -0.0], [0.0, 0.0]),
        operators="atan2",
        gradcheck=False,
        second=False,
    ),
    binary("hypot", POSITIVE, inplace="hypot_", half_ulps=8),
    binary("nextafter", half=False),
    binary("logaddexp", half_ulps=32),
    binary("logaddexp2", half_ulps=32),
    Entry(
        "logaddexp far apart",
        function("logaddexp"),
        kinks([0.0, 800.0, INF], [800.0, 0.0, 0.0]),
        operators="logaddexp",
        gradcheck=False,
        second=False,
        half=False,
    ),
    binary(
        "xlogy",
        POSITIVE,
        inplace="xlogy_",
        integer=True,
        operators="xlogy xlogy_self xlogy_other",
        extra=(*with_number(2.0, domain=POSITIVE), Sample(2.0, numbers(3, domain=POSITIVE))),
    ),
    Entry(
        "xlogy at zero",
        function("xlogy"),
        kinks([0.0, 0.0, 2.0, 0.0], [0.0, 2.0, 0.0, NAN]),
        operators="xlogy",
        gradcheck=False,
        second=False,
    ),
]

EDGES = np.array([1.0, NAN, INF, -INF, 0.0, -0.0])
COMPARISON = [
    *(
        binary(
            name,
            integer=True,
            first=False,
            extra=(*with_number(0.5, 1), Sample(np.array([0.7, 0.3]), 0.7)),
            inplace=f"{name}_",
        )
        for name in ("eq", "ne", "lt", "le", "gt", "ge")
    ),
    *(
        Entry(
            name,
            lambda torch, x, other, name=name: getattr(x * 1, name)(other),
            (Sample(numbers(2, 3), numbers(3, seed=1)), Sample(numbers(2, 3), 0.5)),
            operators=f"{name}number",
        )
        for name in ("eq_", "ne_", "lt_", "le_", "gt_", "ge_")
    ),
    *(
        unary(name, first=False, integer=True, extra=(Sample(EDGES),))
        for name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit")
    ),
    *(
        binary(name, first=False, integer=True, inplace=f"{name}_")
        for name in ("logical_and", "logical_or", "logical_xor")
    ),
    unary("logical_not", first=False, integer=True, inplace="logical_not_"),
    Entry(
        "isclose",
        function("isclose"),
        (
            Sample(np.array([1.0, 1.0, NAN, INF]), np.array([1.0 + 1e-9, 1.1, NAN, INF])),
            Sample(np.array([1.0, NAN]), np.array([1.1, NAN]), rtol=0.2, equal_nan=True),
        ),
        operators="isclose",
        first=False,
        half=False,
    ),
    *(
        Entry(
            f"bitwise_{name}",
            function(f"bitwise_{name}"),
            (
                Sample(np.array([[5], [12]]), np.array([3, 6])),
                Sample(np.array([True, False]), np.array([True, True])),
                Sample(np.array([5, 6]), 3),
            )[: 3 if name in ("and", "or", "xor") else 1],
            operators=f"bitwise_{name}",
            first=False,
            half=False,
        )
        for name in ("and", "or", "xor", "left_shift", "right_shift")
    ),
    Entry(
        "bitwise_not",
        function("bitwise_not"),
        (Sample(np.array([5, -1])), Sample(np.array([True, False]))),
        operators="bitwise_not",
        first=False,
        half=False,
    ),
]

ENTRIES = [
    *ARITHMETIC,
    *POWERS,
    *ROUNDING,
    *CHOOSING,
    *ELEMENTARY,
    *SPECIAL,
    *COMPARISON,
]
