"""The named tuples of functions with several results, `torch.return_types.max` and others.

As in PyTorch each is made from one sequence, compares and unpacks as a tuple, and prints its
fields line by line.
"""

from collections.abc import Iterable
from operator import itemgetter
from typing import Any, ClassVar, Self


class ReturnType(tuple[Any, ...]):
    """A tuple whose items have names, as the class says: `class max(ReturnType, fields="...")`."""

    __slots__ = ()
    n_fields: ClassVar[int]
    names: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, fields: str) -> None:
        names = tuple(fields.split())
        cls.n_fields = len(names)
        cls.names = names
        type.__setattr__(cls, "__match_args__", names)  # for the `match` statement
        for position, name in enumerate(names):
            setattr(cls, name, property(itemgetter(position)))

    def __new__(cls, items: Iterable[Any], more: Any = None) -> Self:
        """From a sequence; pickles of PyTorch's have `more`: fields without a place."""
        made = super().__new__(cls, items)
        if len(made) != cls.n_fields:
            raise TypeError(
                f"torch.return_types.{cls.__name__}() takes a {cls.n_fields}-sequence "
                f"({len(made)}-sequence given)"
            )
        return made

    def __repr__(self) -> str:
        lines = ",\n".join(f"{name}={item!r}" for name, item in zip(self.names, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{lines})"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"'torch.return_types.{type(self).__name__}' object has no attribute '{name}'"
        )


class max(ReturnType, fields="values indices"):
    """Of `torch.max(input, dim)`."""


class min(ReturnType, fields="values indices"):
    """Of `torch.min(input, dim)`."""


class aminmax(ReturnType, fields="min max"):
    """Of `torch.aminmax`."""


class median(ReturnType, fields="values indices"):
    """Of `torch.median(input, dim)`."""


class nanmedian(ReturnType, fields="values indices"):
    """Of `torch.nanmedian(input, dim)`."""


class mode(ReturnType, fields="values indices"):
    """Of `torch.mode`."""


class kthvalue(ReturnType, fields="values indices"):
    """Of `torch.kthvalue`."""


class sort(ReturnType, fields="values indices"):
    """Of `torch.sort`."""


class topk(ReturnType, fields="values indices"):
    """Of `torch.topk`."""


class cummax(ReturnType, fields="values indices"):
    """Of `torch.cummax`."""


class cummin(ReturnType, fields="values indices"):
    """Of `torch.cummin`."""


class frexp(ReturnType, fields="mantissa exponent"):
    """Of `torch.frexp`."""


class histogram(ReturnType, fields="hist bin_edges"):
    """Of `torch.histogram`."""


class histogramdd(ReturnType, fields="hist bin_edges"):
    """Of `torch.histogramdd`."""


class qr(ReturnType, fields="Q R"):
    """Of `torch.qr`."""


class svd(ReturnType, fields="U S V"):
    """Of `torch.svd`."""


class slogdet(ReturnType, fields="sign logabsdet"):
    """Of `torch.slogdet`."""


class triangular_solve(ReturnType, fields="solution cloned_coefficient"):
    """Of `torch.triangular_solve`."""


class linalg_qr(ReturnType, fields="Q R"):
    """Of `torch.linalg.qr`."""


class linalg_svd(ReturnType, fields="U S Vh"):
    """Of `torch.linalg.svd`."""


class linalg_slogdet(ReturnType, fields="sign logabsdet"):
    """Of `torch.linalg.slogdet`."""


class linalg_eig(ReturnType, fields="eigenvalues eigenvectors"):
    """Of `torch.linalg.eig`."""


class linalg_eigh(ReturnType, fields="eigenvalues eigenvectors"):
    """Of `torch.linalg.eigh`."""


class linalg_cholesky_ex(ReturnType, fields="L info"):
    """Of `torch.linalg.cholesky_ex`."""


class linalg_inv_ex(ReturnType, fields="inverse info"):
    """Of `torch.linalg.inv_ex`."""


class linalg_solve_ex(ReturnType, fields="result info"):
    """Of `torch.linalg.solve_ex`."""


class linalg_lstsq(ReturnType, fields="solution residuals rank singular_values"):
    """Of `torch.linalg.lstsq`."""


class linalg_lu(ReturnType, fields="P L U"):
    """Of `torch.linalg.lu`."""


class linalg_lu_factor(ReturnType, fields="LU pivots"):
    """Of `torch.linalg.lu_factor`."""


class linalg_lu_factor_ex(ReturnType, fields="LU pivots info"):
    """Of `torch.linalg.lu_factor_ex`."""


class linalg_ldl_factor(ReturnType, fields="LD pivots"):
    """Of `torch.linalg.ldl_factor`."""


class linalg_ldl_factor_ex(ReturnType, fields="LD pivots info"):
    """Of `torch.linalg.ldl_factor_ex`."""


class geqrf(ReturnType, fields="a tau"):
    """Of `torch.geqrf`."""


class lu_unpack(ReturnType, fields="P L U"):
    """Of `torch.lu_unpack`."""
