"""Convolutions, pools, norms, other sizes of images."""

from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample, function, numbers


def layer(name: str, *samples: Sample, operators: str, **options: Any) -> Entry:
    """A function of `torch.nn.functional`, named by the first word."""
    options = {"half_ulps": 4, **options}
    call = function(f"nn.functional.{name.partition(' ')[0]}")
    return Entry(name, call, samples, operators=operators, **options)


def at(*shape: int, seed: int = 0) -> Any:
    """Numbers without ties."""
    return numbers(*shape, seed=seed)


CONVOLUTIONS = "convolution convolution_input convolution_weight"

CONVOLVED = [
    layer(
        "conv1d",
        Sample(at(2, 3, 6), at(4, 3, 2, seed=1), at(4, seed=2)),
        Sample(at(2, 6), at(2, 1, 3, seed=1), stride=2, padding=1, groups=2),
        Sample(at(1, 2, 5), at(1, 2, 3, seed=1), padding="same", dilation=2),
        Sample(at(1, 2, 5), at(1, 2, 3, seed=1), padding="valid"),
        Sample(at(0, 2, 5), at(3, 2, 2, seed=1)),
        operators=CONVOLUTIONS,
    ),
    layer(
        "conv2d",
        Sample(at(2, 2, 4, 4), at(3, 2, 2, 2, seed=1), at(3, seed=2)),
        Sample(at(1, 4, 5, 6), at(2, 2, 3, 2, seed=1), None, (2, 1), (1, 2), (1, 2), 2),
        Sample(at(2, 4, 4), at(2, 2, 1, 1, seed=1)),
        Sample(at(1, 1, 4, 4), at(1, 1, 3, 3, seed=1), stride=2, padding=1),
        operators=CONVOLUTIONS,
    ),
    layer(
        "conv3d",
        Sample(at(1, 2, 3, 3, 2), at(2, 2, 2, 2, 1, seed=1), at(2, seed=2)),
        Sample(at(2, 3, 4, 3), at(2, 1, 2, 2, 2, seed=1), None, (2, 1, 1), 1, 1, 2),
        operators=CONVOLUTIONS,
    ),
    layer(
        "conv_transpose1d",
        Sample(at(2, 3, 4), at(3, 2, 3, seed=1), at(2, seed=2)),
        Sample(at(4, 3), at(4, 1, 2, seed=1), None, 3, 1, 2, 2, 2),
        Sample(at(1, 1, 3), at(1, 1, 2, seed=1), None, 1, 0, 1, 1, 2),
        operators=CONVOLUTIONS,
    ),
    layer(
        "conv_transpose2d",
        Sample(at(1, 2, 3, 3), at(2, 3, 2, 2, seed=1), at(3, seed=2), stride=2),
        Sample(at(1, 4, 2, 3), at(4, 1, 2, 3, seed=1), None, (2, 1), 1, (1, 0), 2),
        operators=CONVOLUTIONS,
    ),
    layer(
        "conv_transpose3d",
        Sample(at(1, 2, 2, 2, 2), at(2, 1, 2, 1, 2, seed=1), None, 2, 0, 1),
        operators=CONVOLUTIONS,
    ),
    Entry(
        "unfold of images",
        function("nn.functional.unfold"),
        (
            Sample(at(1, 2, 3, 4), 2),
            Sample(at(2, 5, 4), (2, 3), (2, 1), (1, 0), (1, 2)),
        ),
        operators="im2col col2im",
        half=False,
        complex=True,
    ),
    layer(
        "fold",
        Sample(at(1, 8, 6), (3, 4), 2),
        Sample(at(6, 4), (4, 5), (3, 2), (1, 2), (1, 0), (2, 2)),
        operators="im2col col2im",
        complex=True,
    ),
]


