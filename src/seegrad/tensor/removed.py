"""What PyTorch has taken out: functions that say what to call instead.

>>> import seegrad as torch
>>> torch.eye(2).lstsq(torch.ones(2, 1))
Traceback (most recent call last):
RuntimeError: This function was deprecated since version 1.9 and is now removed. `torch.lstsq` ...
"""

from collections.abc import Callable
from typing import Any, NoReturn

from seegrad.graph.tensor import TensorBase

__all__ = ["RemovedFace", "eig", "lstsq", "matrix_rank", "solve", "symeig"]

GONE = "This function was deprecated since version 1.9 and is now removed."


def _removed(name: str, text: str) -> Callable[..., NoReturn]:
    """A function, or method, that raises RuntimeError with this text."""

    def refused(*args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(text)

    refused.__name__ = refused.__qualname__ = name
    refused.__doc__ = f"Raises RuntimeError: {name} was taken out of PyTorch."
    return refused


solve = _removed(
    "solve",
    f"""{GONE} `torch.solve` is deprecated in favor of `torch.linalg.solve`. \
`torch.linalg.solve` has its arguments reversed and does not return the LU factorization.

To get the LU factorization see `torch.lu`, which can be used with `torch.lu_solve` or \
`torch.lu_unpack`.
X = torch.solve(B, A).solution should be replaced with:
X = torch.linalg.solve(A, B)""",
)
eig = _removed(
    "eig",
    f"""{GONE} `torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather \
than real tensors mimicking complex tensors.

L, _ = torch.eig(A) should be replaced with:
L_complex = torch.linalg.eigvals(A)

and

L, V = torch.eig(A, eigenvectors=True) should be replaced with:
L_complex, V_complex = torch.linalg.eig(A)""",
)
symeig = _removed(
    "symeig",
    f"""{GONE} The default behavior has changed from using the upper triangular portion of the \
matrix by default to using the lower triangular portion.

L, _ = torch.symeig(A, upper=upper) should be replaced with:
L = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')

and

L, V = torch.symeig(A, eigenvectors=True) should be replaced with:
L, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')""",
)
lstsq = _removed(
    "lstsq",
    f"""{GONE} `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.
`torch.linalg.lstsq` has reversed arguments and does not return the QR decomposition in the \
returned tuple (although it returns other information about the problem).

To get the QR decomposition consider using `torch.linalg.qr`.

The returned solution in `torch.lstsq` stored the residuals of the solution in the last m - n \
columns of the returned value whenever m > n. In torch.linalg.lstsq, the residuals are in the \
field 'residuals' of the returned named tuple.

The unpacking of the solution, as in
X, _ = torch.lstsq(B, A).solution[:A.size(1)]
should be replaced with:
X = torch.linalg.lstsq(A, B).solution""",
)
matrix_rank = _removed(
    "matrix_rank",
    f"""{GONE}
Please use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' was \
renamed in `torch.linalg.matrix_rank()` to 'hermitian'.""",
)
_reinforce = _removed(
    "reinforce",
    """reinforce() was removed.
Use torch.distributions instead.
See https://pytorch.org/docs/main/distributions.html

Instead of:

probs = policy_network(state)
action = probs.multinomial()
next_state, reward = env.step(action)
action.reinforce(reward)
action.backward()

Use:

probs = policy_network(state)
# NOTE: categorical is equivalent to what used to be called multinomial
m = torch.distributions.Categorical(probs)
action = m.sample()
next_state, reward = env.step(action)
loss = -m.log_prob(action) * reward
loss.backward()
""",
)


class RemovedFace(TensorBase):
    """The methods of Tensor that PyTorch has taken out."""

    eig = eig
    lstsq = lstsq
    reinforce = _reinforce
    solve = solve
    symeig = symeig
