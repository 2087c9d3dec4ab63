"""Recurrent layers and cells: parameters, outputs, states, gradients, graphs, refusals."""

from typing import Any

from tests.nn.showing import _evaluated, _expressions
from tests.observe import attempt, rounded

_MADE = """
RNN(3,4) | RNN(3,4,2,'relu') | RNN(3,4,2,'relu',False,True,0.5,True) | RNN(3,4,num_layers=2)
RNN(input_size=3,hidden_size=4,nonlinearity='relu') | GRU(3,4,2,bidirectional=True)
LSTM(3,4,num_layers=2,bias=False,batch_first=True,dropout=.2,bidirectional=True,proj_size=2)
LSTM(3,4) | RNNBase('LSTM',3,4) | RNNCell(3,4) | RNNCell(3,4,False,'relu') | GRUCell(3,4)
GRUCell(3,4,False) | LSTMCell(3,4) | LSTMCell(3,4,False) | RNNCellBase(3,4,True,2)
RNNCell(0,4) | RNNCell(3,0) | RNNCell(3,4,nonlinearity='sin') | RNN(3,4,dtype=torch.float64)
LSTM(2,3,2,bidirectional=True,proj_size=2) | LSTM(3,4,dropout=.5)
"""
_REFUSED = """
RNN(3,4,nonlinearity='sin') | RNN(3,4,1,True) | RNN(3) | RNN(3,4,proj_size=2)
GRU(3,4,proj_size=2) | LSTM(3,4,proj_size=4) | LSTM(3,4,proj_size=-1) | LSTM(3,4,dropout=1.5)
LSTM(3,4,dropout=True) | LSTM(3,4,dropout='a') | LSTM(3.,4) | LSTM(3,4.) | LSTM(0,4) | LSTM(3,0)
LSTM(3,4,0) | LSTM(3,4,num_layers=2.5) | RNNBase('FOO',3,4) | RNNBase('GRU',3,4)(o(2,2,3))
RNN(3,4)(o(2,5,2)) | RNN(3,4)(o(2,2,5,3)) | RNN(3,4)(o(3)) | LSTM(3,4)(o(3))
GRU(3,4)(o(2,2,2,3)) | RNN(3,4)(o(2,5,3),o(1,2,4)) | RNN(3,4)(o(2,5,3),o(2,4))
RNN(3,4)(o(2,3),o(1,2,4)) | GRU(3,4)(o(2,5,3),o(1,5,3)) | LSTM(3,4)(o(2,5,3),o(1,5,4))
LSTM(3,4)(o(2,5,3),(o(1,5,4),o(5,4))) | LSTM(3,4)(o(2,3),(o(1,5,4),o(5,4)))
LSTM(3,4)(o(2,5,3),(o(1,5,3),o(1,5,4))) | LSTM(3,4)(o(2,5,3),(o(1,5,4),o(1,5,3)))
LSTM(3,4)(o(2,5,3),(o(1,5,4),)) | LSTM(3,4,proj_size=2)(o(2,5,3),(o(1,5,4),o(1,5,4)))
LSTM(3,4)(o(2,5,3).double()) | RNN(3,4)(o(2,5,3),o(1,5,4).double()) | RNN(3,4)(o(0,5,3))
RNN(3,4)(o(2,0,3)) | LSTM(3,4)(o(2,0,3))[1][1] | RNN(3,4)(o(2,5,3).long()) | RNN(3,4)([1])
RNN(3,4)(pack([o(2,2)])) | RNN(3,4)(pack([o(2,3)]),o(1,2,4)) | RNN(3,4)(pack([o(2)]))
RNNCell(3,4)(o(5,2)) | RNNCell(3,4)(o(5,3),o(5,5)) | RNNCell(3,4)(o(5,3),o(4,4))
RNNCell(3,4)(o(5,3),o(4)) | RNNCell(3,4)(o(3),o(5,4)) | RNNCell(3,4)(o(2,5,3))
RNNCell(3,4)(o(2,3),o(1,2,4)) | RNNCell(3,4,nonlinearity='sin')(o(3)) | GRUCell(3,4)(o(2,5,3))
LSTMCell(3,4)(o(5,3),o(5,4)) | LSTMCell(3,4)(o(5,3),(o(5,4),o(4))) | LSTMCell(3,4)(o(5,2))
LSTMCell(3,4)(o(5,3),(o(2,5,4),o(4))) | LSTMCell(3,4)(o(5,3),(o(5,4),o(5,3)))
GRUCell(3,4)(o(5,3),o(2,5,3)) | GRUCell(3,4)(o(5,3),o(5,2)) | GRUCell(3,4)(o(5,3),o(4,4))
RNN(3,4).check_input(o(1,3,4),None) | RNN(3,4).check_hidden_size(o(1,3,4),(1,2,4))
RNN(3,4).check_hidden_size(o(1,3,4),(1,2,4),'{} not {}') | LSTM(3,4).flatten_parameters()
LSTM(3,4).check_forward_args(o(1,3,3),(o(1,3,4),o(1,2,4)),None)
LSTM(3,4,proj_size=2).get_expected_cell_size(o(2,5,3),None)
LSTM(3,4,2,proj_size=2).get_expected_hidden_size(o(2,5,3),None)
RNN(3,4).permute_hidden(o(1,3,4),None).shape
modules.rnn.apply_permutation(torch.arange(4).view(1,4),torch.tensor([2,0,1]))
"""
_LAYERS = [
    ("RNN(3,2)", (4, 2, 3)),
    ("RNN(3,2,2,'relu',batch_first=True,bidirectional=True)", (2, 4, 3)),
    ("RNN(3,2,bias=False)", (4, 3)),
    ("GRU(3,2,2)", (3, 2, 3)),
    ("GRU(3,2,bidirectional=True,bias=False)", (3, 2, 3)),
    ("GRU(3,2,batch_first=True)", (3, 3)),
    ("LSTM(3,2)", (4, 2, 3)),
    ("LSTM(3,2,2,bidirectional=True,batch_first=True)", (2, 3, 3)),
    ("LSTM(3,4,2,proj_size=2,bidirectional=True)", (3, 2, 3)),
    ("LSTM(3,2,bias=False)", (3, 3)),
    ("RNN(3,2,3,dropout=0.4)", (3, 2, 3)),
    ("GRU(3,2,2,dropout=0.4,bidirectional=True)", (3, 2, 3)),
    ("LSTM(3,2,2,dropout=1.0)", (3, 2, 3)),
]


