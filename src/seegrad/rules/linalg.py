"""Derivatives of matrix products and what is added to them."""

from typing import Any

from seegrad.rules.spec import multilinear, size_of

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it


def scaled(x: Value, factor: Any) -> Value:
    """`factor * x`, and `x` itself where the factor is 1."""
    return x if factor == 1 else x * factor


def left_factor(xp: Xp, grad: Value, mat2: Value, strides: tuple[int, ...]) -> Value:
    """`grad @ mat2.T`, laid out in memory as the factor whose gradient it is.

    A factor that lies column by column, as the transposed weight of a layer does, gets a gradient
    that does so too.
    """
    if strides[0] < strides[1]:
        return xp.t(xp.mm(mat2, xp.t(grad)))
    return xp.mm(grad, xp.t(mat2))


def right_factor(xp: Xp, grad: Value, self: Value, strides: tuple[int, ...]) -> Value:
    """`self.T @ grad`, laid out likewise."""
    if strides[0] < strides[1]:
        return xp.t(xp.mm(xp.t(grad), self))
    return xp.mm(xp.t(self), grad)


multilinear(
    "mm(self, mat2)",
    self=lambda xp, grad, mat2, self_shape, self_strides: left_factor(
        xp, grad, mat2, self_strides
    ),
    mat2=lambda xp, grad, self, mat2_shape, mat2_strides: right_factor(
        xp, grad, self, mat2_strides
    ),
)
multilinear(
    "mv(self, vec)",
    self=lambda xp, grad, vec: xp.unsqueeze(grad, 1) * vec,
    vec=lambda xp, grad, self: xp.mv(xp.t(self), grad),
)
multilinear(
    "dot(self, tensor)",
    self=lambda xp, grad, tensor: grad * tensor,
    tensor=lambda xp, grad, self: grad * self,
)
# Conjugate-linear in self, so the whole rule is written.
multilinear(
    "vdot(self, other)",
    holomorphic=False,
    self=lambda xp, grad, other: xp.conj(grad) * other,
    other=lambda xp, grad, self: grad * self,
)
multilinear(
    "bmm(self, mat2)",
    self=lambda xp, grad, mat2: xp.bmm(grad, xp.transpose(mat2, 1, 2)),
    mat2=lambda xp, grad, self: xp.bmm(xp.transpose(self, 1, 2), grad),
)
multilinear(
    "addmm(self, mat1, mat2, beta=1, alpha=1)",
    inplace=True,
    self=lambda xp, grad, beta: scaled(grad, beta),
    mat1=lambda xp, grad, mat2, alpha, mat1_shape, mat1_strides: scaled(
        left_factor(xp, grad, mat2, mat1_strides), alpha
    ),
    mat2=lambda xp, grad, mat1, alpha, mat2_shape, mat2_strides: scaled(
        right_factor(xp, grad, mat1, mat2_strides), alpha
    ),
)
multilinear(
    "addmv(self, mat, vec, beta=1, alpha=1)",
    inplace=True,
    self=lambda xp, grad, beta: scaled(grad, beta),
    mat=lambda xp, grad, vec, alpha: scaled(xp.unsqueeze(grad, 1) * vec, alpha),
    vec=lambda xp, grad, mat, alpha: scaled(xp.mv(xp.t(mat), grad), alpha),
)
multilinear(
    "baddbmm(self, batch1, batch2, beta=1, alpha=1)",
    inplace=True,
    self=lambda xp, grad, beta: scaled(grad, beta),
    batch1=lambda xp, grad, batch2, alpha: scaled(xp.bmm(grad, xp.transpose(batch2, 1, 2)), alpha),
    batch2=lambda xp, grad, batch1, alpha: scaled(xp.bmm(xp.transpose(batch1, 1, 2), grad), alpha),
)


def each_batch(xp: Xp, grad: Value, batches: int) -> Value:
    """The gradient of the sum of products, the same for each of them."""
    return xp.expand(grad, (batches, *grad.shape))


multilinear(
    "addbmm(self, batch1, batch2, beta=1, alpha=1)",
    inplace=True,
    attributes={
        "batch1_sym_argsize_0": size_of("batch1", 0),
        "batch1_sym_argsize_1": size_of("batch1", 1),
        "batch2_sym_argsize_2": property(lambda node: node._input_metadata[0].shape[1]),
    },
    self=lambda xp, grad, beta: scaled(grad, beta),
    batch1=lambda xp, grad, batch1_shape, batch2, alpha: scaled(
        xp.bmm(each_batch(xp, grad, batch1_shape[0]), xp.transpose(batch2, 1, 2)), alpha
    ),
    batch2=lambda xp, grad, batch1, batch1_shape, alpha: scaled(
        xp.bmm(xp.transpose(batch1, 1, 2), each_batch(xp, grad, batch1_shape[0])), alpha
    ),
)
multilinear(
    "addr(self, vec1, vec2, beta=1, alpha=1)",
    inplace=True,
    self=lambda xp, grad, beta: scaled(grad, beta),
    vec1=lambda xp, grad, vec2, alpha: scaled(xp.mv(grad, vec2), alpha),
    vec2=lambda xp, grad, vec1, alpha: scaled(xp.mv(xp.t(grad), vec1), alpha),
)
multilinear(
    "linalg_cross(self, other, dim=-1)",
    self=lambda xp, grad, other, dim: xp.linalg_cross(other, grad, dim),
    other=lambda xp, grad, self, dim: xp.linalg_cross(grad, self, dim),
)
