"""What torch.linalg refuses and in which words, and what it answers at the borders."""

import warnings
from functools import partial
from typing import Any

from tests.autograd import several_outputs
from tests.observe import Snippet, attempt, rounded, snippets

NAME = "linalg"

# Each of these gets each of the arguments.
FUNCTIONS = """
linalg.det linalg.slogdet logdet linalg.inv linalg.inv_ex inverse linalg.lu linalg.lu_factor
linalg.lu_factor_ex lu linalg.qr qr linalg.cholesky linalg.cholesky_ex cholesky cholesky_inverse
linalg.eig linalg.eigvals linalg.eigh linalg.eigvalsh linalg.svd linalg.svdvals svd linalg.pinv
pinverse linalg.matrix_exp linalg.matrix_rank linalg.cond linalg.tensorinv linalg.vander
linalg.diagonal linalg.ldl_factor geqrf
""".split()
ARGUMENTS = "scalar vector wide integer half bfloat bool regular batch empty none".split()
# Uninitialised in PyTorch; vectors of arbitrary sign; what rounding decides.
LEFT_OUT = {
    *[(name, kind) for name in ("linalg.matrix_exp",) for kind in ("half", "bfloat")],
    *[(name, kind) for name in ("linalg.svd", "svd", "linalg.eigh", "linalg.eig")
      for kind in ("wide", "regular", "batch")],
    *[(name, "batch") for name in ("logdet", "linalg.slogdet", "linalg.cond", "linalg.eigvals")],
}  # fmt: skip

