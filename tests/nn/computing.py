"""Outputs and gradients of all layers, activations and losses."""

from typing import Any

from tests.observe import attempt, rounded

_ACTIVATIONS = """
ReLU() ReLU6() LeakyReLU(0.2) ELU(1.5) SELU() CELU(1.5) GELU() GELU("tanh") SiLU() Mish()
Softplus(2,3) Sigmoid() LogSigmoid() Tanh() Hardtanh(-0.5,1) Hardsigmoid() Hardswish()
Hardshrink() Softshrink() Tanhshrink() Softsign() Threshold(0.1,2) PReLU() PReLU(4) Softmax(1)
LogSoftmax(0) Softmin(1) GLU(1) Identity() Flatten(0) Unflatten(1,(2,2)) Dropout(0.3)
Linear(4,3) Linear(4,3,False)
"""


def _run(torch: Any, module: Any, *inputs: Any) -> Any:
    """The output, and the gradients of inputs and parameters of a weighted sum of it."""
    out = module.double()(*inputs)
    weights = torch.linspace(0.5, 1.5, out.numel(), dtype=torch.float64).reshape(out.shape)
    (out * weights).sum().backward()
    leaves = [t for t in (*inputs, *module.parameters()) if t.requires_grad]
    return [rounded(out, 5), *(rounded(leaf.grad, 5) for leaf in leaves)]


def _input(torch: Any, *size: int) -> Any:
    """Random numbers in double precision, so that rounded answers are the same everywhere."""
    return torch.randn(*size, dtype=torch.float64, requires_grad=True)


def activations(torch: Any) -> Any:
    seen = {}
    for text in _ACTIVATIONS.split():
        module = eval(text, vars(torch.nn).copy())
        torch.manual_seed(1)
        seen[text] = _run(torch, module, _input(torch, 3, 4))
    return seen


def in_place(torch: Any) -> Any:
    nn = torch.nn
    made = [nn.ReLU(True), nn.ReLU6(True), nn.LeakyReLU(0.1, True), nn.ELU(1.0, True),
            nn.SELU(True), nn.CELU(1.0, True), nn.SiLU(True), nn.Hardtanh(inplace=True),
            nn.Hardswish(True), nn.Hardsigmoid(True), nn.Threshold(0.1, 2.0, True),
            nn.Dropout(0.5, True), nn.Mish(True)]  # fmt: skip
    seen = []
    for module in made:
        x = _input(torch, 5)
        middle = x * 1
        out = module(middle)
        out.sum().backward()
        seen.append([type(module).__name__, out is middle, rounded(out), rounded(x.grad)])
    return seen


def in_place_functions(torch: Any) -> Any:
    F, seen = torch.nn.functional, []
    for name, rest in [("relu_", ()), ("elu_", (0.5,)), ("celu_", (0.5,)), ("selu_", ()),
                       ("leaky_relu_", (0.2,)), ("hardtanh_", (-0.5, 0.5)),
                       ("threshold_", (0.1, 2.0))]:  # fmt: skip
        x = _input(torch, 5)
        middle = x * 1
        function = getattr(F, name)
        out = function(middle, *rest)
        out.sum().backward()
        seen.append([out is middle, rounded(x.grad)])
        seen.append(attempt(lambda f=function, x=x, r=rest: f(x, *r)))
    return seen


def layers(torch: Any) -> Any:
    nn = torch.nn
    places = torch.tensor([[0, 1], [3, 1]])
    return [
        _run(torch, nn.Linear(3, 2), _input(torch, 3)),
        _run(torch, nn.Linear(3, 2), _input(torch, 2, 2, 3)),
        _run(torch, nn.Bilinear(2, 3, 2), _input(torch, 4, 2), _input(torch, 4, 3)),
        _run(torch, nn.Embedding(4, 2, padding_idx=1), places),
        _run(torch, nn.Embedding(4, 2, scale_grad_by_freq=True), places),
        _run(torch, nn.Embedding.from_pretrained(torch.eye(4), freeze=False), places),
        _run(torch, nn.CosineSimilarity(), _input(torch, 4, 3), _input(torch, 4, 3)),
        _run(torch, nn.PairwiseDistance(), _input(torch, 4, 3), _input(torch, 4, 3)),
        _run(torch, nn.PairwiseDistance(1.0, keepdim=True), _input(torch, 3), _input(torch, 3)),
    ]


def training_and_evaluation(torch: Any) -> Any:
    dropout, ones = torch.nn.Dropout(0.5), torch.ones(10)
    return [rounded(dropout(ones)), rounded(dropout.eval()(ones)),
            rounded(torch.nn.Dropout(1.0)(ones)),
            rounded(torch.nn.Dropout(0.0)(ones))]  # fmt: skip


def regression_losses(torch: Any) -> Any:
    nn, target = torch.nn, torch.linspace(-1, 1, 6).double().reshape(2, 3)
    seen = []
    for reduction in ("mean", "sum", "none"):
        for make in (nn.MSELoss, nn.L1Loss, nn.SmoothL1Loss, nn.HuberLoss):
            loss = make(reduction=reduction)
            torch.manual_seed(1)
            seen.append(_run(torch, loss, _input(torch, 2, 3), target))
    seen.append(_run(torch, nn.SmoothL1Loss(beta=0.3), _input(torch, 2, 3), target))
    seen.append(_run(torch, nn.HuberLoss(delta=0.3), _input(torch, 2, 3), target))
    return seen


