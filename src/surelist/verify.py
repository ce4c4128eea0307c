"""`import surelist.verify` for those who wrote it before: the function, with the checker's names.

A module of this name would hide the function `surelist.verify` once it is imported. So the import
system is handed the function instead, and ``from surelist.verify import VerificationError`` finds
what it asks for on it. The checker itself is `surelist.checker`.
"""

import sys

from surelist import checker
from surelist.fast_checker import verify as _verify

for _name in checker.__all__:
    setattr(_verify, _name, getattr(checker, _name))
_verify.verify = _verify  # type: ignore[attr-defined]
sys.modules[__name__] = _verify  # type: ignore[assignment]

if __name__ == "__main__":
    sys.exit(checker.main())
