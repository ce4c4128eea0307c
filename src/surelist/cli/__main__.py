"""``python -m surelist.cli`` is ``surelist``."""

from __future__ import annotations

import sys

from surelist.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
