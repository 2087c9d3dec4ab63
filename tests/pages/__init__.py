"""Pages of docs/ that are made from the code; `make pages` writes them anew."""

from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def with_list(page: str, made: str) -> str:
    """A page whose last section, which begins with the same title, is what was made."""
    title = made.partition("\n")[0]
    written = page.partition(f"\n{title}\n")[0].rstrip("\n")
    return f"{written}\n\n{made}"
