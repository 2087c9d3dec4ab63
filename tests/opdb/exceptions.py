"""Where other dtypes do not agree with PyTorch: the entries of its table, each with its reason."""

# By reason and entry: the dtypes whose values differ.
VALUES: dict[str, dict[str, str]] = {
    "complex32, which NumPy has no type for": {
        "chalf": "float32 complex64 int8 int16 int32 int64 uint8 bool float16 bfloat16",
        "complex": "float16",
        "view_as_complex": "float16",
    },
    "one row times one column of a type that is not added up": {
        "tensordot": "bool",
    },
    "which of several equal elements is found is not determined": {
        "mode": "complex64 int8 int16 int32 int64 uint8 bool float16 bfloat16",
    },
    "infinite at whole numbers below 1, where PyTorch has large numbers": {
        "polygamma.polygamma_n_0": "int8 int16",
        "polygamma.polygamma_n_1": "int8 int16",
        "polygamma.polygamma_n_2": "int8 int16",
        "polygamma.polygamma_n_3": "int8 int16",
        "polygamma.polygamma_n_4": "int8 int16",
        "special.polygamma.special_polygamma_n_0": "int8 int16",
    },
    "right far to the left, where PyTorch's float64 is not": {
        "special.ndtr": "bfloat16",
    },
}

# Entries that refuse some types in other words than PyTorch, or take them.
REFUSALS = frozenset(
    """
    __rmatmul__ bernoulli geometric gradient histc histogram
    masked.amax masked.amin masked.argmax masked.argmin masked.log_softmax masked.logaddexp
    masked.norm masked.softmax masked.softmin matmul nn.functional.adaptive_avg_pool3d
    nn.functional.bilinear nn.functional.conv1d
    nn.functional.conv2d nn.functional.conv3d nn.functional.cosine_embedding_loss
    nn.functional.cross_entropy
    nn.functional.gaussian_nll_loss nn.functional.interpolate.nearest
    nn.functional.interpolate.nearest-exact nn.functional.linear
    nn.functional.margin_ranking_loss nn.functional.max_pool2d nn.functional.max_unpool2d
    nn.functional.max_unpool2d.grad nn.functional.multi_head_attention_forward
    nn.functional.nll_loss nn.functional.scaled_dot_product_attention
    nn.functional.upsample_nearest pca_lowrank stft svd_lowrank tensordot
    """.split()
)
