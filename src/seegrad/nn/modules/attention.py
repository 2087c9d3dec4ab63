"""`MultiheadAttention`."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn import init
from seegrad.nn.modules.linear import NonDynamicallyQuantizableLinear
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.tensor.creation import empty
from seegrad.tensor.tensor import Tensor


class MultiheadAttention(Module):
    """Attention of several heads: softmax of the products of queries and keys weighs values.

    Args: `embed_dim`, `num_heads`, `dropout` of the weights, `bias`, `add_bias_kv` (a learnt key
    and value more), `add_zero_attn` (one of zeros), `kdim` and `vdim` where keys and values have
    other sizes, `batch_first`. Shapes: query (l, n, e), key (s, n, kdim), value (s, n, vdim), with
    `batch_first` n before l and s; or all without n. Raises AssertionError where embed_dim is not
    divisible.

    >>> import seegrad as torch
    >>> x = torch.ones(3, 2, 4)
    >>> output, weights = torch.nn.MultiheadAttention(4, 2)(x, x, x)
    >>> output.shape, weights.shape
    (torch.Size([3, 2, 4]), torch.Size([2, 3, 3]))
    """

    bias_k: Tensor | None
    bias_v: Tensor | None
    in_proj_weight: Tensor | None
    in_proj_bias: Tensor | None
    q_proj_weight: Tensor | None
    k_proj_weight: Tensor | None
    v_proj_weight: Tensor | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, got "
                f"embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        options = {"device": device, "dtype": dtype}
        one = self._qkv_same_embed_dim
        for letter, size in zip("qkv", (embed_dim, self.kdim, self.vdim), strict=True):
            made = None if one else Parameter(empty((embed_dim, size), **options))
            self.register_parameter(f"{letter}_proj_weight", made)
        joined = Parameter(empty((3 * embed_dim, embed_dim), **options)) if one else None
        self.register_parameter("in_proj_weight", joined)
        self.register_parameter(
            "in_proj_bias", Parameter(empty(3 * embed_dim, **options)) if bias else None
        )
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, **options)
        for name in ("bias_k", "bias_v"):
            made = Parameter(empty((1, 1, embed_dim), **options)) if add_bias_kv else None
            if made is None:
                setattr(self, name, None)
            else:
                self.register_parameter(name, made)
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        weights = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        for weight in (self.in_proj_weight, *weights):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)  # type: ignore[arg-type]
        for extra in (self.bias_k, self.bias_v):
            if extra is not None:
                init.xavier_normal_(extra)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """The output, of the query's shape, and the weights (n, l, s) if they are wanted."""
        turned = self.batch_first and query.ndim == 3
        if turned:
            query, key, value = _turned(query, key, value)
        separate = {
            "use_separate_proj_weight": True,
            "q_proj_weight": self.q_proj_weight,
            "k_proj_weight": self.k_proj_weight,
            "v_proj_weight": self.v_proj_weight,
        }
        more: Any = {} if self._qkv_same_embed_dim else separate
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight,
            self.in_proj_bias, self.bias_k, self.bias_v, self.add_zero_attn, self.dropout,
            self.out_proj.weight, self.out_proj.bias, self.training, key_padding_mask,
            need_weights, attn_mask, average_attn_weights=average_attn_weights,
            is_causal=is_causal, **more,
        )  # fmt: skip
        return (output.transpose(1, 0) if turned else output), weights


def _turned(query: Any, key: Any, value: Any) -> tuple[Any, Any, Any]:
    """Batch and places exchanged; what was one tensor stays one."""
    if key is not value:
        return query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
    if query is key:
        query = key = query.transpose(1, 0)
        return query, key, key
    key = key.transpose(1, 0)
    return query.transpose(1, 0), key, key
