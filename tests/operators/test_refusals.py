"""What PyTorch refuses is refused in its words; what it takes at the borders, taken."""

import re
import warnings
from typing import Any

import pytest

import seegrad

pytestmark = pytest.mark.oracle

CALLS = r"""
torch.eig(x,x)
torch.lstsq(x,x)
torch.matrix_rank(x,x)
torch.solve(x,x)
torch.symeig(x,x)
x.eig(x)
x.lstsq(x)
x.reinforce(x)
x.solve(x)
x.symeig(x)
x.view(5)
x.view(-1,5)
x.view(-1,-1)
x.view(-2,12)
torch.ones(0,3).view(-1,0)
x.t().view(12)
x.reshape(5)
x.reshape(-1,5)
x.view()
x.view(2,2)
x.transpose(0,2)
s.transpose(0,0)
s.transpose(0,1)
b3.t()
x.permute(0)
x.permute(0,0)
x.permute(0,2)
x.permute(0,1,2)
x.expand(2,4)
x.expand(4)
x.expand(-1,3,4)
v.expand(-1,3)
v.expand(2,-2)
v.expand(2,-1)
x.expand(3,-5)
x.unsqueeze(3)
x.squeeze(2)
x.squeeze((0,0))
s.squeeze(0)
s.unsqueeze(1)
x.select(2,0)
x.select(0,3)
x.select(0,-4)
s.select(0,0)
x[5]
x[3:1].shape
x.narrow(0,2,2)
x.narrow(0,-1,1)
x.narrow(0,0,-1)
x.narrow(0,4,0)
x.narrow(2,0,1)
s.narrow(0,0,0)
x.diagonal(0,0,0)
x.diagonal(0,0,2)
v.diagonal()
x.unfold(0,4,1)
x.unfold(0,2,0)
x.unfold(0,-1,1)
x.unfold(2,1,1)
s.unfold(0,1,1)
s.unfold(0,2,1)
x.as_strided((4,4),(4,1))
x.as_strided((2,),(1,1))
x.as_strided((2,),(-1,))
x.as_strided((2,),(1,),-1)
x.as_strided((-2,),(1,))
x.split(0)
x.split(-1)
s.split(1)
x.split([1,1])
x.split([-1,4])
x.split(2,2)
x.chunk(0)
s.chunk(1)
x.unbind(2)
s.unbind()
x.tensor_split(0)
x.tensor_split([1,9])[2].shape
torch.hsplit(x,3)
torch.vsplit(x,2)
torch.dsplit(b3,3)
torch.hsplit(s,1)
torch.view_as_real(x)
torch.view_as_complex(x)
torch.view_as_complex(torch.ones(2,2).t())
torch.view_as_complex(torch.ones(2,4)[:,::2])
x.imag
torch.imag(x)
torch.view_as_complex(s)
torch.view_as_complex(torch.ones(3,3)[:,:2])
torch.view_as_complex(torch.ones(2,2,dtype=torch.long))
x.movedim(0,2)
x.movedim((0,0),(0,1))
x.movedim((0,1),(0,))
x.movedim((0,1),(0,0))
x.flatten(1,0)
x.flatten(0,2)
x.unflatten(0,(2,2))
x.unflatten(0,(2,-1))
x.unflatten(2,(2,2))
x.unflatten(0,())
torch.cat([])
torch.cat([x,v])
torch.cat([x,b3[0].t()])
torch.cat([x,x],2)
torch.cat([s,s])
torch.cat([x,torch.ones(0)]).shape
torch.cat([x,torch.ones(3,5)])
torch.cat([x, 3])
torch.stack([])
torch.stack([x,v])
torch.stack([x,x],4)
torch.stack([x,x.t()])
x.repeat(2)
x.repeat(2,-1)
x.repeat(0,1).shape
x.repeat()
x.flip(2)
x.flip((0,0))
x.roll(1,2)
x.roll((1,2),0)
x.roll((),())
s.fliplr()
s.flipud()
v.fliplr()
x.tril(2).shape
v.tril()
v.triu()
b3.diag()
s.diag()
torch.diag_embed(x,0,0,0)
v.trace()
b3.trace()
x.rot90(1,(0,0))
x.rot90(1,(0,))
v.rot90()
x.rot90(1,(0,2))
F.pad(x,(1,))
F.pad(x,(1,1,1,1,1,1))
F.pad(x,(-3,-3))
F.pad(x,(1,1),mode='reflect').shape
F.pad(b3,(4,1),mode='reflect')
F.pad(v,(1,1),mode='reflect')
F.pad(x,(1,1),mode='foo')
F.pad(b3,(1,1,1,1),mode='replicate').shape
F.pad(b3,(5,1),mode='circular')
F.pad(x,(-5,1))
torch.broadcast_tensors(x,torch.ones(3))
torch.broadcast_to(x,(2,2))
torch.meshgrid()
x.repeat_interleave(-1)
x.repeat_interleave(torch.tensor([1,2]),0)
x.repeat_interleave(torch.tensor([1.,2]),0)
x[li]
x[torch.tensor([True,False])]
x[torch.tensor([0,1]),torch.tensor([0,1,2])]
x[v>0,0,0]
x[torch.tensor([0.5])]
x[torch.tensor([-4])]
x.index_put((li,),v)
x.index_put((torch.tensor([0,1]),),v)
x.index_put((torch.tensor([0,1]),),d[:2])
x.gather(0,torch.tensor([[5]]))
x.gather(0,torch.tensor([[-1]]))
x.gather(0,torch.tensor([0]))
x.gather(1,torch.zeros(5,1,dtype=torch.long))
x.gather(0,torch.tensor([[1.]]))
x.gather(2,torch.tensor([[1]]))
x.gather(0,torch.zeros(1,1,dtype=torch.int32))
s.gather(0,torch.tensor(0))
x.scatter(0,torch.tensor([[5]]),x)
x.scatter(0,torch.tensor([[0,0,0,0,0]]),x)
x.scatter(0,torch.tensor([[0]]),d)
x.scatter_add(0,torch.tensor([[5]]),x)
x.scatter_add(0,torch.tensor([0]),x)
x.scatter_add(0,torch.tensor([[0]]),d)
x.scatter(0,torch.tensor([[0,0],[0,0]]),v[None])
x.scatter_reduce(0,torch.tensor([[0]]),x,'foo')
x.scatter(0,torch.tensor([[1.]]),x)
x.index_select(0,li)
x.index_select(0,torch.tensor([-1]))
x.index_select(0,torch.zeros(1,1,dtype=torch.long))
x.index_select(2,torch.tensor([0]))
x.index_select(0,torch.tensor([0.]))
x.index_select(0,torch.tensor(1)).shape
s.index_select(0,torch.tensor([0])).shape
x.index_add(0,li,x[:2])
x.index_add(0,torch.tensor([0]),x)
x.index_add(0,torch.tensor([0]),d[:1])
x.index_add(0,torch.tensor([0,1]),x[:2,:2])
x.index_add(0,torch.tensor([0.]),x[:1])
x.index_copy(0,li,x[:2])
x.index_copy(0,torch.tensor([0]),x)
x.index_copy(0,torch.tensor([0]),d[:1])
x.index_copy(0,torch.tensor([0,1]),x[:2,:2])
x.index_fill(0,li,1.)
x.index_fill(0,torch.tensor([0]),v)
x.index_fill(0,torch.tensor([-1]),1.).shape
x.index_fill(0,torch.tensor([0.]),1.)
x.masked_fill(torch.tensor([1]),0.)
x.masked_fill(torch.ones(2,dtype=torch.bool),0.)
x.masked_fill(x>0,v)
x.masked_fill(torch.tensor([[[True]]]),1.).shape
x.masked_select(torch.tensor([1]))
x.masked_select(torch.ones(2,dtype=torch.bool))
x.masked_scatter(x>-1,v)
x.masked_scatter(x>-1,d)
x.masked_scatter(torch.tensor([1]),v)
torch.ones(2,dtype=torch.long).masked_fill(torch.tensor([True,False]),1.5)
torch.ones(2,dtype=torch.long).masked_fill(torch.tensor([True,False]),torch.tensor(1.5))
x.take(torch.tensor([12]))
x.take(torch.tensor([-13]))
x.take(torch.tensor([0.]))
torch.take_along_dim(x,torch.tensor([0]),0)
x.put(torch.tensor([12]),v[:1])
x.put(torch.tensor([0]),v)
x.put(torch.tensor([0]),d[0,:1])
x.sort(2)
z.sort()
x.topk(5)
x.topk(-1)
x.topk(1,2)
x.kthvalue(5)
x.kthvalue(0)
z.topk(1)
s.topk(1)
s.kthvalue(1)
s.sort()
F.embedding(torch.tensor([4]),x)
F.embedding(torch.tensor([0.]),x)
F.embedding(torch.tensor([0]),v)
F.embedding(torch.tensor([0]),x,padding_idx=9)
F.embedding(torch.tensor([-1]),x)
F.embedding(torch.tensor([0]),x,padding_idx=-9)
F.one_hot(torch.tensor([-1]))
F.one_hot(torch.tensor([5]),3)
F.one_hot(torch.tensor([1.]))
F.one_hot(torch.tensor([],dtype=torch.long))
torch.bincount(torch.tensor([-1]))
torch.bincount(torch.tensor([1.]))
torch.bincount(torch.zeros(1,1,dtype=torch.long))
torch.bincount(torch.tensor([1]),v)
torch.searchsorted(v.sort()[0],x).shape
x@x
x@v
v@x.t()
v@torch.ones(4)
s@v
v@s
x@d
v@d[0,:3]
x@d[0]
b3@d
torch.mm(x,v)
torch.mm(x,x)
torch.mm(x,d.t())
torch.mv(x,v)
torch.mv(v,v)
torch.mv(x,d[0])
torch.dot(x,v)
torch.dot(v,v[:2])
torch.dot(v,d[:,0])
torch.vdot(v,d[:,0])
torch.bmm(x,b3)
torch.bmm(b3,b3)
torch.bmm(b3,b3.mT.double())
torch.bmm(b3,torch.ones(3,4,2))
b3@torch.ones(3,4,2)
b3@torch.ones(2,3,2)
b3@torch.ones(5)
torch.ones(5)@b3
torch.matmul(x,x.long())
torch.ones(2,2,dtype=torch.bool)@torch.ones(2,2,dtype=torch.bool)
torch.ones(2,2,dtype=torch.long)@torch.ones(2,2,dtype=torch.long)
torch.addmm(v,x,x)
torch.addmm(v,x,x.t().double())
torch.addmm(v.double(),x,x.t())
torch.addmm(torch.ones(2),x,x.t())
torch.addmm(v,v,x)
torch.addmv(v,x,v)
torch.addmv(torch.ones(2),x,x[0])
torch.baddbmm(x,b3,b3)
torch.baddbmm(b3,b3,b3.mT.double())
torch.addbmm(x,b3,b3)
torch.addr(x,v,v)
torch.addr(x,x,v)
torch.outer(x,v)
torch.outer(v,d[:,0]).dtype
torch.inner(x,v)
torch.inner(s,x).shape
torch.inner(x,x.double())
torch.tensordot(x,x,1)
torch.tensordot(x,x,dims=([0],[1]))
torch.tensordot(x,x,3)
torch.tensordot(x,x,-1)
torch.tensordot(x,x,dims=([0,1],[0]))
torch.einsum("ij,jk",x,x)
torch.einsum("ij",x,x)
torch.einsum("ij,jk",x)
torch.einsum("ijk",x)
torch.einsum("i",x)
torch.einsum("i...->",x).shape
torch.einsum("i1",x)
torch.einsum("ij->k",x)
torch.einsum("ij->ii",x)
torch.einsum("ii->i",x)
torch.einsum("i..j",x)
torch.einsum("...i...",x)
torch.einsum("ij->i...j",x).shape
torch.einsum("i-j",x)
torch.einsum("")
torch.einsum("->",s)
torch.einsum("ij,j",x,d[0])
torch.einsum(x,[0,1],[1,0]).shape
torch.einsum(x,[0,1],x,[0,1]).shape
torch.einsum(x,[0,99])
torch.einsum("i j -> j i",x).shape
torch.einsum(x)
torch.einsum("ij,ij",[x,x])
F.linear(x,x.t())
F.linear(x,torch.ones(2,4),v)
F.linear(x,d)
F.linear(x,torch.ones(5))
F.linear(x,v)
F.linear(s,v)
F.linear(b3,torch.ones(2,5))
F.linear(v,torch.ones(2,4))
F.linear(x,b3)
F.bilinear(x,x,torch.ones(2,4,5))
F.bilinear(x,v[:,None],torch.ones(2,4,2))
torch.linalg.multi_dot([x])
torch.linalg.multi_dot([x,x])
torch.chain_matmul(x,v)
torch.linalg.cross(x,x)
torch.matrix_power(x,2)
torch.matrix_power(v,2)
torch.trace(torch.ones(2,2,dtype=torch.long))
torch.conj(x) is x
torch.real(x) is x
torch.complex(x,d)
torch.complex(x,v)
torch.complex(n,n)
torch.polar(x,d)
torch.angle(torch.tensor([-1.,1.,float('nan')]))
torch.angle(torch.tensor([True,False]))
torch.angle(n)
F.mse_loss(x,v)
F.mse_loss(x,x[0])
F.mse_loss(x,d).dtype
F.mse_loss(n,n)
F.mse_loss(x,x,reduction='foo')
F.l1_loss(x,x,reduction='foo')
F.l1_loss(x,x[0])
F.smooth_l1_loss(x,x,beta=-1)
F.smooth_l1_loss(x,d).dtype
F.huber_loss(x,x,delta=0)
F.huber_loss(x,x,reduction='foo')
F.nll_loss(x,n)
F.nll_loss(q,n[:2])
F.nll_loss(q,torch.tensor([0,1,5]))
F.nll_loss(q,n.float())
F.nll_loss(q,n,weight=torch.ones(2))
F.nll_loss(q,n,weight=torch.ones(3).double())
F.nll_loss(v,torch.tensor(5))
F.nll_loss(s,torch.tensor(0))
F.nll_loss(q,n,ignore_index=0)
F.nll_loss(q,torch.full((3,),-100))
F.nll_loss(b3,torch.zeros(2,3,dtype=torch.long))
F.nll_loss(b3,torch.zeros(2,4,dtype=torch.long)).shape
F.nll_loss(b3,torch.zeros(3,4,dtype=torch.long))
F.nll_loss(q,n[:,None])
F.nll_loss(q,n,reduction='foo')
F.nll_loss(q,torch.tensor([-1,0,0]))
F.cross_entropy(q,n[:2])
F.cross_entropy(q,torch.tensor([0,1,5]))
F.cross_entropy(q,n.float())
F.cross_entropy(q,n,weight=torch.ones(2))
F.cross_entropy(q,n,label_smoothing=2.)
F.cross_entropy(q,q.double())
F.cross_entropy(x,q)
F.cross_entropy(v,torch.tensor(1))
F.cross_entropy(v,v)
F.cross_entropy(s,s)
F.cross_entropy(q,q,ignore_index=1)
F.cross_entropy(b3,torch.zeros(2,4,dtype=torch.long)).shape
F.cross_entropy(b3,b3)
F.cross_entropy(q,n.int())
F.cross_entropy(n,n)
F.cross_entropy(q,n,reduction='foo')
F.cross_entropy(q[:0],n[:0])
F.cross_entropy(q,torch.full((3,),-100))
F.cross_entropy(q,torch.full((3,),-100),reduction='sum')
F.binary_cross_entropy(q,q[:2])
F.binary_cross_entropy(q*3,q)
F.binary_cross_entropy(q,q[0])
F.binary_cross_entropy(q,q,weight=torch.ones(2))
F.binary_cross_entropy(q,q.double())
F.binary_cross_entropy(q,n)
F.binary_cross_entropy(q,q,reduction='foo')
F.binary_cross_entropy_with_logits(q,q[0])
F.binary_cross_entropy_with_logits(q,q.double()).dtype
F.binary_cross_entropy_with_logits(q,(q>0).long()).dtype
F.binary_cross_entropy_with_logits(q,q,pos_weight=torch.ones(2))
F.kl_div(q,q[0]).shape
F.kl_div(q,q,reduction='foo')
F.kl_div(q,q)
F.kl_div(q,q,reduction='mean')
F.kl_div(n,n)
F.cosine_similarity(q,q[0])
F.cosine_similarity(q,x)
F.cosine_similarity(q,q,dim=3)
F.pairwise_distance(q,x)
F.normalize(q,dim=4)
F.hinge_embedding_loss(q,q[0])
F.margin_ranking_loss(v,v,q)
F.margin_ranking_loss(v,v[:2],v)
F.cosine_embedding_loss(q,q,q)
F.triplet_margin_loss(q,q,x)
F.poisson_nll_loss(q,q,reduction='foo')
F.gaussian_nll_loss(q,q,-q)
F.gaussian_nll_loss(q,q,torch.ones(2))
F.soft_margin_loss(q,q[0])
F.multi_margin_loss(q,n[:2])
F.multilabel_soft_margin_loss(q,q[0])
F.soft_margin_loss(q,v[:2])
b3.T
v.T
s.T
v.mT
b3.mT.shape
v.H
b3.H
x.H.shape
s.H
s.mT
x.adjoint().shape
v.adjoint()
s.mH
x.view(torch.int32).dtype
x.view(torch.float64).shape
x.view(torch.int8).shape
x.view(torch.complex64).shape
s.view(torch.float64)
torch.ones(3,3).view(torch.float64)
x.t().view(torch.float64)
torch.meshgrid(v,v,indexing='foo')
torch.meshgrid(v,v,indexing='xy')[0].stride()
torch.meshgrid(v,v.double(),indexing='ij')
torch.broadcast_shapes((2,1),(3,))
torch.broadcast_shapes((2,),(3,))
torch.broadcast_shapes(2,(1,2))
torch.broadcast_shapes((-1,))
torch.hstack([])
torch.hstack([s,s])
torch.vstack([v,v]).shape
torch.dstack([v,v]).shape
torch.column_stack([v,x]).shape
torch.atleast_1d(s,v)
torch.atleast_2d(s).shape
torch.block_diag(v,x,s).shape
torch.block_diag(b3)
torch.cartesian_prod(v)
torch.cartesian_prod(v,x)
torch.combinations(v,0)
torch.combinations(x)
torch.combinations(v,3,True).shape
torch.combinations(v,2,with_replacement=True).shape
torch.kron(v,x).shape
torch.kron(s,x).shape
x.repeat_interleave(2).shape
torch.repeat_interleave(torch.tensor([1,2]))
x.repeat_interleave(2,dim=1).shape
x.repeat_interleave(torch.tensor([2]),dim=1).shape
x.repeat_interleave(torch.tensor(2),dim=1).shape
x.repeat_interleave(torch.tensor([1,-1,0]),0)
x.repeat_interleave(torch.tensor([1,1,0]),0,output_size=2).shape
torch.diagflat(x).shape
torch.diagflat(x,1).shape
torch.diag(s)
x.tile(2,1,1).shape
x.tile((2,)).shape
x.tensor_split((1,2)) [1].shape
x.tensor_split(torch.tensor([1,2]))[1].shape
x.tensor_split(torch.tensor(2))[1].shape
x.tensor_split(5)[4].shape
s.tensor_split(1)
x.tensor_split(2,5)
x.chunk(5)[-1].shape
len(x.chunk(2))
torch.ones(0,3).chunk(3)
x.split([3])[0].shape
torch.split(x,2,dim=1)[1].shape
x.split(2.5)
torch.ones(5).chunk(4)
torch.take_along_dim(x,torch.tensor([[0]]))
torch.take_along_dim(x,torch.tensor([0,1]))
torch.take_along_dim(x,torch.tensor([[0],[0],[0]]),1).shape
torch.take_along_dim(x,torch.tensor([[0.]]),1)
x.argwhere().shape
torch.where(x>.5)
x.nonzero(as_tuple=True)
torch.argsort(x,stable=True)[0]
x.sort(descending=True,stable=True)[0][0]
torch.msort(x)[0]
x.flip()
x.flip(0,1).shape
torch.flip(x,[0])[0]
x.roll(1)[0]
x.roll((1,1),(0,1))[0]
x.narrow(0,torch.tensor(1),1)
x.expand(torch.Size([2,3,4])).shape
x.expand_as(b3).shape
torch.squeeze(b3,()).shape
x.unflatten(1,(2,-1)).shape
x.unflatten(-1,(-1,)).shape
x.unflatten(0,(-1,-1))
s.flatten()
b3.flatten(1,-1).shape
x.movedim(-1,0).shape
x.movedim((0,1),(1,0)).shape
x.scatter_(0,torch.tensor([[0]]),1.,reduce='foo')
torch.scatter(x,0,torch.tensor([[0]]),value=2.)[0]
x.index_reduce(0,torch.tensor([0]),x[:1],'amax').shape
x.index_add(0,torch.tensor([0]),x[:1],alpha=2).shape
torch.unique(x>.5)
torch.unique(torch.tensor([2,1]),sorted=False)
torch.unique(torch.tensor([2,1]),return_inverse=True)
torch.unique_consecutive(torch.tensor([1,1,2]),return_counts=True)
torch.isin(torch.tensor([1,2]),1)
torch.isin(2,torch.tensor([1,2]))
torch.bucketize(torch.tensor([1.5]),torch.tensor([1.,2.]))
torch.searchsorted(torch.tensor([1.,2.]),1.5)
torch.searchsorted(torch.tensor([1.,2.]),torch.tensor([1.5]),side='right',out_int32=True)
torch.searchsorted(torch.tensor([1.,2.]),1.5,side='foo')
torch.searchsorted(torch.tensor([1.,2.]),1.5,side='left',right=True)
torch.select_scatter(x,v,1,0).shape
torch.slice_scatter(x,x[:1]).shape
x.slice_scatter(x,0,0,2)
x.select_scatter(v,0,0)
torch.as_strided(x,(2,),(1,)).shape
torch.tril_indices(2,2)
torch.vander(v).shape
torch.moveaxis(x,0,1).shape
torch.row_stack([x,x]).shape
torch.rot90(x,2)[0]
""".strip().splitlines()


