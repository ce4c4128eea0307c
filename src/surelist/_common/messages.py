"""What messages are made of: values cut short, counts of things; missing and masked values."""

from __future__ import annotations

import math
import sys

# numpy is imported where it is needed: the command line must start without it.

__all__ = ["counted", "first_masked", "is_masked", "missing", "shown"]

_WIDTH = 80


def shown(value: object) -> str:
    """Return the text of a value, cut short; never fails.

    Examples
    --------
    >>> from surelist._common.messages import shown
    >>> shown("0.01"), shown(10**5000)
    ("'0.01'", '<int>')
    """
    import numpy as np

    try:
        # repr(np.float64(2)) would say more about numpy than about the value.
        text = repr(value.item() if isinstance(value, np.generic) else value)
    except Exception:  # any object may come here, and some cannot be printed
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def missing(value: object) -> str | None:
    """Return what a missing value is called: None, NaN, <NA> or NaT; None where it is present.

    Examples
    --------
    >>> from surelist._common.messages import missing
    >>> missing(float("nan")), missing(0.0)
    ('NaN', None)
    """
    import numpy as np

    # The missing values of pandas are told by the name of their type: it need not be installed.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return str(value)
    return "NaN" if isinstance(value, float | np.floating) and math.isnan(value) else None


def first_masked(values: object) -> int | None:
    """Return the first position that is masked; numpy would drop the mask silently.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist._common.messages import first_masked
    >>> first_masked(np.ma.array([1, 2, 3], mask=[0, 1, 0])), first_masked([1, 2, 3])
    (1, None)
    """
    if not _masks_exist():
        return None
    import numpy as np

    if isinstance(values, list | tuple):
        return next((at for at, value in enumerate(values) if value is np.ma.masked), None)
    if not isinstance(values, np.ma.MaskedArray) or not np.ma.is_masked(values):
        return None
    return int(np.flatnonzero(np.ma.getmaskarray(values))[0])


def is_masked(values: object) -> bool:
    """Whether some values are masked; numpy would drop the mask silently.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist._common.messages import is_masked
    >>> is_masked(np.ma.array([1, 2], mask=[0, 1])), is_masked(np.array([1, 2]))
    (True, False)
    """
    if not _masks_exist():
        return False
    import numpy as np

    return bool(np.ma.is_masked(values))


def _masks_exist() -> bool:
    """Whether anybody has imported masked arrays: numpy does not, and they are slow to import."""
    return "numpy.ma" in sys.modules


def counted(number: int, one: str, more: str | None = None) -> str:
    """Return a number of things.

    Examples
    --------
    >>> from surelist._common.messages import counted
    >>> counted(1, "rule"), counted(2000, "prefix", "prefixes")
    ('1 rule', '2,000 prefixes')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"