CALLS = r"""
inv(torch.stack([batch,batch])); inv_ex(singular); inv_ex(singular,check_errors=True)
inv_ex(batch,check_errors=True); solve(singular,vector); solve(batch,vector); solve(regular,wide)
solve(wide,vector); solve(vector,vector); solve(regular,single); solve(regular,two)
solve(integer,integer); solve(half,half); solve(regular,tall,left=False)
solve(regular,tall.mT.contiguous(),left=False); solve(regular,pair); solve(pair,three)
solve(pair,vector); solve(pair,vector,left=False); solve(regular,vector,left=False)
solve(pair,vectors); solve(pair,vectors,left=False); solve_ex(singular,vector)
solve_ex(singular,vector,check_errors=True); solve(regular,scalar); solve(empty,empty)
solve(empty,torch.ones(0).double()); solve(none,vector)
solve_triangular(regular,vector,upper=True); solve_triangular(regular,wide,upper=True)
solve_triangular(regular,wide,upper=True,left=False); solve_triangular(wide,tall,upper=True)
solve_triangular(regular,single,upper=True); solve_triangular(regular*0,tall,upper=True)
solve_triangular(integer,integer,upper=True); solve_triangular(half,half,upper=True)
solve_triangular(vector,tall,upper=True); solve_triangular(pair,three,upper=True)
solve_triangular(regular,tall,upper=True)
solve_triangular(regular,tall,upper=False,unitriangular=True)
torch.triangular_solve(tall,regular); torch.triangular_solve(wide,regular)
torch.triangular_solve(vector,regular); torch.triangular_solve(tall,wide)
torch.triangular_solve(tall,single); torch.triangular_solve(tall,regular*0)
torch.triangular_solve(tall,regular,upper=False,transpose=True,unitriangular=True)
torch.cholesky_solve(tall,regular); torch.cholesky_solve(wide,regular)
torch.cholesky_solve(vector,regular); torch.cholesky_solve(tall,wide)
torch.cholesky_solve(tall,single); torch.cholesky_solve(tall,regular,upper=True)
torch.cholesky_solve(half,half); torch.cholesky_solve(integer,integer)
cholesky(indefinite); cholesky(torch.stack([regular,indefinite])); cholesky_ex(indefinite)
cholesky_ex(torch.stack([regular,indefinite])); cholesky_ex(indefinite,check_errors=True)
torch.cholesky(indefinite); cholesky(regular,upper=True); cholesky_ex(indefinite,upper=True)
cholesky(regular*float("nan")); torch.cholesky_inverse(regular,upper=True)
lu(regular,pivot=False); lu_factor(regular,pivot=False); lu_factor(singular)
lu_factor_ex(singular); lu_factor_ex(singular,check_errors=True)
lu_factor_ex(batch,check_errors=True); torch.lu(regular,pivot=False); torch.lu(singular)
lu_solve(*lu_factor(regular),tall); lu_solve(*lu_factor(regular),wide)
lu_solve(*lu_factor(regular),wide,left=False); lu_solve(*lu_factor(regular),vector)
lu_solve(*lu_factor(regular),single); lu_solve(*lu_factor(wide),tall)
lu_solve(regular,torch.tensor([1,2,3]),tall); lu_solve(regular,pivots[:2],tall)
lu_solve(*lu_factor(regular),tall,adjoint=True); lu_solve(*lu_factor(pair),tall)
torch.lu_solve(tall,*lu_factor(regular)); torch.lu_solve(vector,*lu_factor(regular))
torch.lu_unpack(*lu_factor(regular)); torch.lu_unpack(*lu_factor(regular),unpack_data=False)
torch.lu_unpack(*lu_factor(regular),unpack_pivots=False); torch.lu_unpack(*lu_factor(wide))
torch.lu_unpack(*lu_factor(tall)); torch.lu_unpack(regular,torch.tensor([1,2,3]))
torch.lu_unpack(regular,pivots+8)
torch.lu_unpack(vector,pivots); qr(tall,"r"); qr(tall,"complete"); qr(tall,"foo")
qr(torch.ones(0,3)); qr(torch.ones(3,0)); qr(torch.ones(3,0),"complete"); qr(torch.ones(0,3),"r")
qr(leaf,"r")[1].sum().backward(); qr(leaf,"complete")[0].sum().backward()
eigh(regular,"X"); eigvalsh(regular,"u"); eigvalsh(regular,"X")
svd(wide,driver="gesvd"); svdvals(wide*float("nan")); svdvals(batch*float("nan"))
svd(torch.ones(0,3)); svd(torch.ones(0,3),full_matrices=False); svd(torch.ones(2,0,3))
torch.svd(wide,compute_uv=False); pinv(wide,rtol=0.5); pinv(wide,atol=2.0); pinv(wide,0.5)
pinv(wide,hermitian=True); pinv(regular,hermitian=True); pinv(torch.ones(0,3))
pinv(wide,rtol=two.new_tensor(0.5)); pinv(wide,rcond=0.5); pinv(wide,rtol=two/4)
pinv(wide,rtol=torch.tensor(1j)); torch.pinverse(wide,0.5); pinv(singular)
lstsq(tall,tall); lstsq(tall,vector); lstsq(tall,tall,driver="gelsd")
lstsq(tall,tall,driver="gelss"); lstsq(tall,tall,driver="gels"); lstsq(wide,wide)
lstsq(wide,wide,driver="gels"); lstsq(tall,wide); lstsq(tall,tall,driver="foo")
lstsq(tall,single); lstsq(vector,vector); lstsq(pair,vectors); lstsq(integer,integer)
lstsq(tall,tall,rcond=0.5,driver="gelsd"); lstsq(torch.ones(0,3),torch.ones(0,2))
matrix_power(regular,-1); matrix_power(singular,-1); matrix_power(wide,-1)
matrix_power(integer,-1); matrix_power(integer,2); matrix_power(regular,0)
matrix_rank(singular); matrix_rank(batch); matrix_rank(regular,hermitian=True)
matrix_rank(wide,tol=3.0); matrix_rank(wide,atol=1.0,rtol=0.1); matrix_rank(wide,hermitian=True)
matrix_rank(torch.ones(2,0,3)); cond(regular,1); cond(regular,"nuc"); cond(regular,"fro")
cond(wide,"fro"); cond(wide,-2); cond(regular,3); cond(regular,"foo"); cond(zero,1)
cond(zero,"fro"); cond(zero,float("inf")); cond(none,1)
matrix_norm(regular,2); matrix_norm(regular,-2); matrix_norm(regular,"nuc")
matrix_norm(regular,"foo"); matrix_norm(regular,3); matrix_norm(integer,2)
matrix_norm(pair,2,(0,1)); matrix_norm(pair,"nuc",(2,0),keepdim=True); matrix_norm(empty,2)
matrix_norm(empty,"nuc"); matrix_norm(empty,1); matrix_norm(none,2)
matrix_norm(torch.ones(2,0,3),2); matrix_norm(torch.ones(2,0,3),1); matrix_norm(half,2)
matrix_norm(regular,2,dtype=torch.float32); matrix_norm(single,2,dtype=torch.float64)
norm(regular,"nuc"); norm(vector,"nuc"); norm(pair,"nuc"); norm(regular,2,dim=(0,1))
norm(regular,-2,keepdim=True); torch.norm(regular,"nuc"); torch.norm(pair,"nuc")
torch.norm(pair,"nuc",dim=(0,1)); torch.norm(regular,"foo"); torch.norm(pair,"nuc",dim=0)
tensorinv(torch.eye(4).reshape(2,2,4)); tensorinv(torch.eye(4).reshape(2,2,4),ind=0)
tensorinv(wide,ind=1); tensorinv(torch.eye(4).reshape(4,2,2),ind=1); tensorinv(torch.zeros(2,2,4))
tensorsolve(regular,vector); tensorsolve(torch.eye(6).reshape(2,3,6),torch.ones(2,3))
tensorsolve(wide,two); tensorsolve(torch.eye(6).reshape(2,6,3),torch.ones(2,3),dims=(1,))
vander(vector,N=2); vander(vector,N=0); vander(vector,N=-1); vander(torch.tensor([1,2,3]))
vander(wide,N=4); vander(torch.ones(0)); vander(bool[0]); vander(half[0])
vecdot(vector,vector); vecdot(regular,vector); vecdot(regular,regular,dim=0)
vecdot(regular,single); vecdot(integer,integer); vecdot(scalar,vector); vecdot(vector,two)
vecdot(bool,bool); diagonal(pair,dim1=0,dim2=1); diagonal(regular,dim1=0,dim2=0)
householder_product(tall,two); householder_product(wide,vector); householder_product(tall,vector)
householder_product(tall,single[0,:2]); householder_product(vector,vector)
householder_product(integer,integer[0]); householder_product(tall,two[None])
torch.ormqr(tall,two,regular); torch.ormqr(tall,two,regular,left=False)
torch.ormqr(tall,two,regular,transpose=True); torch.ormqr(tall,vector,regular)
torch.ormqr(vector,vector,regular); torch.ormqr(tall,two,wide); torch.ormqr(tall,two,single)
ldl_factor(complex); ldl_factor(complex,hermitian=True); ldl_factor_ex(singular)
ldl_solve(*ldl_factor(regular),tall); ldl_solve(*ldl_factor(regular),wide)
ldl_factor(leaf[:2])[0].sum().backward(); torch.geqrf(leaf)[0].sum().backward()
det(complex); slogdet(complex); slogdet(-regular); torch.logdet(-regular); torch.logdet(complex)
det(regular,out=torch.ones(0).double()); inv(regular,out=torch.ones(0)); inv(leaf[:2],out=leaf)
eigvals(regular,out=torch.ones(0).double()); torch.det(regular,out=torch.ones(0).double())
torch.pca_lowrank(tall,q=9); torch.pca_lowrank(tall,niter=-1)
"""


