"""`python -m seegrad`."""

import sys

from seegrad.cli import main

if __name__ == "__main__":
    sys.exit(main())
