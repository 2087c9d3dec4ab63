"""Transformations are not there yet: their names are, and say what there is instead.

What calls modules with other parameters (`functional_call`) is there, and compared elsewhere.
"""

from typing import Any

import pytest

import seegrad

THERE = {"functional_call", "stack_module_state", "grad", "grad_and_value", "hessian", "jacrev"}
THERE |= {"debug_unwrap", "functionalize", "replace_all_batch_norm_modules_", "vjp", "vmap"}


@pytest.mark.parametrize("name", sorted(set(seegrad.func.__all__) - THERE))
def test_names_say_what_there_is_instead(name: str) -> None:
    with pytest.raises(NotImplementedError) as caught:
        getattr(seegrad.func, name)(seegrad.sin)(seegrad.ones(1))
    said, _, instead = str(caught.value).partition(" is not there yet. What there is: ")
    assert said == f"torch.func.{name}"
    for part in instead.split():
        if part.startswith("torch."):
            _find(part.removeprefix("torch.").partition("(")[0].rstrip("."))


def _find(path: str) -> Any:
    """What stands under a dotted name; AttributeError where there is nothing."""
    found: Any = seegrad
    for name in path.split("."):
        found = getattr(found, name)
    return found


def test_transforming_alone_does_no_harm() -> None:
    assert seegrad.vmap(seegrad.sin).__name__ == seegrad.sin.__name__
    assert seegrad.vmap is seegrad.func.vmap
