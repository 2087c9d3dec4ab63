"""Walking over a module: its parameters, buffers and children, by name and by path."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from seegrad.nn.modules.registry import Registry
from seegrad.nn.parameter import Parameter
from seegrad.tensor.tensor import Tensor

if TYPE_CHECKING:
    from seegrad.nn.modules.module import Module

Members = Callable[["Module"], Iterable[tuple[str, Any]]]


class Traversal(Registry):
    """The iterators of a module. A tensor or module that is reachable twice comes once."""

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, "Module"]]:
        """Iterate over `(path, module)`: this module and all below it, parents first.

        >>> import seegrad as torch
        >>> model = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.ReLU())
        >>> [name for name, _ in model.named_modules()]
        ['', '0', '1']
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self  # type: ignore[misc]
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator["Module"]:
        """Iterate over this module and all below it, parents first."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> Iterator[tuple[str, "Module"]]:
        """Iterate over `(name, module)` of the direct children."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator["Module"]:
        """Iterate over the direct children."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self,
        get_members_fn: Members,
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        """`(path, member)` over what `get_members_fn` gives for each module."""
        seen = set()
        walk: Iterable[tuple[str, Any]] = (
            self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
            if recurse
            else [(prefix, self)]
        )
        for module_path, module in walk:
            for name, member in get_members_fn(module):
                if member is None or id(member) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(member))
                yield f"{module_path}.{name}" if module_path else name, member

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Iterate over `(path, parameter)`, those of this module and, if `recurse`, of all below.

        >>> import seegrad as torch
        >>> [(name, tuple(p.shape)) for name, p in torch.nn.Linear(2, 3).named_parameters()]
        [('weight', (3, 2)), ('bias', (3,))]
        """
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Iterate over the parameters, those of this module and, if `recurse`, of all below."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Iterate over `(path, buffer)`, those of this module and, if `recurse`, of all below."""
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Iterate over the buffers, those of this module and, if `recurse`, of all below."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> "Module":
        """The module at the dotted path `target`; "" is this module itself.

        Raises AttributeError where the path leads to nothing or to something else.

        >>> import seegrad as torch
        >>> torch.nn.Sequential(torch.nn.Sequential(torch.nn.ReLU())).get_submodule("0.0")
        ReLU()
        """
        module: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Traversal):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module  # type: ignore[no-any-return]

    def set_submodule(self, target: str, module: "Module", strict: bool = False) -> None:
        """Put `module` at the dotted path `target`; `strict` demands that one is there already.

        Raises ValueError for an empty path, AttributeError where the path leads to no module.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Traversal):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Traversal):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at the dotted path `target`; AttributeError where there is none."""
        member = self._get_member(target)
        if not isinstance(member, Parameter):
            raise AttributeError(f"`{target.rpartition('.')[2]}` is not an nn.Parameter")
        return member

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at the dotted path `target`; AttributeError where there is none."""
        path, _, name = target.rpartition(".")
        member = self._get_member(target)
        if name not in self.get_submodule(path)._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return member  # type: ignore[no-any-return]

    def _get_member(self, target: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return getattr(module, name)
