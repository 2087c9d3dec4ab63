"""The names of `torch.storage`: the memory of tensors."""

from seegrad.tensor.storages import TypedStorage, UntypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]
