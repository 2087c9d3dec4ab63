"""CUDA: not built in. The switches of its matrix products keep what is assigned to them."""

__all__ = ["is_built", "matmul"]


class _Matmul:
    """Precision switches of matrix products on CUDA devices."""

    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    fp32_precision = "none"


matmul = _Matmul()


def is_built() -> bool:
    """False."""
    return False
