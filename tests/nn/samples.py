"""Sample arguments of every module: `arguments -> inputs`, several samples divided by `|`.

In inputs `R(2, 3)` is a tensor of normal numbers that requires a gradient, `P` one of positive
numbers, `U` of numbers between 0 and 1, `I(n, 2)` one of whole numbers below n, `S` of signs.
"""

_SHAPES = {1: "1, 2, 6", 2: "1, 2, 6, 6", 3: "1, 2, 6, 6, 6"}

SAMPLES = {
    "AdaptiveLogSoftmaxWithLoss": "8, 20, [5, 10] -> R(4, 8), I(20, 4)",
    "Bilinear": "2, 3, 4 -> R(5, 2), R(5, 3) | 2, 3, 4, False -> R(5, 2), R(5, 3)",
    "BCELoss": " -> U(3, 2), torch.ones(3, 2).double()",
    "BCEWithLogitsLoss": "reduction='sum' -> R(3, 2), torch.ones(3, 2).double()",
    "CTCLoss": " -> R(6, 2, 4).log_softmax(2), I(3, 2, 2) + 1, (6, 6), (2, 1)",
    "ChannelShuffle": "3 -> R(1, 6, 2)",
    "CosineEmbeddingLoss": "0.1 -> R(3, 4), R(3, 4), S(3)",
    "CosineSimilarity": " -> R(3, 4), R(3, 4)",
    "CrossEntropyLoss": "label_smoothing=0.1 -> R(4, 3), I(3, 4)",
    "CrossMapLRN2d": "3 -> R(1, 6, 2, 3).detach()",
    "DataParallel": "torch.nn.Linear(2, 3) -> R(4, 2)",
    "Embedding": "5, 3, padding_idx=1 -> I(5, 2, 4)",
    "EmbeddingBag": "5, 3 -> I(5, 2, 4) | 5, 3, mode='max' -> I(5, 2, 4)",
    "Flatten": " -> R(2, 3, 4)",
    "Unflatten": "1, (2, 3) -> R(2, 6)",
    "Fold": "(3, 4), 2 -> R(1, 8, 6)",
    "Unfold": "2, padding=1 -> R(1, 2, 3, 3)",
    "FractionalMaxPool2d": "2, output_size=3 -> R(1, 2, 6, 6)",
    "FractionalMaxPool3d": "2, output_ratio=0.5 -> R(1, 1, 4, 4, 6)",
    "GLU": "1 -> R(2, 4)",
    "GRU": "3, 4, 2, batch_first=True -> R(2, 5, 3) | 3, 4, bidirectional=True -> R(5, 2, 3)",
    "LSTM": "3, 4, 2, proj_size=2 -> R(5, 2, 3) | 3, 4, bidirectional=True -> R(5, 2, 3)",
    "RNN": "3, 4, nonlinearity='relu' -> R(5, 2, 3)",
    "GRUCell": "3, 4 -> R(2, 3)",
    "LSTMCell": "3, 4 -> R(2, 3)",
    "RNNCell": "3, 4 -> R(2, 3)",
    "GaussianNLLLoss": " -> R(3, 2), R(3, 2), P(3, 2)",
    "GroupNorm": "2, 4 -> R(2, 4, 3)",
    "HingeEmbeddingLoss": " -> R(3, 2), S(3, 2)",
    "Identity": " -> R(3, 2)",
    "KLDivLoss": "reduction='batchmean' -> R(3, 2), U(3, 2)",
    "LayerNorm": "(3, 2) -> R(2, 3, 2) | 2, bias=False -> R(3, 2)",
    "Linear": "3, 2 -> R(4, 3) | 3, 2, False -> R(3)",
    "LinearCrossEntropyLoss": "4, 3 -> R(2, 4), I(3, 2)",
    "LocalResponseNorm": "2 -> R(1, 3, 4)",
    "LazyLinear": "3 -> R(2, 4)",
    "MarginRankingLoss": " -> R(3), R(3), S(3)",
    "ModuleDict": "",
    "ModuleList": "",
    "ParameterDict": "",
    "ParameterList": "[torch.ones(2), torch.zeros(3)]",
    "Module": "",
    "Container": "",
    "MultiLabelMarginLoss": " -> R(2, 3), torch.tensor([[0, -1, 1], [1, 2, -1]])",
    "MultiLabelSoftMarginLoss": " -> R(2, 3), I(2, 2, 3).double()",
    "MultiMarginLoss": " -> R(2, 3), I(3, 2)",
    "MultiheadAttention": "4, 2 -> R(3, 2, 4), R(5, 2, 4), R(5, 2, 4)",
    "NLLLoss": " -> R(4, 3), I(3, 4)",
    "NLLLoss2d": " -> R(2, 3, 2, 2), I(3, 2, 2, 2)",
    "PReLU": " -> R(3, 2) | 2 -> R(3, 2)",
    "PairwiseDistance": " -> R(3, 4), R(3, 4)",
    "PixelShuffle": "2 -> R(1, 4, 2, 1)",
    "PixelUnshuffle": "2 -> R(1, 1, 2, 4)",
    "PoissonNLLLoss": " -> R(3, 2), P(3, 2)",
    "RMSNorm": "3 -> R(2, 3)",
    "Sequential": "torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1) -> R(2, 3)",
    "SoftMarginLoss": " -> R(3, 2), S(3, 2)",
    "Softmax2d": " -> R(1, 3, 2, 1)",
    "SyncBatchNorm": "3 -> R(2, 3, 4)",
    "Threshold": "0.1, 2.0 -> R(3, 4)",
    "Transformer": "4, 2, 1, 1, 8, 0.0 -> R(3, 2, 4), R(5, 2, 4)",
    "TransformerEncoderLayer": "4, 2, 8 -> R(3, 2, 4)",
    "TransformerDecoderLayer": "4, 2, 8 -> R(3, 2, 4), R(5, 2, 4)",
    "TransformerEncoder": "torch.nn.TransformerEncoderLayer(4, 2, 8, 0.0), 2 -> R(3, 2, 4)",
    "TransformerDecoder":
        "torch.nn.TransformerDecoderLayer(4, 2, 8, 0.0), 2 -> R(3, 2, 4), R(5, 2, 4)",
    "TripletMarginLoss": " -> R(3, 4), R(3, 4), R(3, 4)",
    "TripletMarginWithDistanceLoss": " -> R(3, 4), R(3, 4), R(3, 4)",
    "Upsample": "scale_factor=2, mode='nearest' -> R(1, 1, 2, 3)",
    "UpsamplingBilinear2d": "4 -> R(1, 1, 2, 3)",
    "UpsamplingNearest2d": "4 -> R(1, 1, 2, 3)",
}  # fmt: skip
for (
    _name
) in """ReLU ReLU6 RReLU Hardtanh Sigmoid SiLU Tanh CELU ELU SELU GELU Hardshrink Hardsigmoid
    Hardswish LeakyReLU LogSigmoid Mish Softplus Softshrink Softsign Tanhshrink Dropout
    AlphaDropout FeatureAlphaDropout""".split():
    SAMPLES[_name] = " -> R(3, 4, 2)"
