"""Derivatives of resampling: linear, so one operator hands gradients back for all kinds."""

from typing import Any

from seegrad.rules.spec import Formula, linear

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Shape = tuple[int, ...]

linear(
    "resample(self, kind, output_size, align_corners, scales)",
    self=lambda xp, grad, self_shape, kind, output_size, align_corners, scales: back(
        xp, grad, self_shape, kind, output_size, align_corners, *scales
    ),
)
linear(
    "resample_backward(grad_output, sizes, kind, output_size, align_corners, scales)",
    grad_output=lambda xp, grad, kind, output_size, align_corners, scales: xp.resample(
        grad, kind, output_size, align_corners, scales
    ),
)


def back(
    xp: Xp,
    grad: Value,
    self_shape: Shape,
    kind: str,
    output_size: Shape,
    align_corners: bool,
    *scales: float | None,
) -> Value:
    """Each element gets its share of what was made of it."""
    sizes = self_shape[-len(output_size) :]
    return xp.resample_backward(grad, sizes, kind, output_size, align_corners, scales)


# A formula names what is kept, so that each number of dimensions has its own.


def unaligned(kind: str) -> list[Formula]:
    """The formulas of a kind in one, two and three dimensions."""
    return [
        lambda xp, grad, self_shape, output_size, scales: back(
            xp, grad, self_shape, kind, output_size, False, scales
        ),
        lambda xp, grad, self_shape, output_size, scales_h, scales_w: back(
            xp, grad, self_shape, kind, output_size, False, scales_h, scales_w
        ),
        lambda xp, grad, self_shape, output_size, scales_d, scales_h, scales_w: back(
            xp, grad, self_shape, kind, output_size, False, scales_d, scales_h, scales_w
        ),
    ]


def aligned(kind: str) -> list[Formula]:
    """The same of a kind that may align the corners."""
    return [
        lambda xp, grad, self_shape, output_size, align_corners, scales: back(
            xp, grad, self_shape, kind, output_size, align_corners, scales
        ),
        lambda xp, grad, self_shape, output_size, align_corners, scales_h, scales_w: back(
            xp, grad, self_shape, kind, output_size, align_corners, scales_h, scales_w
        ),
        lambda xp, grad, self_shape, output_size, align_corners, scales_d, scales_h, scales_w: (
            back(
                xp, grad, self_shape, kind, output_size, align_corners,
                scales_d, scales_h, scales_w,
            )
        ),
    ]  # fmt: skip


SCALES = ("scales", "scales_h, scales_w", "scales_d, scales_h, scales_w")

for _kind, _name in (("nearest", "Nearest"), ("nearest-exact", "NearestExact")):
    for _dims, _formula in enumerate(unaligned(_kind), 1):
        linear(
            f"upsample_{_kind.replace('-', '_')}{_dims}d(self, output_size, {SCALES[_dims - 1]})",
            node=f"Upsample{_name}{_dims}DBackward0",
            self=_formula,
        )

for _name, _kind, _dims, _node in (
    ("linear1d", "linear", 1, "Linear1D"),
    ("bilinear2d", "linear", 2, "Bilinear2D"),
    ("trilinear3d", "linear", 3, "Trilinear3D"),
    ("bicubic2d", "cubic", 2, "Bicubic2D"),
    ("bilinear2d_aa", "linear-aa", 2, "Bilinear2DAa"),
    ("bicubic2d_aa", "cubic-aa", 2, "Bicubic2DAa"),
    ("lanczos2d_aa", "lanczos-aa", 2, "Lanczos2DAa"),
):
    linear(
        f"upsample_{_name}(self, output_size, align_corners, {SCALES[_dims - 1]})",
        node=f"Upsample{_node}Backward0",
        self=aligned(_kind)[_dims - 1],
    )

for _dims in (2, 3):
    linear(
        f"adaptive_avg_pool{_dims}d(self, output_size)",
        node=f"AdaptiveAvgPool{_dims}DBackward0",
        self=lambda xp, grad, self_shape, output_size: back(
            xp, grad, self_shape, "area", output_size, False, *[None] * len(output_size)
        ),
    )
