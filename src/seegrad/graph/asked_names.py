"""How PyTorch speaks of its functions when it asks a class (Note [Asked])."""

__all__ = [
    "ALIASES",
    "BINARY",
    "DATA",
    "IN_NN",
    "IN_TORCH",
    "METHODS",
    "NEVER",
    "PLACES",
    "SYMBOLS",
    "WITHOUT_OUT",
    "style_of",
]

# What a special method is called by: `-x` asks for `Tensor.neg`.
ALIASES = {
    "__add__": "add", "__radd__": "add", "__sub__": "sub", "__mul__": "mul", "__rmul__": "mul",
    "__truediv__": "div", "__matmul__": "matmul", "__mod__": "remainder", "__neg__": "neg",
    "__pos__": "positive", "__abs__": "abs", "__lt__": "lt", "__le__": "le", "__gt__": "gt",
    "__ge__": "ge", "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_",
    "__itruediv__": "div_", "__rand__": "__and__", "__ror__": "__or__", "__rxor__": "__xor__",
    "__ne__": "ne", "__ifloordiv__": "floor_divide_", "__imod__": "remainder_",
}  # fmt: skip

# Special methods whose function is the generated operator itself.
SYMBOLS = frozenset(
    ["__add__", "__radd__", "__sub__", "__mul__", "__rmul__", "__truediv__", "__and__"]
    + ["__rand__", "__or__", "__ror__", "__xor__", "__rxor__", "__lshift__", "__rshift__"]
    + ["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"]
)

# The method that each of these operators stands for.
METHODS = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "eq": "__eq__", "ne": "ne",
    "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "bitwise_and": "__and__",
    "bitwise_or": "__or__", "bitwise_xor": "__xor__", "bitwise_left_shift": "__lshift__",
    "bitwise_right_shift": "__rshift__",
}  # fmt: skip

# Special methods that leave it to the other operand when nobody knows an answer.
BINARY = SYMBOLS | frozenset(
    ["__rsub__", "__rtruediv__", "__floordiv__", "__rfloordiv__", "__mod__", "__rmod__", "__pow__"]
    + ["__rpow__", "__matmul__", "__rmatmul__", "__rlshift__", "__rrshift__", "__iadd__"]
    + ["__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__", "__ipow__", "__iand__"]
    + ["__ior__", "__ixor__", "__ilshift__", "__irshift__", "__idiv__", "__rdiv__"]
)

# What nobody is asked of.
NEVER = {
    "torch": frozenset(
        ["are_deterministic_algorithms_enabled", "broadcast_shapes", "can_cast", "compile"]
        + ["from_dlpack", "from_numpy", "get_default_device", "get_default_dtype"]
        + ["get_num_threads", "get_rng_state", "initial_seed", "is_anomaly_check_nan_enabled"]
        + ["is_anomaly_enabled", "is_grad_enabled", "is_inference_mode_enabled", "is_storage"]
        + ["is_tensor", "is_warn_always_enabled", "manual_seed", "promote_types", "seed"]
        + ["set_anomaly_enabled", "set_warn_always"]
        + ["set_default_device", "set_default_dtype", "set_default_tensor_type"]
        + ["set_float32_matmul_precision", "set_num_interop_threads", "set_num_threads"]
        + ["set_printoptions", "set_rng_state", "typename", "use_deterministic_algorithms"]
    ),
    "torch.Tensor": frozenset(
        ["__new__", "__init__", "__init_subclass__", "__delitem__", "__iter__", "__hash__"]
        + ["as_subclass", "_make_subclass", "isin"]
    ),
    "torch.autograd": frozenset(["gradcheck", "gradgradcheck", "variable", "is_grad_enabled"]),
}

# What only modes are asked of: no argument is a tensor.
_MADE = frozenset(
    ["arange", "as_tensor", "asarray", "empty", "empty_strided", "eye", "full", "linspace"]
    + ["logspace", "ones", "rand", "randint", "randn", "randperm", "scalar_tensor", "tensor"]
    + ["tril_indices", "triu_indices", "zeros"]
)

# Those of them that take data, of whatever class: of the others, a size or a number may be asked.
DATA = frozenset(["as_tensor", "asarray", "tensor"])

# What is written in Python there: arguments are handed on with their defaults, by name.
_PYTHON = {
    "torch": frozenset(
        ["atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors"]
        + ["cartesian_prod", "cdist", "chain_matmul", "einsum", "meshgrid", "norm", "split"]
        + ["tensordot", "unique", "unique_consecutive", "unravel_index"]
    ),
    "torch.Tensor": frozenset(
        ["__array__", "__array_wrap__", "__contains__", "__deepcopy__", "__dlpack__"]
        + ["__dlpack_device__", "__floordiv__", "__format__", "__len__", "__pow__", "__ipow__"]
        + ["__reduce_ex__", "__repr__", "__reversed__", "__rfloordiv__", "__rlshift__"]
        + ["__rmatmul__", "__rmod__", "__rpow__", "__rrshift__", "__rsub__", "__rtruediv__"]
        + ["backward", "is_shared", "norm", "register_hook"]
        + ["register_post_accumulate_grad_hook", "share_memory_", "split", "unflatten"]
        + ["unique", "unique_consecutive"]
    ),
    "torch.autograd": frozenset(["backward", "grad"]),
}
# Functions of torch.nn.functional that PyTorch has in C++: those of `torch._C._nn` and of `torch`.
IN_NN = frozenset(
    ["avg_pool2d", "avg_pool3d", "elu_", "gelu", "hardtanh_", "leaky_relu_", "linear"]
    + ["logsigmoid", "one_hot", "scaled_dot_product_attention", "softplus", "softshrink"]
)
IN_TORCH = frozenset(
    ["adaptive_avg_pool1d", "avg_pool1d", "bilinear", "celu_", "channel_shuffle", "conv1d"]
    + ["conv2d", "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]
    + ["cosine_similarity", "hardshrink", "native_channel_shuffle", "pairwise_distance", "pdist"]
    + ["pixel_shuffle", "pixel_unshuffle", "prelu", "relu_", "rrelu_", "selu_", "threshold_"]
)

# What takes no `out` in torch.nn.functional.
WITHOUT_OUT = frozenset(["log_softmax", "softmax"])

# Where PyTorch says that its Python functions stand.
PLACES = {"torch": "torch.functional", "torch.Tensor": "torch._tensor"}


def style_of(place: str, name: str) -> str:
    """How a function asks: as "C", "Python" or, where only modes are asked, "mode"."""
    if place == "torch.nn.functional":
        return "C" if name in IN_NN or name in IN_TORCH else "Python"
    if name in _PYTHON.get(place, ()):
        return "Python"
    return "mode" if place == "torch" and name in _MADE else "C"
