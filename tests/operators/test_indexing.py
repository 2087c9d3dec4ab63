"""Reading and writing by index beside PyTorch: values, gradients, nodes, errors."""

from typing import Any

import numpy as np
import pytest

import seegrad

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

READS = """
x[m2,i]
x[m2,:]
x[m2]
x[:,m1]
x[:,m1,i[:2]]
x[0,m1]
x[...,i]
x[i]
x[i,j]
x[:,j]
x[i[:2],:,j[:,0]]
x[None,i]
x[i,None]
x[t0]
x[t0,t0]
x[b0]
x[True]
x[None]
x[...]
x[1:,::2]
x[[0,1]]
x[[0,1],[1,2]]
x[[[0,1],[1,0]]]
x[0,1,2]
x[-1]
x[:, -1]
x[x>5]
x[np.array([0,1])]
x[i.to(K.int32)]
x[K.tensor([True,False])]
x[K.tensor([True,False]),1]
x[:,1,i]
x[i,1]
x[i,:,1]
x[1,:,i]
x[1,i[:3]]
x[...,None]
x[...,1:3]
x[0:0]
x[K.tensor([],dtype=K.int64)]
x[5]
x[0,9]
x[0,0,0,0]
x[i,i,i,i]
x[K.tensor([7])]
x[::-1]
x["a"]
x[1.5]
x[K.tensor([1.5])]
x[m1]
x[..., ...]
x[(0,1)]
x[:2,0]
x[K.tensor([[0,1]]),K.tensor([[1],[2]])]
x[range(2)]
x[(slice(None),0)]
x[[True,False]]
x[np.int64(1)]
x[i>0]
x[:,[0,2],1:3]
x[[0],:,[1]]
x[0][1][2]
x[False]
""".strip().splitlines()

# Not here: duplicate places, where only the write that stays has a gradient with us.
WRITES = """
y[0]=1.
y[0]=s
y[...]=2.
y[...]=s
y[m2]=0.
y[:,m1]=w
y[0,1]=v
y[None]=1.
y[:]=v
y[m2,i]=s
y[1:]=v[None]
y[0,0,0]=5
y[0]=K.ones(3,4)
y[:,0]=v[None]
y[i[:2]]=K.ones(3,4)
y[x>5]=s
y[...,0]=s
y[[0,1]]=v
y[t0]=v
y[5]=1.
y[0]=K.ones(7)
y[i]=K.ones(7)
y[True]=1.
y[::2]=v
y[b0]=s
y[0:1,1:2]=s*2
y[m2]=K.ones(9)
""".strip().splitlines()


def scope(K: Any) -> dict[str, Any]:
    """What the snippets may name; `K` is the library."""
    double = K.float64
    x = K.arange(24.0, dtype=double).reshape(2, 3, 4).requires_grad_()
    return {
        "K": K,
        "np": np,
        "x": x,
        "y": x * 1,
        "v": K.tensor([1.0, 2, 3, 4], dtype=double, requires_grad=True),
        "s": K.tensor(7.0, dtype=double, requires_grad=True),
        "w": K.ones(2, 2, 4, dtype=double, requires_grad=True),
        "m1": K.tensor([True, False, True]),
        "m2": K.tensor([[True, False, True], [False, True, True]]),
        "i": K.tensor([0, 1, 1, 0]),
        "j": K.tensor([[0], [2]]),
        "t0": K.tensor(1),
        "b0": K.tensor(True),
    }


def seen(K: Any, result: Any, leaves: list[Any]) -> Any:
    """Values, shape, nodes and gradients."""
    root = (result * result).sum()
    grads = K.autograd.grad(root, leaves, allow_unused=True) if root.requires_grad else ()
    node = result.grad_fn
    edges = [type(one).__name__ for one, _ in node.next_functions] if node else []
    numbers = [None if one is None else one.tolist() for one in grads]
    return result.tolist(), tuple(result.shape), type(node).__name__, edges, numbers


def read(K: Any, snippet: str) -> Any:
    names = scope(K)
    try:
        return seen(K, eval(snippet, names), [names["x"]])
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def written(K: Any, snippet: str) -> Any:
    names = scope(K)
    try:
        exec(snippet, names)
        return seen(K, names["y"], [names[name] for name in "xvsw"])
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("snippet", READS)
def test_reading(snippet: str) -> None:
    torch = pytest.importorskip("torch")
    assert read(seegrad, snippet) == read(torch, snippet)


@pytest.mark.parametrize("snippet", WRITES)
def test_writing(snippet: str) -> None:
    torch = pytest.importorskip("torch")
    assert written(seegrad, snippet) == written(torch, snippet)
