"""torch.nn.utils.rnn: packing, padding, and back."""

from typing import Any

from tests.observe import attempt, rounded

_CALLS = """
pack_padded_sequence(n(3,2),[3,2])
pack_padded_sequence(n(3,2,1),[2,3])
pack_padded_sequence(n(3,2,1),[4,3])
pack_padded_sequence(n(4,2,1),[3,1])
pack_padded_sequence(n(3,2,1),[3,0])
pack_padded_sequence(n(3,2,1),[3])
pack_padded_sequence(n(3,2,1),[3,-1])
pack_padded_sequence(n(3),[3])
pack_padded_sequence(n(0,2,1),[3,2])
pack_padded_sequence(n(3,2,1),T([3.,2.]))
pack_padded_sequence(n(3,2,1),T([[3,2]]))
pack_padded_sequence(n(3,2,1),T([3,2],dtype=torch.int32))
pack_padded_sequence(n(3,2,1),(3,2))
pack_padded_sequence(n(3,2,1),[2,3],enforce_sorted=False)
pack_padded_sequence(n(3,2,1),[2,3],True,False)
pack_padded_sequence(n(2,3,1),[2,3],True,False)
P([1,3,2,3,2])
P([3,2]).to(torch.float64)
P([1,3,2]).to('cpu',torch.float64)
[getattr(P([1,2]),t)().data.dtype for t in 'double long half int short char byte float'.split()]
[P([1,2]).is_cuda,P([1,2]).is_pinned(),P([1,2]).cpu().data]
(lambda p:[p.to(torch.float32) is p,p.float() is p,p.cpu() is p])(P([3,2]))
list(P([3,2]))
[P([3,2])[1],len(P([3,2])),isinstance(P([3,2]),tuple),P([3,2])._fields]
P([3,2])._replace(data=n(5,2))
PackedSequence(n(3,2))
PackedSequence(n(3,2),T([2,1]))
PackedSequence(n(3,2),T([2,1]),T([1,0]))
PackedSequence(n(3,2),T([2,1]),None,T([1,0]))
PackedSequence(data=n(3,2),batch_sizes=[2,1])
PackedSequence((n(3,2),T([2,1])))
pad_packed_sequence(P([3,2]))
pad_packed_sequence(P([3,2]),True,2.5,5)
pad_packed_sequence(P([3,2]),total_length=2)
pad_packed_sequence(P([1,3,2]))
pad_packed_sequence(P([1,3,2]),batch_first=True)
pad_packed_sequence(n(2,3))
pad_sequence([n(2,3),n(1,3)])
pad_sequence([n(2,3),n(1,3)],True)
pad_sequence([n(2,3),n(1,2)],True)
pad_sequence([T([1,2]),T([3])],True,-1,'left')
pad_sequence([T([1,2]),T([3])],False,1.5)
pad_sequence([T([1,2]),T([3])],padding_side='up')
pad_sequence([])
pad_sequence(T([[1,2],[3,4]]))
pad_sequence(t for t in [T([1,2]),T([3])])
pad_sequence([[1,2],[3]])
pad_sequence(5)
pad_sequence([T([1.,2]),T([3])])
pad_sequence([T([1,2]),T([3.])])
unpad_sequence(T([[1,2],[3,0]]),T([2,1]),True)
unpad_sequence(T([[1,2],[3,0]]),T([2,1]))
unpad_sequence(T([[1,2],[3,0]]),[2,1])
unpad_sequence(T([[1,2],[3,0]]),T([2]))
pack_sequence([T([1.,2]),T([3.])])
pack_sequence([T([1]),T([3,4])])
pack_sequence([T([1]),T([3,4])],enforce_sorted=False)
pack_sequence([])
pack_sequence([T([1]),T([])],False)
unpack_sequence(pack_sequence([T([1]),T([3,4])],enforce_sorted=False))
unpack_sequence(P([3,2]))
invert_permutation(T([2,0,1]))
invert_permutation(None)
invert_permutation(T([2,0,1],dtype=torch.int32))
"""


def calls(torch: Any) -> Any:
    rnn = torch.nn.utils.rnn

    def numbered(*size: int) -> Any:
        return torch.arange(float(torch.Size(size).numel())).view(size)

    def packed(lengths: list[int]) -> Any:
        padded = numbered(max(lengths), len(lengths), 1)
        return rnn.pack_padded_sequence(padded, lengths, enforce_sorted=lengths == [3, 2])

    names = {**vars(rnn), "torch": torch, "T": torch.tensor, "n": numbered, "P": packed}
    return {e: attempt(lambda e=e: eval(e, names)) for e in _CALLS.strip().splitlines()}


def _chain(node: Any) -> list[str]:
    found = []
    while node is not None:
        found.append(type(node).__name__)
        node = node.next_functions[0][0] if node.next_functions else None
    return found


def gradients(torch: Any) -> Any:
    """There and back, with everything that PyTorch's nodes show; second derivatives are zero."""
    rnn, seen = torch.nn.utils.rnn, []
    for batch_first in (False, True):
        x = torch.randn(3, 3, 2, dtype=torch.float64, requires_grad=True)
        packed = rnn.pack_padded_sequence(x, [1, 3, 2], batch_first, False)
        padded, lengths = rnn.pad_packed_sequence(packed, batch_first, 1.5, 4)
        weights = torch.linspace(0.5, 1.5, padded.numel(), dtype=x.dtype).view_as(padded)
        (grad,) = torch.autograd.grad((padded**3 * weights).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(grad.sum(), x)
        node = packed.data.grad_fn
        seen += [rounded(padded, 5), lengths.tolist(), rounded(grad, 5), rounded(second, 5),
                 _chain(padded.grad_fn), node._saved_batch_first, node._saved_result1.tolist(),
                 list(node._saved_input_sym_sizes)]  # fmt: skip
    sequences = [torch.randn(n, 2, dtype=torch.float64, requires_grad=True) for n in (1, 3, 2)]
    for side in ("left", "right"):
        padded = rnn.pad_sequence(sequences, True, padding_side=side)
        (padded**2).sum().backward()
        seen += [rounded(one.grad, 5) for one in sequences] + [_chain(padded.grad_fn)]
    back = rnn.unpack_sequence(rnn.pack_sequence(sequences, False))
    same = [bool((a == b).all()) for a, b in zip(sequences, back, strict=True)]
    return [*seen, same, _chain(back[1].grad_fn)]


def methods_return_their_kind(torch: Any) -> Any:
    class Mine(torch.nn.utils.rnn.PackedSequence):  # type: ignore[misc,name-defined]
        pass

    mine = Mine(torch.ones(3), torch.tensor([2, 1]))
    return [type(mine.double()).__name__, type(mine._replace(data=torch.ones(3))).__name__]
