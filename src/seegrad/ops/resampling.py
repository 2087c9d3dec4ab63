"""Public functions that give images other sizes."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.once import warn
from seegrad.ops.pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

SMOOTH = {
    "linear": ("upsample_linear1d", 3),
    "bilinear": ("upsample_bilinear2d", 4),
    "bicubic": ("upsample_bicubic2d", 4),
    "trilinear": ("upsample_trilinear3d", 5),
}
STEPS = {"nearest": "upsample_nearest", "nearest-exact": "upsample_nearest_exact"}
MODES = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"


@public
def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Return signals, images or volumes in another size.

    `input`: (n, c, *sizes) of one to three sizes. `size`: the new ones. `scale_factor`: or by how
    much larger they are. `mode`: "nearest", "nearest-exact", "linear", "bilinear", "bicubic",
    "trilinear", "lanczos" or "area". `align_corners`: the outermost elements stay where they are.
    `antialias` smooths what becomes smaller ("bilinear", "bicubic", "lanczos"). Returns
    (n, c, *new sizes). Raises ValueError or NotImplementedError where these do not go together.

    >>> import seegrad as torch
    >>> torch.nn.functional.interpolate(torch.tensor([[[1.0, 3.0]]]), size=4, mode="linear")
    tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]])
    """
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | "
                "bilinear | bicubic | trilinear"
            )
    wanted, scales = _wanted(input, size, scale_factor, mode, recompute_scale_factor)
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and input.ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires "
            "a 4-D tensor as input"
        )
    _check_sizes(input, wanted)
    if mode == "area" and 3 <= input.ndim <= 5:
        pools = (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)
        return pools[input.ndim - 3](input, wanted)
    if mode in STEPS and 3 <= input.ndim <= 5:
        return getattr(op, f"{STEPS[mode]}{input.ndim - 2}d")(input, wanted, *scales)
    if mode == "lanczos" and input.ndim == 4:
        if not antialias or align_corners:
            raise ValueError(
                "Lanczos mode does not support align_corners=True"
                if antialias
                else "Lanczos mode requires antialias=True"
            )
        return op.upsample_lanczos2d_aa(input, wanted, False, *scales)
    if mode in SMOOTH and 3 <= input.ndim <= 5:
        name, ndim = SMOOTH[mode]
        if input.ndim != ndim:
            raise NotImplementedError(
                f"Got {input.ndim}D input, but {mode} mode needs {ndim}D input"
            )
        call = getattr(op, name + "_aa" if antialias else name)
        return call(input, wanted, bool(align_corners), *scales)
    raise NotImplementedError(
        "Input Error: Only 3D, 4D and 5D input Tensors supported "
        f"(got {input.ndim}D) for the modes: {MODES} (got {mode})"
    )


def _wanted(
    input: Any, size: Any, scale_factor: Any, mode: str, recompute: bool | None
) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
    """The new sizes, and the factors by which places are computed, None for the sizes' own."""
    dims = input.ndim - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if size is not None:
        if recompute:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        given = tuple(size) if isinstance(size, tuple | list) else (size,) * dims
        said = f"output size of {given}"
        _check_count(input, "output", said, given, "output size in (o1, o2, ...,oK)")
        return given, (None,) * dims
    factors = (
        tuple(scale_factor) if isinstance(scale_factor, tuple | list) else (scale_factor,) * dims
    )
    said = f"scale_factor of shape {factors}"
    _check_count(input, "scale_factor", said, factors, "scale_factor in (s1, s2, ...,sK)")
    factors = tuple(float(factor) for factor in factors)
    given = tuple(int(n * f) for n, f in zip(input.shape[2:], factors, strict=True))
    return given, (None,) * dims if recompute or mode == "area" else factors


def _check_count(input: Any, what: str, said: str, given: Any, how: str) -> None:
    if len(given) != input.ndim - 2:
        raise ValueError(
            f"Input and {what} must have the same number of spatial dimensions, but got input "
            f"with spatial dimensions of {list(input.shape[2:])} and {said}. Please provide "
            f"input tensor in (N, C, d1, d2, ...,dK) format and {how} format."
        )


def _check_sizes(input: Any, wanted: tuple[int, ...]) -> None:
    if any(n <= 0 for n in (*input.shape[2:], *wanted)):
        before = _named(tuple(input.shape[2:]))
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({before}) output "
            f"({_named(wanted)})"
        )


def _named(sizes: tuple[int, ...]) -> str:
    names = ("D", "H", "W")[-len(sizes) :]
    return ", ".join(f"{name}: {size}" for name, size in zip(names, sizes, strict=True))


@public
def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Return what interpolate returns, with a warning that it is called that now."""
    warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode, align_corners)


@public
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Return interpolate's "nearest", with a warning that it is called so now."""
    warn(
        "`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead."
    )
    return interpolate(input, size, scale_factor, "nearest")


@public
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Return interpolate's "bilinear" with aligned corners, and a warning to call it so."""
    warn(
        "`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead."
    )
    return interpolate(input, size, scale_factor, "bilinear", align_corners=True)