def _double(torch: Any, *size: int) -> Any:
    return torch.randn(*size, dtype=torch.float64, requires_grad=True)


def _pair(state: Any) -> tuple[Any, ...]:
    return state if isinstance(state, tuple) else (state,)


def _outcome(torch: Any, module: Any, leaves: list[Any], outputs: list[Any]) -> Any:
    """Outputs, and gradients of a weighted sum of all of them."""
    total = sum(
        (one * torch.linspace(0.5, 1.5, one.numel(), dtype=one.dtype).view_as(one)).sum()
        for one in outputs
    )
    total.backward()
    grads = [rounded(leaf.grad, 5) for leaf in (*leaves, *module.parameters())]
    return [[rounded(one, 5) for one in outputs], grads]


def made(torch: Any) -> Any:
    """The printed form, and every parameter drawn from the same seed."""
    seen = {}
    for text in _expressions(_MADE):
        torch.manual_seed(1)
        module = _evaluated(torch, text)
        state = {name: rounded(value, 5) for name, value in module.state_dict().items()}
        seen[text] = [repr(module), state]
    return seen


def refused(torch: Any) -> Any:
    names = {**vars(torch.nn), "torch": torch, "pack": torch.nn.utils.rnn.pack_sequence}
    names["o"] = torch.ones
    torch.manual_seed(2)
    return {e: attempt(lambda e=e: eval(e, names)) for e in _expressions(_REFUSED)}


def computed(torch: Any) -> Any:
    """In training after a seed, from zeros and from a state that was given."""
    seen = {}
    for text, size in _LAYERS:
        torch.manual_seed(1)
        module = _evaluated(torch, text).double()
        x = _double(torch, *size)
        output, state = module(x)
        first = _outcome(torch, module, [x], [output, *_pair(state)])
        starts = [_double(torch, *one.shape) for one in _pair(state)]
        module.zero_grad()
        output, state = module(x, tuple(starts) if len(starts) > 1 else starts[0])
        second = _outcome(torch, module, [x, *starts], [output, *_pair(state)])
        seen[text] = [first, second, rounded(module.eval()(x)[0], 5)]
    return seen


def packed(torch: Any) -> Any:
    """Sequences of different lengths, from zeros and from a state that was given."""
    pack, seen = torch.nn.utils.rnn.pack_padded_sequence, {}
    for text, _ in _LAYERS:
        if "batch_first" in text:
            continue
        torch.manual_seed(1)
        module = _evaluated(torch, text).double()
        x = _double(torch, 4, 4, 3)
        output, state = module(pack(x, [2, 4, 1, 2], enforce_sorted=False))
        first = _outcome(torch, module, [x], [output.data, *_pair(state)])
        starts = [_double(torch, *one.shape) for one in _pair(state)]
        module.zero_grad()
        sorted_ = pack(x, [4, 4, 2, 1])
        output, state = module(sorted_, tuple(starts) if len(starts) > 1 else starts[0])
        second = _outcome(torch, module, [x, *starts], [output.data, *_pair(state)])
        seen[text] = [first, second, output.batch_sizes.tolist(), output.sorted_indices is None]
    return seen


