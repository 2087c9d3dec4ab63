"""The functions that a masked tensor has an answer to, by what is done with the mask."""

from seegrad.arrays import dtypes

__all__ = ["AS_ANY", "BOOL", "ELEMENTWISE", "PLACING", "REDUCTIONS", "SUPPORTED"]

BOOL = dtypes.bool_
SUPPORTED = frozenset(
    f"torch.{name}"
    for name in ("float16", "float32", "float64", "bool", "int8", "int16", "int32", "int64")
)

# The mask stays: each element by itself. Special methods (`__radd__`) without their underscores.
ELEMENTWISE = frozenset(
    ["abs", "absolute", "acos", "acosh", "add", "and", "angle", "arccos", "arccosh", "arcsin"]
    + ["arcsinh", "arctan", "arctan2", "arctanh", "asin", "asinh", "atan", "atan2", "atanh"]
    + ["bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift"]
    + ["bitwise_xor", "bool", "ceil", "clamp", "clip", "cos", "cosh", "deg2rad", "digamma", "div"]
    + ["divide", "double", "eq", "erf", "erfc", "erfinv", "exp", "exp2", "expm1", "fix", "float"]
    + ["floor", "floor_divide", "floordiv", "fmax", "fmin", "fmod", "frac", "ge", "greater"]
    + ["greater_equal", "gt", "half", "int", "invert", "isfinite", "isinf", "isnan", "ldexp", "le"]
    + ["less", "less_equal", "lgamma", "log", "log10", "log1p", "log2", "logaddexp"]
    + ["logaddexp2", "logit", "long", "lshift", "lt", "maximum", "minimum", "mod", "mul"]
    + ["multiply", "nan_to_num", "ne", "neg", "negative", "nextafter", "not_equal", "or", "pos"]
    + ["positive", "pow", "rad2deg", "radd", "rdiv", "reciprocal", "remainder", "rfloordiv"]
    + ["rmod", "rmul", "round", "rpow", "rshift", "rsqrt", "rsub", "rtruediv", "sgn", "sigmoid"]
    + ["sign", "signbit", "sin", "sinc", "sinh", "sqrt", "square", "sub", "subtract", "tan"]
    + ["tanh", "to", "true_divide", "truediv", "trunc", "type_as", "xor"]
)
# The same is done to the mask: elements go to other places.
PLACING = frozenset(
    ["cat", "chunk", "clone", "contiguous", "detach", "expand", "expand_as", "flatten", "getitem"]
    + ["index_select", "movedim", "narrow", "permute", "ravel", "reshape", "select", "split"]
    + ["squeeze", "stack", "swapaxes", "t", "transpose", "unbind", "unflatten", "unsqueeze"]
    + ["view", "view_as"]
)
REDUCTIONS = frozenset(["amax", "amin", "argmax", "argmin", "mean", "prod", "std", "sum", "var"])
# What is the same as of any tensor.
AS_ANY = frozenset(
    ["dim", "ndimension", "numel", "nelement", "size", "stride", "element_size", "__len__"]
    + ["is_floating_point", "is_complex", "is_signed", "is_same_size", "is_contiguous"]
)
