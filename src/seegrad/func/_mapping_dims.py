"""Which dimensions `vmap` maps over and puts its results in: PyTorch's checks of both."""

import functools
from collections.abc import Callable
from typing import Any

from seegrad.autograd._trees import Structure, flatten, spread
from seegrad.graph.tensor import TensorBase

__all__ = ["Inputs", "check_out_dims", "name_of", "out_dims_of"]

Function = Callable[..., Any]


def name_of(func: Any) -> str:
    """How errors call a function."""
    if hasattr(func, "__name__"):
        return str(func.__name__)
    if isinstance(func, functools.partial):
        return f"functools.partial({name_of(func.func)}, ...)"
    return repr(func)


class Inputs:
    """The arguments of a function that is mapped: leaves, their dimensions, and how many samples.

    Raises ValueError where `in_dims` does not fit them.
    """

    def __init__(self, func: Function, args: tuple[Any, ...], in_dims: Any) -> None:
        self.said = f"vmap({name_of(func)}, in_dims={in_dims}, ...)(<inputs>)"
        if not isinstance(in_dims, (int, tuple)):
            raise ValueError(
                f"{self.said}: expected `in_dims` to be int or a (potentially nested) tuple "
                f"matching the structure of inputs, got: {type(in_dims)}."
            )
        if not args:
            raise ValueError(
                f"vmap({name_of(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, "
                "or you are trying to vmap over a function with no inputs. The latter is "
                "unsupported."
            )
        self.leaves, self.structure = flatten(args)
        found = spread(in_dims, self.structure)
        if found is None:
            raise ValueError(
                f"{self.said}: in_dims is not compatible with the structure of `inputs`. in_dims "
                f"has structure {flatten(in_dims)[1].told()} but inputs has structure "
                f"{self.structure.told()}."
            )
        pairs = zip(self.leaves, found, strict=True)
        self.dims = [self._dim(leaf, dim) for leaf, dim in pairs]
        self.size = self._size()

    def _dim(self, leaf: Any, dim: Any) -> int | None:
        if dim is None:
            return None
        if not isinstance(dim, int):
            raise ValueError(
                f"{self.said}: Got in_dim={dim} for an input but in_dim must be either an integer "
                "dimension or None."
            )
        if not isinstance(leaf, TensorBase):
            raise ValueError(
                f"{self.said}: Got in_dim={dim} for an input but the input is of type "
                f"{type(leaf)}. We cannot vmap over non-Tensor arguments, please use None as the "
                "respective in_dim"
            )
        if not -leaf.ndim <= dim < leaf.ndim:
            raise ValueError(
                f"{self.said}: Got in_dim={dim} for some input, but that input is a Tensor of "
                f"dimensionality {leaf.ndim} so expected in_dim to satisfy -{leaf.ndim} <= in_dim "
                f"< {leaf.ndim}."
            )
        return dim % leaf.ndim

    def _size(self) -> int:
        pairs = zip(self.leaves, self.dims, strict=True)
        sizes = [leaf._array.shape[dim] for leaf, dim in pairs if dim is not None]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to vmap over")
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got "
                f"sizes {sizes} for the mapped dimension"
            )
        return int(sizes[0])


def check_out_dims(func: Function, out_dims: Any) -> None:
    """Refuses what is no tree of dimensions, before the function is called."""
    if not all(isinstance(dim, int) or dim is None for dim in flatten(out_dims)[0]):
        raise ValueError(
            f"vmap({name_of(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or "
            "a python collection of ints representing where in the outputs the vmapped dimension "
            "should appear."
        )


def out_dims_of(func: Function, out_dims: Any, structure: Structure) -> list[Any]:
    """For each leaf of the outputs where its samples are stacked; ValueError where nothing is."""
    single = structure.kind is None and isinstance(out_dims, tuple) and len(out_dims) == 1
    found = spread(out_dims[0] if single else out_dims, structure)
    if found is None:
        raise ValueError(
            f"vmap({name_of(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not "
            f"compatible with the structure of `outputs`. out_dims has structure "
            f"{flatten(out_dims)[1].told()} but outputs has structure {structure.told()}."
        )
    return found