def cells(torch: Any) -> Any:
    seen = {}
    for text in ("RNNCell(3,2)", "RNNCell(3,2,False,'relu')", "GRUCell(3,2)", "LSTMCell(3,2)",
                 "GRUCell(3,2,False)", "LSTMCell(3,2,False)"):  # fmt: skip
        for size in ((4, 3), (3,)):
            torch.manual_seed(1)
            module = _evaluated(torch, text).double()
            x = _double(torch, *size)
            states = [_double(torch, *size[:-1], 2) for _ in range(2 if "LSTM" in text else 1)]
            hx = tuple(states) if len(states) > 1 else states[0]
            outputs = [*_pair(module(x, hx)), *_pair(module(x))]
            seen[f"{text} {size}"] = _outcome(torch, module, [x, *states], outputs)
    return seen


def _names(node: Any) -> list[str]:
    """The classes of nodes, first met first; transposed weights are made once or for each step."""
    found, waiting, met = [], [node], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in met:
            continue
        met.add(node)
        if type(node).__name__ != "TBackward0":
            found.append(type(node).__name__)
        waiting += [one for one, _ in reversed(node.next_functions)]
    return found


def graphs(torch: Any) -> Any:
    """Nodes in double precision; for an LSTM in single, where PyTorch has a kernel of a layer."""
    seen = {}
    pack = torch.nn.utils.rnn.pack_padded_sequence
    for text, size in _LAYERS:
        single = "LSTM" in text and "proj" not in text
        kind = torch.float32 if single else torch.float64
        module = _evaluated(torch, text).to(kind)
        x = torch.randn(*size, dtype=kind, requires_grad=True)
        output, state = module(x)
        seen[text] = [_names(output.grad_fn), [_names(one.grad_fn)[0] for one in _pair(state)]]
        if len(size) == 3 and "batch_first" not in text:
            output, state = module(pack(x, [size[0], 1], enforce_sorted=False))
            names = [_names(one.grad_fn)[0] for one in _pair(state)]
            seen[f"{text} packed"] = [_names(output.data.grad_fn), names]
            output, _ = module(pack(x, [size[0]] * size[1]))
            seen[f"{text} packed evenly"] = _names(output.data.grad_fn)
    for text in ("RNNCell(3,2)", "GRUCell(3,2)", "LSTMCell(3,2)"):
        seen[text] = [_names(one.grad_fn) for one in _pair(_evaluated(torch, text)(x[0].float()))]
    return seen


def second_derivatives(torch: Any) -> Any:
    """Where PyTorch has them: of layers that are many nodes, in double precision."""
    seen = []
    for text, size in (("LSTM(3,2)", (3, 2, 3)), ("GRU(3,2)", (3, 2, 3)), ("RNN(3,2)", (2, 3)),
                       ("LSTM(3,2,2,bidirectional=True,bias=False)", (2, 2, 3))):  # fmt: skip
        module = _evaluated(torch, text).double()
        x = _double(torch, *size)
        (grad,) = torch.autograd.grad((module(x)[0] ** 2).sum(), x, create_graph=True)
        (grad**2).sum().backward()
        seen.append([rounded(leaf.grad, 5) for leaf in (x, *module.parameters())])
    return seen


def weights_by_name(torch: Any) -> Any:
    module = torch.nn.LSTM(2, 3, 2, bidirectional=True, proj_size=2)
    same = [
        one is getattr(module, name)
        for names, group in zip(module._all_weights, module.all_weights, strict=True)
        for name, one in zip(names, group, strict=True)
    ]
    replaced = torch.nn.Parameter(torch.zeros_like(module.weight_ih_l0))
    module.weight_ih_l0 = replaced
    return [module._all_weights, same, module.all_weights[0][0] is replaced,
            module._flat_weights[0] is replaced, module._flat_weights_names[:3],
            [p.shape for p in module.parameters()]]  # fmt: skip


def functions(torch: Any) -> Any:
    torch.manual_seed(3)
    x, h = torch.randn(2, 5, 3), torch.randn(1, 5, 4)
    sizes = torch.tensor([5, 3])
    seen: list[Any] = []
    for name, gates in (("rnn_tanh", 1), ("rnn_relu", 1), ("gru", 3), ("lstm", 4)):
        w = [torch.randn(gates * 4, 3), torch.randn(gates * 4, 4), *torch.randn(2, gates * 4)]
        hx, run, cell = (h, h) if gates == 4 else h, getattr(torch, name), name + "_cell"
        last = (True, 1, 0.0, False, False)
        seen += [
            [rounded(one, 4) for one in run(x, hx, w, *last, False)],
            [rounded(one, 4) for one in run(x.view(10, 3)[:8], sizes, hx, w, *last)],
            [rounded(one, 4) for one in run(x, hx, w[:2], False, *last[1:], False)],
            rounded(run(input=x, hx=hx, params=w, has_biases=True, num_layers=1, dropout=0.0,
                        train=False, bidirectional=False, batch_first=False)[0], 4),
            [rounded(one, 4) for one in _pair(getattr(torch, cell)(
                x[0], (h[0], h[0]) if gates == 4 else h[0], *w[:3], b_hh=w[3]))],
            attempt(lambda run=run, hx=hx, w=w: run(x[:0], hx, w, *last, False)),
            attempt(lambda run=run: run(x, h)),
        ]  # fmt: skip
    return seen