def scope(torch: Any) -> dict[str, Any]:
    """What the calls may name."""

    def numbers(*shape: int) -> Any:
        count = int(torch.ones(shape).sum())
        return torch.arange(1.0, 1.0 + count).sin().abs().reshape(shape)

    x, q = numbers(3, 4), numbers(3, 3)
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "x": x,
        "d": x.double(),
        "v": numbers(3),
        "b3": numbers(2, 3, 4),
        "s": numbers(),
        "q": q,
        "z": torch.complex(q, q),
        "li": torch.tensor([0, 5]),
        "n": torch.tensor([0, 1, 2]),
    }


def outcome(torch: Any, call: str) -> Any:
    """Values, or the error as text; and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = plain(torch, eval(call, scope(torch)))
        except Exception as error:
            text = str(error).partition("\nException raised")[0]
            result = f"{type(error).__name__}: {text}"
    said = [re.sub(r"\s*\(Triggered.*", "", str(one.message), flags=re.DOTALL) for one in caught]
    return result, [one for one in said if not one.startswith(ONCE)]


# PyTorch says these once in a process.
ONCE = (
    "torch.meshgrid",
    "The use of `x.T`",
    "Tensor.",
    "torch.chain_matmul",
    "index_reduce",
    "Using torch.cross",
)


def plain(torch: Any, value: Any) -> Any:
    """Tensors as dtype and rounded numbers."""
    if isinstance(value, torch.Tensor):
        return str(value.dtype), rounded(value.detach().tolist())
    if isinstance(value, list | tuple):
        return [plain(torch, one) for one in value]
    return str(value).replace("seegrad", "torch")


def rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [rounded(one) for one in value]
    if isinstance(value, complex):
        return [rounded(value.real), rounded(value.imag)]
    return str(round(value, 4) + 0.0) if isinstance(value, float) else value


@pytest.mark.parametrize("call", CALLS)
def test_same_words(call: str) -> None:
    torch = pytest.importorskip("torch")
    assert outcome(seegrad, call) == outcome(torch, call)