def class_losses(torch: Any) -> Any:
    nn, weight = torch.nn, torch.tensor([0.5, 1.0, 2.0])
    classes, shares = torch.tensor([0, 2, 1, 2]), torch.full((4, 3), 1 / 3).double()
    seen = []
    for reduction in ("mean", "sum", "none"):
        for options in ({}, {"weight": weight}, {"ignore_index": 2}, {"label_smoothing": 0.1}):
            loss = nn.CrossEntropyLoss(reduction=reduction, **options)
            seen.append(_run(torch, loss, _input(torch, 4, 3), classes))
        seen.append(_run(torch, nn.CrossEntropyLoss(reduction=reduction),
                         _input(torch, 4, 3), shares))  # fmt: skip
        scores = _input(torch, 4, 3).log_softmax(1).detach().requires_grad_()
        seen.append(_run(torch, nn.NLLLoss(weight, reduction=reduction), scores, classes))
    return seen


def binary_losses(torch: Any) -> Any:
    nn, target = torch.nn, torch.tensor([[0.0, 1.0], [1.0, 0.3]]).double()
    weight = torch.tensor([0.5, 2.0])
    seen = []
    for reduction in ("mean", "sum", "none"):
        chance = torch.rand(2, 2).double().requires_grad_()
        seen += [
            _run(torch, nn.BCELoss(weight, reduction=reduction), chance, target),
            _run(torch, nn.BCEWithLogitsLoss(reduction=reduction), _input(torch, 2, 2), target),
            _run(torch, nn.BCEWithLogitsLoss(weight, reduction=reduction, pos_weight=weight),
                 _input(torch, 2, 2), target),
            _run(torch, nn.KLDivLoss(reduction=reduction), _input(torch, 2, 2), target),
            _run(torch, nn.KLDivLoss(reduction=reduction, log_target=True),
                 _input(torch, 2, 2), target),
        ]  # fmt: skip
    return [*seen, _run(torch, nn.KLDivLoss(reduction="batchmean"), _input(torch, 2, 2), target)]


def networks(torch: Any) -> Any:
    nn = torch.nn
    net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
    x, y = torch.randn(16, 2), torch.randn(16, 1)
    losses = []
    for _ in range(5):
        loss = nn.functional.mse_loss(net(x), y)
        net.zero_grad()
        loss.backward()
        with torch.no_grad():
            for parameter in net.parameters():
                parameter -= 0.1 * parameter.grad
        losses.append(round(loss.item(), 5))
    return [losses, rounded(net(x[:2]), 4)]


def margin_losses(torch: Any) -> Any:
    nn, signs = torch.nn, torch.tensor([1.0, -1.0, 1.0, -1.0]).double()
    wide = signs.reshape(4, 1).expand(4, 3)
    classes, share = torch.tensor([0, 2, 1, 2]), (wide + 1) / 2
    seen = []
    for reduction in ("mean", "sum", "none"):
        pairs = [
            (nn.HingeEmbeddingLoss(reduction=reduction), 1, (wide,)),
            (nn.HingeEmbeddingLoss(0.5, reduction=reduction), 1, (wide,)),
            (nn.MarginRankingLoss(0.2, reduction=reduction), 2, (wide,)),
            (nn.CosineEmbeddingLoss(0.1, reduction=reduction), 2, (signs,)),
            (nn.SoftMarginLoss(reduction=reduction), 1, (wide,)),
            (nn.MultiMarginLoss(reduction=reduction), 1, (classes,)),
            (nn.MultiMarginLoss(2, 0.5, torch.ones(3) * 2, reduction=reduction), 1, (classes,)),
            (nn.MultiLabelSoftMarginLoss(reduction=reduction), 1, (share,)),
            (nn.TripletMarginLoss(reduction=reduction), 3, ()),
            (nn.TripletMarginLoss(2.0, p=1.0, swap=True, reduction=reduction), 3, ()),
            (nn.TripletMarginWithDistanceLoss(reduction=reduction), 3, ()),
            (nn.PoissonNLLLoss(reduction=reduction), 1, (share * 3,)),
            (nn.GaussianNLLLoss(reduction=reduction), 1, (wide, share + 0.5)),
            (nn.GaussianNLLLoss(full=True, reduction=reduction), 2, (0.5,)),
        ]
        for loss, count, rest in pairs:
            inputs = [_input(torch, 4, 3) for _ in range(count)]
            seen.append([type(loss).__name__, repr(loss), _run_with(torch, loss, inputs, rest)])
    return seen


def _run_with(torch: Any, loss: Any, inputs: list[Any], rest: tuple[Any, ...]) -> Any:
    out = loss.double()(*inputs, *rest)
    out.sum().backward()
    return [rounded(out, 5), *(rounded(x.grad, 5) for x in inputs)]


