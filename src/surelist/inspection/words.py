"""The words in the name of a column.

``personalStatus_Sex2`` has the words personal, status and sex. Accents are dropped, so that
``âge`` and ``age`` are one word.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["words_of"]

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-z])")
# Letters that are written with a stroke, or without a dot, have no accent to be dropped.
_STROKES = str.maketrans("łøđı", "lodi")


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, in lower case and without accents.

    Examples
    --------
    >>> from surelist.inspection.words import words_of
    >>> words_of("personalStatus_Sex2"), words_of("Âge (années)"), words_of("HIVStatus")
    (('personal', 'status', 'sex'), ('age', 'annees'), ('hiv', 'status'))
    """
    plain = _CAMEL.sub(" ", name)
    if not plain.isascii():
        signs = unicodedata.normalize("NFKD", plain)
        plain = "".join(sign for sign in signs if not unicodedata.combining(sign))
    return tuple(_WORD.findall(plain.casefold().translate(_STROKES)))
