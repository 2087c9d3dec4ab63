"""Composed functions record the nodes that PyTorch records, all the way down."""

from typing import Any

import pytest

import seegrad

pytestmark = pytest.mark.oracle

EXPRESSIONS = """
b@w
b@c
c@b
b@x
x@b
b@v
v@b
v@x
b[None]@w
x@v
b.mT@x
b@x.detach()
b.mT@x.detach()
b.detach()@x
x.detach()@b
x.detach()@b.mT
b.detach()@w
F.linear(x,y)
F.linear(x,y,v)
F.linear(b,y,v)
F.linear(b,y)
F.linear(v,y)
F.linear(v,y,v)
F.linear(b.mT,y,v)
F.linear(b[None],y,v)
F.linear(b,v)
F.linear(v,v)
F.linear(b.detach(),y.detach(),v)
torch.outer(v,u)
torch.inner(x,y)
torch.inner(v,v)
torch.inner(b,x)
torch.inner(x,v)
torch.tensordot(x,y,1)
torch.tensordot(x,y,0)
torch.linalg.multi_dot([x,y,x])
torch.linalg.multi_dot([v,y,x])
torch.linalg.multi_dot([x,y])
torch.chain_matmul(x,y)
torch.cross(x,y,dim=0)
torch.einsum("ij,jk->ik",x,y)
torch.einsum("ij,jk",x,y)
torch.einsum("ii",x)
torch.einsum("ii->i",x)
torch.einsum("ij->ji",x)
torch.einsum("ij->j",x)
torch.einsum("ij,ij->",x,y)
torch.einsum("ij,ij->ij",x,y)
torch.einsum("i,j->ij",v,v)
torch.einsum("i,i",v,v)
torch.einsum("bij,bjk->bik",b,w)
torch.einsum("bij,jk->bik",b,x)
torch.einsum("ij,j->i",x,v)
torch.einsum("...ij,...jk->...ik",b,x)
torch.einsum("ij,jk,kl->il",x,y,x)
torch.einsum("bij->b",b)
torch.einsum("i,ij,j",v,x,v)
torch.einsum("bi,bj->bij",x,y)
torch.einsum("bij,kj->bik",b,x)
torch.einsum("ik,jk->ij",x,y)
torch.einsum("bn,anm,bm->ba",x[:2],b,y[:2])
torch.einsum("i->",v)
torch.linalg.cross(b,w)
torch.kron(x,y)
x.repeat_interleave(2,0)
x.repeat_interleave(2)
torch.meshgrid(v,u,indexing='ij')[0]
torch.meshgrid(v,u,indexing='xy')[0]
torch.take_along_dim(x,torch.zeros(1,1,dtype=torch.long),0)
torch.take_along_dim(x,torch.zeros(1,dtype=torch.long))
torch.hstack([v,v])
torch.vstack([v,v])
torch.dstack([v,x[0]])
torch.column_stack([v,x])
torch.block_diag(x,y)
torch.cartesian_prod(v,u)
torch.combinations(v)
torch.diag(x)
torch.diagflat(x)
torch.diagflat(v)
x.t().flatten()
x.flatten()
v.flatten()
b.flatten(1)
b.unflatten(0,(1,2))
torch.atleast_3d(x)
torch.atleast_2d(x)
torch.atleast_1d(x)
torch.broadcast_tensors(x,v)[0]
torch.broadcast_tensors(x,v)[1]
x.ravel()
x.reshape(3,3)
x.t().reshape(3,3)
x.t().reshape(9)
x.view_as(y)
x.mean(0).squeeze()
x.expand(3,3)
x.squeeze(0)
x.tile(1,1)
x.repeat(1,1)
x.tensor_split(2)[0]
torch.hsplit(x,3)[0]
x.chunk(2)[0]
torch.narrow(x,0,0,1)
torch.rot90(x,1)
torch.swapaxes(x,0,1)
x.movedim(0,1)
v.unflatten(0,(3,1))
x.adjoint()
x.roll(1)
x.fliplr()
F.pad(x,(1,1))
F.pad(b,(1,1,1,1),mode='reflect')
F.pad(x,(0,0))
F.normalize(x)
F.cosine_similarity(x,y)
F.pairwise_distance(x,y)
F.pairwise_distance(x,y,keepdim=True)
F.l1_loss(x,y)
F.smooth_l1_loss(x,y,beta=0)
F.mse_loss(x,v)
F.cross_entropy(x,torch.tensor([0,1,2]))
F.cross_entropy(x,torch.tensor([0,1,2]),label_smoothing=.1)
F.cross_entropy(x,torch.tensor([0,1,2]),label_smoothing=.1,reduction='sum')
F.cross_entropy(x,y)
F.cross_entropy(x,y,label_smoothing=.1)
F.cross_entropy(x,y,reduction='sum')
F.cross_entropy(x,y,reduction='none')
F.cross_entropy(v,torch.tensor(1))
F.cross_entropy(v,v)
F.cross_entropy(b,torch.zeros(2,3,dtype=torch.long))
F.cross_entropy(b,b)
F.nll_loss(b,torch.zeros(2,3,dtype=torch.long),reduction='none')
F.nll_loss(b[...,None,None],torch.zeros(2,3,1,1,dtype=torch.long))
F.nll_loss(b[...,None,None],torch.zeros(2,3,1,1,dtype=torch.long),reduction='none')
F.kl_div(x,y)
F.kl_div(x,y,reduction='batchmean')
F.kl_div(x,y,reduction='sum',log_target=True)
F.kl_div(x,y.detach())
F.hinge_embedding_loss(x,y.sign())
F.margin_ranking_loss(v,v,v.sign())
F.margin_ranking_loss(v,v,v.sign(),reduction='none')
F.cosine_embedding_loss(x,y,v.sign())
F.triplet_margin_loss(x,y,x)
F.triplet_margin_loss(x,y,x,swap=True)
F.triplet_margin_with_distance_loss(x,y,x)
F.poisson_nll_loss(x,y)
F.poisson_nll_loss(x,y.detach(),full=True)
F.poisson_nll_loss(x,y.detach(),log_input=False)
F.gaussian_nll_loss(x,y,x.abs())
F.gaussian_nll_loss(x,y,x.abs(),full=True)
F.gaussian_nll_loss(x,y,2.)
F.gaussian_nll_loss(x,y,v.abs())
F.soft_margin_loss(x,y.detach())
F.multilabel_soft_margin_loss(x,y.detach())
F.embedding(torch.tensor([0]),x,padding_idx=-1)
torch.linalg.multi_dot([v,A,B,B.t()])
torch.einsum('ij,jk->ik',x[:,:1],y[:1])
torch.einsum('ijk,l->l',b,v)
torch.einsum('ij,jk,k->i',x[:,:1],y[:1],v)
torch.einsum('bi,bi->b',x,y)
torch.einsum('ij,ij->i',x,c[0][:1])
x[...]
x.view(9)
x.transpose(0,-1)
b.permute(2,0,-2)
x.T
x.mT
z.H
z.adjoint()
z.mH
v.expand(2,-1)
x.unsqueeze(-1)
x[None].squeeze()
x[None].squeeze(0)
x[None].squeeze((0,-1))
x.select(-1,-1)
x[:,0:2]
x[-2:-1:2]
x.diagonal(1,0,1)
v.unfold(0,2,1)
x.as_strided((2,2),(1,1),1)
x.t().as_strided((2,2),(1,1),1)
x[1:].as_strided((2,2),(1,1))
x.split(2)[0]
x.split(2)
x.chunk(3)[0]
x.split([1,2])
x.unbind(-1)
x.tensor_split(2)
z.real
z.imag
torch.view_as_real(z)
z.conj()
z.conj_physical()
z.angle()
torch.complex(x,y)
b.movedim(0,1)
x.t().ravel()
v.expand_as(y)
torch.cat([x,y],-1)
torch.stack([x,y],-1)
x.repeat(2,1)
x.tile(2)
x.flip(-1)
x.roll(1,-1)
x.tril(1)
x.triu()
v.diag()
x.diag(1)
v.diag_embed()
x.trace()
x.clone()
x.t().contiguous()
x.t().clone()
v.broadcast_to(2,3)
x[i]
x[m]
x.index_put((i,),y[:2])
x.gather(0,(n[None] * 0))
x.scatter(0,(n[None] * 0),y[:1])
x.scatter(0,(n[None] * 0),1.)
x.scatter_add(0,(n[None] * 0),y[:1])
x.scatter_reduce(0,(n[None] * 0),y[:1],'amax')
x.index_select(-1,i)
x.index_add(0,i,y[:2])
x.index_add(0,i,y[:2],alpha=2)
x.index_copy(0,i,y[:2])
x.index_fill(0,i,1.)
x.index_fill(0,i,s)
x.masked_fill(m,0.)
x.masked_fill(m,s)
x.masked_select(m)
x.masked_scatter(m,y)
x.take(i)
torch.take_along_dim(x,(n[None] * 0),0)
x.put(i,v[:2])
x.sort()
x.sort(stable=True)
x.msort()
x.topk(2)
x.kthvalue(2)
F.embedding(i,x)
F.embedding(i,x,padding_idx=0)
(x*1).copy_(y)
(x*1).fill_(2.)
(x*1).fill_(s)
(x*1).zero_()
torch.fill(x,2.)
torch.fill(x,s)
torch.vdot(v,v)
torch.addmm(v,x,y)
torch.addmm(v,x,y,beta=2,alpha=3)
torch.addmv(v,x,v)
torch.addbmm(x,b,w)
torch.baddbmm(x,b,w)
torch.addr(x,v,v)
A@B
z@z
z@z.H
torch.einsum("ij,jk->ik",z,z)
torch.einsum("i,i",z[0],z[1])
torch.einsum("...i,...i->...",b,x)
torch.einsum("ij->",x)
torch.einsum("iij->ij",b.expand(2,3,3)[:,:2])
torch.einsum("b...,b...->...",b,w)
torch.einsum("ij,ij,ij->i",x,y,x)
torch.einsum("i,j,k->ijk",v,u,v)
torch.einsum("ab,bc,cd,de->ae",x,y,x,y)
torch.einsum(x,[0,1],y,[1,2],[0,2])
torch.einsum("ij,k->ij",x,v)
torch.einsum("i,j->",v,u)
torch.einsum("ii,ii->i",x,y)
torch.einsum("bij,bij->bij",b,c)
torch.einsum("bij,bjk->bik",b,c)
x.t()@b
b.mT@b
v@b.mT
b@b[0,0]
b[:,None]@w
b[None]@x
b[:,:0]@x
(b[:0]@x)
x[:0]@y
x[:,:0]@y[:0]
F.linear(x[:0],y,v)
F.linear(A,B.t(),None)
F.mse_loss(x,y,reduction='none')
F.mse_loss(x,y,reduction='sum')
F.smooth_l1_loss(x,y,beta=.5)
F.huber_loss(x,y,delta=.5,reduction='sum')
F.nll_loss(x,n)
F.nll_loss(x,n,k)
F.nll_loss(x,n,ignore_index=1)
F.nll_loss(v,n[1])
F.binary_cross_entropy(p,p)
F.binary_cross_entropy(p,p,k)
F.binary_cross_entropy_with_logits(x,p)
F.kl_div(x,p,reduction='none')
F.kl_div(x,p,log_target=True,reduction='batchmean')
F.margin_ranking_loss(v,v*2,k.sign(),.5)
F.cosine_embedding_loss(x,y,k.sign())
F.cosine_embedding_loss(v,v*2,s.detach().sign())
F.triplet_margin_loss(x,y,x*2,p=1)
F.poisson_nll_loss(x,p,full=True)
F.gaussian_nll_loss(x,y,p,full=True)
F.gaussian_nll_loss(x,y,p[:,:1])
F.normalize(x,1.,0)
F.cosine_similarity(v,v*2,0)
F.pad(x,(1,2,0,1),value=3.)
F.pad(b,(1,1,2,1),mode='replicate')
torch.cross(x,y,dim=1)
torch.linalg.cross(x,c[0])
torch.matrix_power(x,2)
torch.matrix_power(x,5)
torch.matrix_power(b,3)
torch.kron(x,v)
torch.kron(v,x)
x.repeat_interleave(torch.tensor([1,0,2]),0)
x.repeat_interleave(2,1)
torch.combinations(v,2,True)
torch.rot90(b,1,(1,2))
x.slice_scatter(y[:1],0,0,1)
x.select_scatter(v,0,0)
x.diagonal_scatter(v)
F.one_hot(n)
x.nonzero()
torch.argsort(x)
torch.unique(n)
torch.where(x>0,x,y)
torch.hsplit(x,3)
torch.unflatten(b,1,(3,1))
x.reshape(-1)
e.sum(0)
e@x
torch.cat([e,x])
F.cross_entropy(x,n,k,label_smoothing=.2)
F.cross_entropy(x,n,ignore_index=1,label_smoothing=.2)
F.cross_entropy(x,p,k,reduction='none')
F.cross_entropy(b,n[None,:].expand(2,3))
F.cross_entropy(b,n[None,:].expand(2,3),reduction='none')
F.cross_entropy(b,p[None].expand(2,3,3))
torch.tensordot(x,A,1)
torch.tensordot(b,x,([2],[1]))
torch.tensordot(x,y,2)
torch.inner(b,v)
torch.inner(s,x)
torch.outer(z[0],z[1])
torch.meshgrid(v,u,v,indexing='xy')
F.l1_loss(z,z*2)
(x*1).index_put_((i,),y[:2])
(x*1).masked_fill_(m,s)
(x*1).index_add_(0,i,y[:2])
(x*1).scatter_(0,(n[None] * 0),3.)
(x*1).scatter_add_(0,(n[None] * 0),y[:1])
(x*1).addmm_(x,y)
(x*1).tril_()
(x*1).copy_(v)
torch.det(p)
torch.logdet(p)
torch.logdet(z)
torch.slogdet(p)
torch.inverse(p)
torch.linalg.inv_ex(p)
torch.linalg.solve(p,v)
torch.linalg.solve(b,y)
torch.linalg.solve_ex(p,y)
torch.linalg.solve_triangular(p,y,upper=True)
torch.triangular_solve(p,y)
torch.linalg.lu(p)
torch.linalg.lu_factor(p)
torch.linalg.lu_solve(*torch.linalg.lu_factor(p),y)
torch.lu_unpack(*torch.linalg.lu_factor(p))
torch.linalg.cholesky(p@p.mT)
torch.cholesky(p@p.mT)
torch.cholesky_solve(y,p)
torch.cholesky_inverse(p)
torch.linalg.qr(p)
torch.linalg.qr(p,'r')
torch.qr(p)
torch.geqrf(p)
torch.linalg.householder_product(p,v)
torch.ormqr(p,v,y)
torch.linalg.eig(p)
torch.linalg.eigvals(p)
torch.linalg.eigh(p)
torch.linalg.eigvalsh(p)
torch.linalg.svd(p)
torch.linalg.svdvals(A)
torch.svd(A)
torch.svd(z)
torch.linalg.pinv(A)
torch.pinverse(A)
torch.linalg.lstsq(p,y)
torch.linalg.lstsq(A.mT,B[:4],driver='gelsd')
torch.matrix_exp(p)
torch.matrix_power(p,-3)
torch.matrix_power(p,0)
torch.linalg.matrix_norm(A,2)
torch.linalg.matrix_norm(b,'nuc',(0,1),keepdim=True)
torch.norm(A,'nuc')
torch.linalg.cond(p)
torch.linalg.cond(p,'nuc')
torch.linalg.cond(p,'fro')
torch.linalg.vander(v)
torch.linalg.vecdot(p,v)
torch.linalg.vecdot(z,z)
torch.linalg.vecdot(v,v)
torch.linalg.diagonal(p)
torch.linalg.tensorinv(b.flatten()[:16].reshape(2,2,4))
torch.linalg.tensorsolve(p,v)
torch.linalg.ldl_factor(p@p.mT)
torch.linalg.ldl_solve(*torch.linalg.ldl_factor(p),y)
""".strip().splitlines()