def refused_margins(torch: Any) -> Any:
    nn = torch.nn
    return [attempt(f) for f in (
        lambda: nn.MultiMarginLoss(3), lambda: nn.MultiMarginLoss(weight=torch.ones(2, 2)),
        lambda: nn.TripletMarginLoss(0), lambda: nn.TripletMarginWithDistanceLoss(margin=-1),
        lambda: nn.Embedding(3, 2, max_norm=1.0, norm_type=3.0),
        lambda: nn.Embedding(3, 2, max_norm=1.0, scale_grad_by_freq=True))]  # fmt: skip


def losses_of_sequences(torch: Any) -> Any:
    nn, lengths = torch.nn, ((6, 4), (2, 1))
    seen: list[Any] = []
    for options in ({}, {"blank": 2, "reduction": "sum"}, {"reduction": "none"}):
        scores, labels = _input(torch, 6, 2, 4), torch.tensor([[1, 3], [3, 0]])
        loss = nn.CTCLoss(zero_infinity=True, **options)
        out = loss(scores.log_softmax(2), labels, *lengths)
        out.sum().backward()
        seen.append([repr(loss), rounded(out, 5), rounded(scores.grad, 5)])
    for options, classes in (
        ({"bias": True, "label_smoothing": 0.1}, [0, 2]),
        ({"out_features": (2,), "bias": True, "reduction": "none"}, [[0, 1], [2, 2]]),
    ):
        loss, features = nn.LinearCrossEntropyLoss(4, 3, **options).double(), _input(torch, 2, 4)
        out = loss(features, torch.tensor(classes))
        out.sum().backward()
        grads = [rounded(one.grad, 5) for one in (features, *loss.parameters())]
        seen.append([repr(loss), rounded(out, 5), *grads])
    return seen


def options_of_linear_losses(torch: Any) -> Any:
    options = torch.nn.LinearCrossEntropyOptions
    wrong = [
        {"batch_chunk_size": 0}, {"batch_chunk_size": 2.0}, {"chunking_method": "aspect_ratio:x"},
        {"chunking_method": "rows"}, {"acc_policy": None}, {"acc_dtype": torch.int32},
    ]  # fmt: skip
    right = [{}, {"batch_chunk_size": 3, "chunking_method": "aspect_ratio:3"}]
    tried = [attempt(lambda given=given: repr(options(**given))) for given in right + wrong]
    loss = torch.nn.LinearCrossEntropyLoss(4, 3, options=options()).double()
    out = loss(torch.ones(2, 4, dtype=torch.float64), torch.tensor([0, 2]))
    return [tried, rounded(out, 5)]


def low_level(torch: Any) -> Any:
    """Functions directly under `torch` that layers are made of in PyTorch."""
    rows, starts = torch.tensor([1, 2, 4, 5, 4, 3]), torch.tensor([0, 3])
    seen: list[Any] = []
    for mode in (0, 1, 2):
        for last in (False, True):
            for padding in (None, -1, 4):
                for weighted in (False, True):
                    table = torch.arange(12.0).view(6, 2).requires_grad_()
                    weights = torch.arange(6.0, requires_grad=True) if weighted else None
                    ends = torch.tensor([0, 3, 6]) if last else starts
                    options = [False, mode, False, weights, last, padding]
                    try:
                        bags = torch.embedding_bag(table, rows, ends, *options)
                    except RuntimeError as error:
                        seen.append(str(error))
                        continue
                    bags[0].sum().backward()
                    seen += [rounded(one) for one in (*bags, table.grad)]
                    seen.append(weights.grad.tolist() if weighted else bags[0].grad_fn.name())
    wide = torch.arange(12.0, dtype=torch.float64).view(6, 2)
    for make in (
        lambda: torch.embedding_bag(wide, rows.int(), starts.int(), mode=2),
        lambda: torch.embedding_bag(wide, rows[:0], starts * 0, mode=2),
        lambda: torch.embedding_bag(wide, rows, starts)[1:],
        lambda: torch.embedding_bag(wide, rows + 3, starts),
        lambda: torch.embedding_bag(wide, rows, starts, mode=3),
        lambda: torch.embedding_bag(wide, rows, None),
        lambda: torch.native_channel_shuffle(wide.view(1, 6, 2), 3),
        lambda: torch.native_channel_shuffle(wide.view(1, 6, 2), 4),
        lambda: torch.native_dropout(wide, 0.5, True),
        lambda: torch.native_dropout(wide, 0.5, False),
        lambda: torch.native_dropout(wide, 1, None),
        lambda: torch.native_dropout(wide, 1.5, True),
        lambda: torch.get_device(wide),
    ):
        torch.manual_seed(0)
        seen.append(attempt(make))
    return seen


def dropout_in_half_precision(torch: Any) -> Any:
    """What stays is divided in float32, then rounded."""
    functional, seen = torch.nn.functional, []
    for kind in (torch.float16, torch.bfloat16):
        for p in (0.3, 0.37, 0.7):
            torch.manual_seed(0)
            x = torch.ones(2, 8, 2, dtype=kind)
            seen.append(functional.dropout(x, p).tolist())
            seen.append(functional.dropout1d(x, p).tolist())
    return seen