for _name in ("Softmax", "LogSoftmax", "Softmin"):
    SAMPLES[_name] = "1 -> R(3, 4)"
for _name in ("L1Loss", "MSELoss", "SmoothL1Loss", "HuberLoss"):
    SAMPLES[_name] = " -> R(3, 2), R(3, 2) | reduction='none' -> R(3, 2), R(3, 2)"
for _d, _size in _SHAPES.items():
    _some = {
        "Conv": f"2, 4, 3, padding=1 -> R({_size})",
        "ConvTranspose": f"2, 4, 3, 2, 1, 1 -> R({_size})",
        "LazyConv": f"4, 3 -> R({_size})",
        "LazyConvTranspose": f"4, 3 -> R({_size})",
        "MaxPool": f"2 -> R({_size}) | 3, 2, 1, return_indices=True -> R({_size})",
        "MaxUnpool": f"2 -> *torch.nn.MaxPool{_d}d(2, return_indices=True)(R({_size}))",
        "AvgPool": f"2 -> R({_size})",
        "LPPool": f"2, 2 -> R({_size})",
        "AdaptiveAvgPool": f"4 -> R({_size})",
        "AdaptiveMaxPool": f"4 -> R({_size})",
        "BatchNorm": f"2 -> R(3, {_size[3:]}) | 2, affine=False -> R(3, {_size[3:]})",
        "InstanceNorm": f"2, affine=True, track_running_stats=True -> R({_size})",
        "LazyBatchNorm": f" -> R(3, {_size[3:]})",
        "LazyInstanceNorm": f" -> R({_size})",
        "Dropout": f" -> R(4, {_size[3:]})",
        "ZeroPad": f"1 -> R({_size})",
        "ConstantPad": f"1, 2.5 -> R({_size})",
        "ReflectionPad": f"1 -> R({_size})",
        "ReplicationPad": f"1 -> R({_size})",
        "CircularPad": f"1 -> R({_size})",
    }
    SAMPLES.update({f"{name}{_d}d": sample for name, sample in _some.items()})
