"""What transformations leave alone, and what they refuse."""

import seegrad


def test_transforming_alone_does_no_harm() -> None:
    assert seegrad.vmap(seegrad.sin).__name__ == seegrad.sin.__name__
    assert seegrad.vmap is seegrad.func.vmap