def given(torch: Any) -> dict[str, Any]:
    """What the calls name."""
    regular = torch.tensor([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]], dtype=torch.float64)
    singular = torch.tensor([[1.0, 2, 3], [2, 4, 6], [1, 1, 1]], dtype=torch.float64)
    wide = torch.tensor([[1.0, 2, 3], [4, 5, 6.5]], dtype=torch.float64)
    tall = torch.tensor([[1.0, 2], [3, 4], [5, 7]], dtype=torch.float64)
    eye, vector = torch.eye(3), torch.tensor([1.0, 2, 3], dtype=torch.float64)
    names = {name: getattr(torch.linalg, name) for name in dir(torch.linalg)}
    return names | {
        "torch": torch, "regular": regular, "singular": singular, "wide": wide, "tall": tall,
        "leaf": tall.clone().requires_grad_(), "scalar": vector.sum(), "vector": vector,
        "two": vector[:2], "vectors": torch.stack([vector, vector]),
        "indefinite": torch.tensor([[1.0, 2, 0], [2, 1, 0], [0, 0, 1]], dtype=torch.float64),
        "pivots": torch.tensor([1, 2, 3], dtype=torch.int32), "zero": regular * 0,
        "pair": torch.stack([regular, regular]), "three": torch.stack([tall, tall, tall]),
        "batch": torch.stack([regular, singular, regular]), "complex": regular + 0j,
        "single": eye, "integer": eye.long(), "half": eye.half(), "bfloat": eye.bfloat16(),
        "bool": eye.bool(), "empty": torch.ones(0, 0).double(),
        "none": torch.ones(0, 3, 3).double(),
    }  # fmt: skip


def shown(result: Any) -> str:
    """Types, shapes and numbers."""
    if isinstance(result, tuple):
        return f"{type(result).__name__.removesuffix('_out')}({', '.join(map(shown, result))})"
    if not hasattr(result, "dtype"):
        return repr(result)
    return f"{result.dtype} {list(result.shape)} {rounded(result, 5)}"


def call(torch: Any, expression: str) -> str:
    """What an expression gives, or its error."""
    scope = given(torch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return attempt(lambda: shown(eval(expression, scope)))


def each_argument(torch: Any, name: str) -> dict[str, str]:
    """What a function says to each argument."""
    kinds = [kind for kind in ARGUMENTS if (name, kind) not in LEFT_OUT]
    return {kind: call(torch, f"torch.{name}({kind})") for kind in kinds}


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    calls = [part.strip() for line in CALLS.strip().splitlines() for part in line.split("; ")]
    found: dict[str, Snippet] = {name: partial(each_argument, name=name) for name in FUNCTIONS}
    found |= {one: partial(call, expression=one) for one in calls}
    return found | dict(snippets(several_outputs))