# What is composed differently here; values and gradients agree (the operator database).
# bilinear is one three-way product in PyTorch; circular padding and vander write into a tensor.


def leaves(torch: Any) -> dict[str, Any]:
    """Named leaves of fixed numbers."""
    shapes = {
        "x": (3, 3), "y": (3, 3), "v": (3,), "u": (2,), "s": (), "b": (2, 3, 3), "w": (2, 3, 3),
        "c": (1, 3, 3), "A": (3, 4), "B": (4, 5), "e": (0, 3),
    }  # fmt: skip
    made = {}
    for seed, (name, shape) in enumerate(shapes.items()):
        count = torch.arange(1.0, 1.0 + int(torch.ones(shape).sum()), dtype=torch.float64)
        made[name] = (count * (seed + 1)).sin().reshape(shape).detach().requires_grad_()
    made["z"] = (made["x"] + 1j * made["y"]).detach().requires_grad_()
    made["p"] = made["x"].sigmoid().detach().requires_grad_()
    return made


def scope(torch: Any) -> dict[str, Any]:
    """What the expressions may name."""
    constants = {
        "torch": torch,
        "F": torch.nn.functional,
        "n": torch.tensor([0, 1, 2]),
        "i": torch.tensor([0, 2]),
        "m": torch.tensor([True, False, True]),
        "k": torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64),
    }
    return leaves(torch) | constants


def graph(torch: Any, expression: str) -> list[str]:
    """The graphs of the results as text: node names and the leaves that they reach."""
    names = scope(torch)
    results = eval(expression, names)
    known = {id(value): name for name, value in names.items()}
    several = isinstance(results, tuple | list)
    return [drawn(one.grad_fn, known) for one in (results if several else [results])]


def drawn(node: Any, known: dict[int, str]) -> str:
    if node is None:
        return "-"
    if type(node).__name__ == "AccumulateGrad":
        return known.get(id(node.variable), "?")
    inner = ", ".join(drawn(one, known) for one, _ in node.next_functions)
    return f"{type(node).__name__}({inner})"


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.filterwarnings("ignore")
def test_nodes(expression: str) -> None:
    torch = pytest.importorskip("torch")
    assert graph(seegrad, expression) == graph(torch, expression)
