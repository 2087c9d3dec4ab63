"""Hooks on all modules that would leave a mark on the process, in an object of their own."""

import pytest

from seegrad.nn.modules.global_hooks import GLOBAL, GlobalHooks


def test_both_kinds_of_backward_hooks_are_refused() -> None:
    hooks = GlobalHooks()
    hooks.add_backward(print, full=False).remove()
    with pytest.raises(RuntimeError, match="as a global Module hook"):
        hooks.add_backward(print, full=True)
    assert not hooks.backward


def test_a_removed_hook_leaves_nothing() -> None:
    hooks = GlobalHooks()
    flags = (hooks.forward_with_kwargs, hooks.forward_always_called)
    handle = hooks.add(hooks.forward, print, *flags)
    assert all(handle.id in each for each in (hooks.any, hooks.forward, *flags))
    handle.remove()
    assert not any((hooks.any, hooks.forward, *flags))


def test_no_hook_is_left_by_other_tests() -> None:
    assert not GLOBAL.any
