"""What autocast does with which function: lists that were found by running PyTorch's.

Operators of the table are named as it names them; functions that are made of several operators
by their public names. The rest is left alone: it computes in the type that its operands have.
"""

__all__ = ["ALONE", "LOW", "LOW_OPERATORS", "WIDE", "WIDE_OPERATORS"]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOW_OPERATORS = _names("""
    addbmm addmm affine_grid_generator baddbmm bmm mkldnn_rnn_layer mm
""")

LOW = _names("""
    conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d linear
    matmul prelu rnn_relu_cell rnn_tanh_cell scaled_dot_product_attention
""")

WIDE_OPERATORS = _names("""
    adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy
    binary_cross_entropy_with_logits cdist cholesky cholesky_inverse cholesky_solve ctc_loss
    fft_c2c fft_c2r fft_r2c fractional_max_pool2d fractional_max_pool3d geqrf grid_sampler_2d
    grid_sampler_3d huber_loss linalg_cholesky_ex linalg_eig linalg_eigh linalg_eigvals
    linalg_eigvalsh linalg_householder_product linalg_inv_ex linalg_lstsq linalg_pinv linalg_qr
    linalg_solve_ex linalg_svd linalg_svdvals max_pool3d_with_indices max_unpool2d max_unpool3d
    mse_loss multi_margin_loss multilabel_margin_loss nll_loss nll_loss2d ormqr polar prod
    prod_dim reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d
    replication_pad3d smooth_l1_loss soft_margin_loss trace triangular_solve view_as_complex
""")

WIDE = _names("""
    adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy
    binary_cross_entropy_with_logits cdist cholesky cholesky_ex cond cosine_embedding_loss
    cross_entropy ctc_loss eig eigh eigvals eigvalsh fft fft2 fftn fractional_max_pool2d
    fractional_max_pool3d grid_sample hfft hfft2 hfftn hinge_embedding_loss householder_product
    huber_loss ifft ifft2 ifftn ihfft ihfft2 ihfftn inv inv_ex inverse irfft irfft2 irfftn
    istft kl_div l1_loss lstsq lu lu_factor lu_factor_ex matrix_rank max_pool3d max_unpool2d
    max_unpool3d mse_loss multi_margin_loss multilabel_margin_loss nanquantile nll_loss pinv
    pinverse poisson_nll_loss qr quantile rfft rfft2 rfftn smooth_l1_loss soft_margin_loss
    solve solve_ex stft svd svdvals triplet_margin_loss
""")

# What is left alone although it is made of products.
ALONE = _names("bilinear")
