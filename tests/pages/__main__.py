"""Writes docs/derivatives.md and the list in docs/operators.md: `python -m tests.pages`."""

import torch

from tests.pages import DOCS, derivatives, operators, with_list

if __name__ == "__main__":
    (DOCS / derivatives.NAME).write_text(derivatives.text(), encoding="utf-8")
    page = DOCS / operators.NAME
    page.write_text(with_list(page.read_text("utf-8"), operators.text(torch)), encoding="utf-8")
