"""Special functions: Bessel functions, the normal distribution, polynomials, gamma and zeta."""

from typing import Any

from tests.database.spec import POSITIVE, Domain, Entry, Sample, binary, function, numbers, unary

INNER: Domain = (0.05, 0.95)
HALF_ULPS = 2


def special(name: str, domain: Domain = (-2.0, 2.0), **options: Any) -> Entry:
    """A function of `torch.special` with one argument."""
    options = {"operators": f"special_{name}", "path": f"special.{name}", **options}
    return unary(f"special.{name}", domain, **options)


def flat(name: str, domain: Domain = POSITIVE) -> Entry:
    """One without a derivative."""
    return special(name, domain, first=False, second=False, half=False)


def polynomial(name: str) -> Entry:
    """Polynomials of several degrees, none of them differentiable."""
    x = numbers(3, domain=(-1.5, 1.5))
    cases = tuple(Sample(x, degree) for degree in (-1, 0, 1, 2, 5))
    call, operator = function(f"special.{name}"), f"special_{name}"
    return Entry(f"special.{name}", call, cases, operator, first=False, second=False, half=False)


ENTRIES = [
    unary("i0", inplace="i0_", half=False, integer=True),
    special("i0e", half=False),
    special("i1", half=False),
    special("i1e", half=False),
    special("ndtr", operators="erfc mul_scalar", half=False, integer=True),
    special("ndtri", INNER, half=False),
    special("log_ndtr", half=False),
    special("entr", INNER, half_ulps=HALF_ULPS),
    special("erfcx", half=False),
    binary(
        "special.xlog1py",
        INNER,
        path="special.xlog1py",
        operators="special_xlog1py special_xlog1py_self special_xlog1py_other",
        half=False,
        extra=(Sample(numbers(3), 2.0), Sample(2.0, numbers(3, domain=POSITIVE))),
    ),
    Entry(
        "special.zeta",
        lambda torch, other: torch.special.zeta(3.0, other),
        (Sample(numbers(2, 3, domain=POSITIVE)),),
        "special_zeta_self",
        half=False,
    ),
    Entry(
        "special.zeta of tensors",
        lambda torch, other: torch.special.zeta(torch.full_like(other.detach(), 3.0), other),
        (Sample(numbers(2, 3, domain=POSITIVE)),),
        "special_zeta",
        half=False,
    ),
    Entry(
        "special.zeta of a number",
        lambda torch, x: torch.special.zeta(x, 2.0),
        (Sample(numbers(2, 3, domain=(1.5, 4.0))),),
        "special_zeta_other",
        half=False,
        first=False,
        second=False,
    ),
    Entry(
        "igamma",
        lambda torch, other: torch.igamma(torch.full_like(other.detach(), 1.5), other),
        (Sample(numbers(2, 3, domain=POSITIVE)),),
        "igamma",
        half=False,
    ),
    Entry(
        "igammac",
        lambda torch, other: torch.igammac(torch.full_like(other.detach(), 1.5), other),
        (Sample(numbers(2, 3, domain=POSITIVE)),),
        "igammac",
        half=False,
    ),
    Entry(
        "mvlgamma",
        function("mvlgamma"),
        tuple(Sample(numbers(2, 3, domain=(2.0, 5.0)), p) for p in (1, 3)),
        "mvlgamma mvlgamma_slope",
        half=False,
    ),
    *(flat(f"bessel_{name}") for name in ("j0", "j1", "y0", "y1")),
    *(flat(f"modified_bessel_{name}") for name in ("i0", "i1", "k0", "k1")),
    *(flat(f"scaled_modified_bessel_{name}") for name in ("k0", "k1")),
    *(flat(name) for name in ("airy_ai", "spherical_bessel_j0")),
    *(
        polynomial(f"{shift}chebyshev_polynomial_{kind}")
        for shift in ("", "shifted_")
        for kind in "tuvw"
    ),
    *(polynomial(f"{name}_polynomial_{kind}") for name, kind in (
        ("hermite", "h"), ("hermite", "he"), ("laguerre", "l"), ("legendre", "p"),
    )),
]  # fmt: skip
