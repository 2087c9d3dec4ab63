"""Public functions that look images up at given places."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.once import warn

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def _aligned(align_corners: bool | None, name: str) -> bool:
    if align_corners is None:
        warn(
            "Default grid_sample and affine_grid behavior has changed to align_corners=False "
            "since 1.3.0. Please specify align_corners=True if the old behavior is desired. See "
            f"the documentation of {name} for details."
        )
    return bool(align_corners)


@public
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Return images looked up at places between -1 and 1.

    `input`: (n, c, h, w) or (n, c, d, h, w). `grid`: (n, *out, 2) or (n, *out, 3), x before y
    before z. `mode`: "bilinear", "nearest" or "bicubic". `padding_mode`: what lies outside,
    "zeros", "border" or "reflection". `align_corners`: -1 and 1 are the middles of the outermost
    pixels, not their edges. Returns (n, c, *out). Raises ValueError or RuntimeError where these do
    not fit.

    >>> import seegrad as torch
    >>> image, place = torch.arange(4.0).reshape(1, 1, 2, 2), torch.tensor([[[[0.0, 1.0]]]])
    >>> torch.nn.functional.grid_sample(image, place, align_corners=True)
    tensor([[[[2.5000]]]])
    """
    if mode not in MODES:
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
            f"but got: '{mode}'"
        )
    if padding_mode not in PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            f"'reflection', but got: '{padding_mode}'"
        )
    align = _aligned(align_corners, "grid_sample")
    return sampled(input, grid, MODES[mode], PADDINGS[padding_mode], align)


def sampled(
    input: Any, grid: Any, mode: int, padding: int, align: bool, depths: tuple[int, ...] = (4, 5)
) -> Any:
    """Images looked up, with numbers for modes; `depths` says what `input.ndim` may be."""
    if not 0 <= mode <= 2 or not 0 <= padding <= 2:
        raise ValueError(f"grid_sampler(): no mode has the number {mode} or no margin {padding}")
    _check_grid(input, grid, mode, depths)
    call = op.grid_sampler_2d if input.ndim == 4 else op.grid_sampler_3d
    return call(input, grid, mode, padding, align)


def _check_grid(input: Any, grid: Any, mode: int, depths: tuple[int, ...]) -> None:
    before, at = list(input.shape), list(grid.shape)
    if before[0] != at[0]:
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with "
            f"sizes {before} and grid with sizes {at}"
        )
    if at[-1] != input.ndim - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {input.ndim - 2} in last dimension, but "
            f"got grid with sizes {at}"
        )
    for axis in range(2, input.ndim):
        if before[axis] == 0:
            raise RuntimeError(
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input "
                f"has sizes {before} with dimension {axis} being empty"
            )
    if input.ndim not in depths or grid.ndim != input.ndim:
        known = " or ".join(f"{depth}D" for depth in depths)
        raise RuntimeError(
            f"grid_sampler(): expected {known} input and grid with same number of dimensions, but "
            f"got input with sizes {before} and grid with sizes {at}"
        )
    if input.ndim == 5 and mode == MODES["bicubic"]:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")


@public
def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """Return the places that affine maps make of an output's own, for grid_sample.

    `theta`: (n, 2, 3) or (n, 3, 4). `size`: that of the output, (n, c, h, w) or (n, c, d, h, w).
    Returns (n, h, w, 2) or (n, d, h, w, 3). Raises ValueError where these do not fit.

    >>> import seegrad as torch
    >>> identity = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> torch.nn.functional.affine_grid(identity, (1, 1, 1, 3), align_corners=True)
    tensor([[[[-1.,  0.],
              [ 0.,  0.],
              [ 1.,  0.]]]])
    """
    if not theta.dtype.is_floating_point:
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    wanted = tuple(size)
    if len(wanted) not in (4, 5):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            f"respectively. Got size {size}."
        )
    dims = len(wanted) - 2
    if theta.ndim != 3 or tuple(theta.shape[-2:]) != (dims, dims + 1):
        raise ValueError(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size "
            f"{size}. Got {theta.shape}."
        )
    align = _aligned(align_corners, "grid_sample")
    if min(wanted) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return op.affine_grid_generator(theta, wanted, align)