def largest(dims: int, operators: str) -> Entry:
    """A pool of the largest elements, with and without where they stand."""
    sizes = (5, 6, 4)[:dims]
    return layer(
        f"max_pool{dims}d",
        Sample(at(2, 1, *sizes), 2),
        Sample(at(1, 2, *sizes), 3, 2, 1, return_indices=True),
        Sample(at(1, *sizes), 2, 3, 1, 2, ceil_mode=True, return_indices=True),
        Sample(np.where(at(1, 1, *sizes) > 1, np.nan, at(1, 1, *sizes)), 2, return_indices=True),
        Sample(np.zeros((1, 1, *sizes)), 2, return_indices=True),
        operators=operators,
        gradcheck=False,
        half_ulps=1,
    )


def places_of(shape: tuple[int, ...], size: int) -> Any:
    """Different places in a plane, for every plane."""
    planes = int(np.prod(shape[:2]))
    inner = int(np.prod(shape[2:]))
    rows = [np.random.default_rng(seed).permutation(size)[:inner] for seed in range(planes)]
    return np.array(rows).reshape(shape)


def fractional(dims: int) -> Any:
    """A fractional pool at fixed distances."""

    def call(torch: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        samples = torch.tensor([[[0.2, 0.7, 0.4][:dims]] * 2], dtype=x.dtype)
        pool = getattr(torch.nn.functional, f"fractional_max_pool{dims}d")
        return pool(x, *args, **kwargs, _random_samples=samples)

    return call


def whole(name: str) -> Any:
    """Unpooling of contiguous tensors: PyTorch's backward refuses others."""
    return lambda torch, x, places, *args, **kwargs: getattr(torch.nn.functional, name)(
        x.contiguous(), places.contiguous(), *args, **kwargs
    )


PICKED = "max_pool_backward max_pool_pick"

POOLED = [
    largest(1, f"max_pool2d_with_indices squeeze_dim {PICKED}"),
    largest(2, f"max_pool2d_with_indices {PICKED}"),
    largest(3, f"max_pool3d_with_indices {PICKED}"),
    Entry(
        "max_unpool1d",
        whole("max_unpool1d"),
        (
            Sample(at(1, 2, 3), places_of((1, 2, 3), 6), 2),
            Sample(at(1, 2, 3), places_of((1, 2, 3), 7), 2, output_size=(7,)),
        ),
        operators="max_unpool2d max_pool_pick",
    ),
    Entry(
        "max_unpool2d",
        whole("max_unpool2d"),
        (Sample(at(1, 2, 2, 2), places_of((1, 2, 2, 2), 16), 2),),
        operators="max_unpool2d max_pool_pick",
    ),
    Entry(
        "max_unpool3d",
        whole("max_unpool3d"),
        (Sample(at(1, 1, 2, 1, 2), places_of((1, 1, 2, 1, 2), 32), 2),),
        operators="max_unpool3d max_pool_pick",
    ),
    layer(
        "avg_pool1d",
        Sample(at(2, 1, 5), 2),
        Sample(at(2, 6), 3, 2, 1, True, False),
        operators="avg_pool2d avg_pool_backward",
    ),
    layer(
        "avg_pool2d",
        Sample(at(2, 1, 4, 5), 2),
        Sample(at(1, 2, 5, 5), (3, 2), (2, 1), 1, True, False),
        Sample(at(2, 5, 4), 2, 3, 1, ceil_mode=True, divisor_override=5),
        operators="avg_pool2d avg_pool_backward",
        half=False,
    ),
    layer(
        "avg_pool3d",
        Sample(at(1, 2, 3, 4, 3), 2, 1, 1, False, False),
        operators="avg_pool3d avg_pool_backward",
        half=False,
    ),
    *(
        layer(
            f"lp_pool{dims}d",
            Sample(np.abs(at(1, 2, *[4] * dims)) + 0.1, 3, 2),
            operators="",
            half=False,
        )
        for dims in (1, 2, 3)
    ),
    layer(
        "adaptive_avg_pool1d",
        Sample(at(2, 1, 5), 3),
        Sample(at(1, 5), 1),
        operators="adaptive_avg_pool2d resample_backward",
    ),
    layer(
        "adaptive_avg_pool2d",
        Sample(at(1, 2, 5, 4), (3, None)),
        Sample(at(2, 3, 3), 1),
        Sample(at(1, 1, 2, 2), 3),
        operators="adaptive_avg_pool2d resample_backward resample",
    ),
    layer(
        "adaptive_avg_pool3d",
        Sample(at(1, 1, 3, 4, 5), (2, 4, 3)),
        operators="adaptive_avg_pool3d resample_backward resample",
        half=False,
    ),
    layer(
        "adaptive_max_pool1d",
        Sample(at(2, 1, 5), 3, return_indices=True),
        operators="adaptive_max_pool2d",
    ),
    layer(
        "adaptive_max_pool2d",
        Sample(at(1, 2, 5, 4), (3, None)),
        Sample(at(2, 3, 3), 1, return_indices=True),
        operators="adaptive_max_pool2d",
    ),
    layer(
        "adaptive_max_pool3d",
        Sample(at(1, 1, 3, 4, 5), (2, 4, 3), return_indices=True),
        operators="adaptive_max_pool3d",
    ),
    *(
        Entry(
            f"fractional_max_pool{dims}d",
            fractional(dims),
            (Sample(at(1, 2, *[7] * dims), 2, output_size=[3] * dims, return_indices=True),),
            operators=f"fractional_max_pool{dims}d",
            half=False,
        )
        for dims in (2, 3)
    ),
]


def running_batch_norm(torch: Any, x: Any, mean: Any, var: Any, *args: Any, **kwargs: Any) -> Any:
    """The result, and the running statistics afterwards."""
    mean, var = (torch.tensor(one, dtype=x.dtype) for one in (mean, var))
    out = torch.nn.functional.batch_norm(x, mean, var, *args, **kwargs)
    return out, mean, var


def running_instance_norm(torch: Any, x: Any, mean: Any, var: Any, *args: Any) -> Any:
    """The same for instances."""
    mean, var = (torch.tensor(one, dtype=x.dtype) for one in (mean, var))
    return torch.nn.functional.instance_norm(x, mean, var, *args), mean, var


STANDARD = "normalized inverse_deviation"
STATISTICS = ([0.3, -0.4], [0.7, 1.9])

NORMALISED = [
    Entry(
        "batch_norm",
        running_batch_norm,
        (
            Sample(at(3, 2), *STATISTICS, training=True),
            Sample(at(2, 2, 3), *STATISTICS, at(2, seed=1), at(2, seed=2), True, 0.3, 1e-3),
            Sample(at(2, 2, 3, 2), *STATISTICS, at(2, seed=1), at(2, seed=2)),
            Sample(at(0, 2, 3), *STATISTICS, at(2, seed=1), at(2, seed=2), True),
        ),
        operators=f"native_batch_norm {STANDARD}",
        half=False,
    ),
    layer(
        "layer_norm",
        Sample(at(2, 3), (3,)),
        Sample(at(2, 3, 4), (3, 4), at(3, 4, seed=1), at(3, 4, seed=2)),
        Sample(at(0, 3), (3,), at(3, seed=1)),
        operators=f"native_layer_norm {STANDARD}",
    ),
    layer(
        "group_norm",
        Sample(at(2, 4), 2),
        Sample(at(2, 4, 3), 2, at(4, seed=1), at(4, seed=2), 0.1),
        operators=f"native_group_norm {STANDARD}",
        half_ulps=8,
    ),
    Entry(
        "running instance_norm",
        running_instance_norm,
        (Sample(at(2, 2, 3, 2), *STATISTICS, at(2, seed=1), at(2, seed=2), True, 0.3),),
        operators="native_batch_norm repeat",
        half=False,
    ),
    layer(
        "instance_norm",
        Sample(at(2, 2, 3)),
        operators="native_batch_norm",
        half=False,
    ),
    layer(
        "rms_norm",
        Sample(at(2, 3), (3,)),
        Sample(at(2, 3, 4), (3, 4), at(3, 4, seed=1), 0.1),
        operators="",
    ),
    layer(
        "local_response_norm",
        Sample(at(2, 4, 3), 2, 0.5),
        Sample(at(1, 4, 2, 2), 3, 0.1, 0.6, 2.0),
        operators="avg_pool2d avg_pool3d",
        half=False,
    ),
]


def resized(mode: str, dims: int, operators: str, *options: dict[str, Any]) -> Entry:
    """Larger and smaller, by sizes and by factors."""
    sizes = (4, 5, 3)[:dims]
    samples = [
        Sample(at(1, 2, *sizes), size, factor, mode, **more)
        for more in options or ({},)
        for size, factor in (([7, 3, 5][:dims], None), (None, 1.7), (None, 0.6))
    ]
    name = f"interpolate {mode} {dims}" + (" antialias" if "aa" in operators else "")
    call = function("nn.functional.interpolate")
    return Entry(name, call, tuple(samples), operators=operators, half=False)


BYTES = np.random.default_rng(0).integers(0, 256, (1, 2, 4, 5), np.uint8)
CORNERS: tuple[dict[str, Any], ...] = ({}, {"align_corners": True})
SMOOTH: tuple[dict[str, Any], ...] = ({"antialias": True},)

RESIZED = [
    *(
        resized(mode, dims, f"upsample_{mode.replace('-', '_')}{dims}d")
        for mode in ("nearest", "nearest-exact")
        for dims in (1, 2, 3)
    ),
    resized("linear", 1, "upsample_linear1d", *CORNERS),
    resized("bilinear", 2, "upsample_bilinear2d", *CORNERS),
    resized("bicubic", 2, "upsample_bicubic2d", *CORNERS),
    resized("trilinear", 3, "upsample_trilinear3d", *CORNERS),
    resized("bilinear", 2, "upsample_bilinear2d_aa", *SMOOTH),
    resized("bicubic", 2, "upsample_bicubic2d_aa", *SMOOTH),
    resized("lanczos", 2, "upsample_lanczos2d_aa", *SMOOTH),
    *(resized("area", dims, "") for dims in (1, 2, 3)),
    Entry(
        "interpolate bytes",
        function("nn.functional.interpolate"),
        tuple(
            Sample(BYTES, size, None, mode, antialias=smooth)
            for mode in ("bilinear", "bicubic")
            for smooth in (False, True)
            for size in ([3, 9], [7, 4])
        ),
        operators="",
        half=False,
        first=False,
    ),
    # Where the size stays, or is doubled, PyTorch does not always look at the factor.
    layer(
        "interpolate",
        *(
            Sample(at(1, 1, *[4] * dims), None, [1.2, 2.2, 1.1][:dims], mode)
            for mode, dims in (("linear", 1), ("nearest", 2), ("bilinear", 2), ("trilinear", 3))
        ),
        operators="",
        half=False,
    ),
    Entry(
        "interpolate the same size antialias",
        function("nn.functional.interpolate"),
        tuple(
            Sample(at(1, 1, 4, 4), None, [1.2, 1.6], mode, antialias=True)
            for mode in ("bilinear", "bicubic", "lanczos")
        ),
        operators="",
        half=False,
        first=False,
    ),
]


def seeded(name: str, place: str = "nn.functional.") -> Any:
    """A function that draws, from the start of a stream."""
    find = function(place + name)

    def call(torch: Any, *args: Any, **kwargs: Any) -> Any:
        torch.manual_seed(0)
        return find(torch, *args, **kwargs)

    return call


def drawing(name: str, *samples: Sample, operators: str, **options: Any) -> Entry:
    """An entry of a function that draws."""
    return Entry(name, seeded(name), samples, operators=operators, half_ulps=2, **options)


CHANCES = (0.1, 0.9)


def stepping(name: str, what: str, *samples: Sample, **options: Any) -> Entry:
    """An entry of a function of `torch` with gradient zero, whatever finite differences say."""
    options = {"operators": what.replace(" ", "_"), "second": False, "gradcheck": False, **options}
    return Entry(what, seeded(name, ""), samples, half_ulps=2, **options)


DRAWN = [
    stepping("bernoulli", "bernoulli", Sample(numbers(3, 4, domain=CHANCES))),
    stepping("bernoulli", "bernoulli p", Sample(numbers(3), 0.4), first=False),
    stepping("normal", "normal mean", Sample(numbers(3, 4)), Sample(numbers(20), 0.5)),
    stepping("normal", "normal std", Sample(2.0, numbers(3, domain=CHANCES))),
    stepping("normal", "normal", Sample(numbers(3), numbers(2, 1, domain=CHANCES))),
    drawing("dropout1d", Sample(at(3, 2, 4), 0.3), Sample(at(4, 2)), operators="mul"),
    drawing("dropout2d", Sample(at(3, 2, 2, 1), 1.0), Sample(at(3, 2, 2, 1)), operators="mul"),
    drawing("dropout3d", Sample(at(2, 3, 1, 2, 1)), operators="mul"),
    drawing(
        "alpha_dropout",
        Sample(at(3, 4), 0.4, True),
        Sample(at(3), 1.0, True),
        Sample(at(3)),
        operators="mul add",
        half=False,
    ),
    drawing(
        "feature_alpha_dropout", Sample(at(3, 4, 2), 0.4, True), operators="mul add", half=False
    ),
    drawing(
        "rrelu",
        Sample(at(3, 4), training=True),
        Sample(at(3, 4)),
        Sample(at(3), 0.2, 0.2, True),
        operators="rrelu_with_noise leaky_relu_backward",
        half=False,
    ),
    drawing(
        "gumbel_softmax", Sample(at(3, 4), 0.7), Sample(at(3, 4), dim=0), operators="", half=False
    ),
    Entry(
        "hard gumbel_softmax",
        seeded("gumbel_softmax"),
        (Sample(at(3, 4), 0.7, hard=True),),
        operators="",
        half=False,
        gradcheck=False,
    ),
    layer(
        "channel_shuffle",
        Sample(at(2, 6, 2), 3),
        Sample(at(1, 4, 1, 2), 2),
        operators="channel_shuffle",
        complex=True,
    ),
    layer(
        "pdist",
        *(Sample(at(4, 3), p) for p in (2.0, 1.0, 3.0, 0.5, np.inf, 0.0)),
        Sample(at(1, 3)),
        operators="pdist row_pairs row_pairs_backward",
        half=False,
        second=False,
    ),
]

MASK = np.array([[True, False, True], [True, True, True]])
ONE_KERNEL = (
    Sample(at(1, 2, 2, 4), at(1, 2, 3, 4, seed=1), at(1, 2, 3, 4, seed=2)),
    Sample(at(1, 2, 2, 4), at(1, 2, 3, 4, seed=1), at(1, 2, 3, 4, seed=2), MASK, scale=0.3),
    Sample(at(2, 1, 3, 2), at(2, 1, 3, 2, seed=1), at(2, 1, 3, 2, seed=2), is_causal=True),
    Sample(at(1, 4, 2, 3), at(1, 2, 3, 3, seed=1), at(1, 2, 3, 3, seed=2), enable_gqa=True),
)
SEVERAL = (
    Sample(at(2, 2, 4), at(2, 3, 4, seed=1), at(2, 3, 5, seed=2)),
    Sample(at(2, 4), at(3, 4, seed=1), at(3, 4, seed=2), at(2, 3, seed=3)),
    Sample(at(1, 2, 2, 4), at(1, 2, 3, 4, seed=1), at(1, 2, 3, 4, seed=2), at(2, 3, seed=3)),
    Sample(at(2, 4), at(2, 4, seed=1), at(2, 4, seed=2), np.array([[False] * 2, [True] * 2])),
    Sample(at(1, 4, 2, 4), at(1, 2, 3, 4, seed=1), at(1, 2, 3, 5, seed=2), enable_gqa=True),
)


def heads(torch: Any, x: Any, weight: Any, bias: Any, **options: Any) -> Any:
    """Attention of two heads of one tensor to itself."""
    out = torch.eye(4, dtype=x.dtype)
    rest = {"bias_k": None, "bias_v": None, "add_zero_attn": False, "dropout_p": 0.0, **options}
    forward = torch.nn.functional.multi_head_attention_forward
    output, weights = forward(
        x, x, x, 4, 2, weight, bias, out_proj_weight=out, out_proj_bias=None, **rest
    )
    return output if weights is None else (output, weights)


PROJECTED = (at(12, 4, seed=1), at(12, seed=2))
ATTENDING = [
    layer(
        "scaled_dot_product_attention",
        *SEVERAL,
        operators="safe_softmax",
        half=False,
    ),
    Entry(
        "attention in one kernel",
        function("nn.functional.scaled_dot_product_attention"),
        ONE_KERNEL,
        operators="flash_attention",
        half=False,
        second=False,
    ),
    Entry(
        "multi_head_attention_forward",
        heads,
        (
            Sample(at(3, 1, 4), *PROJECTED),
            Sample(at(3, 4), *PROJECTED, attn_mask=MASK[[0, 1, 1]] ^ True),
            Sample(at(2, 2, 4), *PROJECTED, key_padding_mask=np.array([[False, True]] * 2)),
            Sample(at(2, 1, 4), *PROJECTED, add_zero_attn=True, average_attn_weights=False),
        ),
        operators="",
        half=False,
    ),
]

SAMPLER = "grid_places grid_slopes grid_corner"
LOOKED_UP = [
    *(
        layer(
            f"grid_sample {mode} {padding}",
            *(
                Sample(at(2, 2, 3, 4), at(2, 2, 3, 2, seed=1), mode, padding, align)
                for align in (False, True)
            ),
            *(
                [Sample(at(1, 2, 2, 3, 4), at(1, 2, 1, 2, 3, seed=1), mode, padding, False)]
                if mode != "bicubic"
                else []
            ),
            operators=f"grid_sampler_2d grid_sampler_3d {SAMPLER}",
            half=False,
            gradcheck=padding == "zeros" and mode != "nearest",
        )
        for mode in ("bilinear", "nearest", "bicubic")
        for padding in ("zeros", "border", "reflection")
    ),
    layer(
        "affine_grid",
        Sample(at(2, 2, 3), (2, 1, 2, 3), True),
        Sample(at(1, 3, 4), (1, 1, 2, 1, 3), False),
        operators="affine_grid_generator affine_grid_generator_backward",
        half=False,
    ),
]

TABLE, ROWS = at(5, 3), np.array([0, 2, 2, 4, 1, 3])
STARTS = np.array([0, 2, 2, 5])
BAGS = [
    layer(
        "embedding_bag",
        *(Sample(ROWS, TABLE, STARTS, mode=mode) for mode in ("sum", "mean", "max")),
        Sample(ROWS.reshape(2, 3), TABLE, per_sample_weights=at(2, 3, seed=1), mode="sum"),
        Sample(ROWS, TABLE, STARTS, padding_idx=2),
        Sample(ROWS, TABLE, STARTS, padding_idx=2, mode="max"),
        Sample(np.array([1, 2, 0]), TABLE, np.array([0, 2]), scale_grad_by_freq=True),
        Sample(ROWS, TABLE, np.array([0, 2, 2, 6]), include_last_offset=True),
        Sample(ROWS, TABLE, STARTS, mode="sum", per_sample_weights=at(6, seed=1), padding_idx=1),
        operators="embedding_bag",
        half=False,
        second=False,
    ),
]

ENTRIES = [*BAGS, *LOOKED_UP, *ATTENDING, *DRAWN, *CONVOLVED, *POOLED, *NORMALISED, *RESIZED]
