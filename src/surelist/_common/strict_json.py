"""Strict JSON for untrusted files: every value knows its place in the document.

A damaged or malicious file is refused with the place of the first error. Nothing is converted: a
bool is not a number, and a number in quotes is text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from surelist._common.messages import shown

__all__ = ["DamagedError", "Place", "parse"]

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


class DamagedError(ValueError):
    """A value that is not what it should be.

    Parameters
    ----------
    place : str
        Where it stands, as in ``rules[2].weights``.
    problem : str
        What is wrong with it.
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        return f"at {self.place}: {self.problem}" if self.place else self.problem


class Place:
    """A value, and its path from the top of the document.

    Examples
    --------
    >>> from surelist._common.strict_json import Place
    >>> top = Place({"rules": [{"label": "0"}]})
    >>> top["rules"].items()[0]["label"].whole(0)
    Traceback (most recent call last):
    surelist._common.strict_json.DamagedError: at rules[0].label: expected a whole number, found '0'
    """

    def __init__(self, value: Any, path: str = "") -> None:
        self.value = value
        self.path = path

    def fault(self, problem: str) -> DamagedError:
        """Return the error that says what is wrong here."""
        return DamagedError(self.path, problem)

    def keys(self, required: set[str], optional: frozenset[str] = frozenset()) -> Place:
        """Require an object with these keys alone: an unknown one might change the meaning."""
        if not isinstance(self.value, Mapping):
            raise self._unlike("an object")
        for key in sorted(required):
            if key not in self.value:
                raise self.fault(f"the key {key!r} is missing")
        for key in self.value:
            if key not in required and key not in optional:
                raise self.fault(f"the key {shown(key)} is not known")
        return self

    def __getitem__(self, key: str) -> Place:
        if not isinstance(self.value, Mapping):
            raise self._unlike("an object")
        if key not in self.value:
            raise self.fault(f"the key {key!r} is missing")
        name = key if _PLAIN_KEY.fullmatch(key) else f"[{shown(key)}]"
        dot = "." if self.path and not name.startswith("[") else ""
        return Place(self.value[key], f"{self.path}{dot}{name}")

    def get(self, key: str) -> Place | None:
        """Return what stands under a key; None where there is nothing, or null."""
        if not isinstance(self.value, Mapping):
            raise self._unlike("an object")
        return self[key] if self.value.get(key) is not None else None

    def fields(self) -> Iterator[tuple[str, Place]]:
        """Return every key of an object with what stands under it."""
        if not isinstance(self.value, Mapping):
            raise self._unlike("an object")
        for key in self.value:
            if not isinstance(key, str):
                raise self.fault(f"the key {shown(key)} is not text")
            yield key, self[key]

    def items(self) -> list[Place]:
        """Return the members of an array."""
        if not isinstance(self.value, list):
            raise self._unlike("an array")
        return [Place(item, f"{self.path}[{index}]") for index, item in enumerate(self.value)]

    def text(self) -> str:
        """Return a text."""
        if type(self.value) is not str:
            raise self._unlike("text")
        return self.value

    def flag(self) -> bool:
        """Return a bool."""
        if type(self.value) is not bool:
            raise self._unlike("true or false")
        return self.value

    def whole(self, least: int | None = None, below: int | None = None) -> int:
        """Return a whole number, which a bool is not here."""
        if type(self.value) is not int:
            raise self._unlike("a whole number")
        if least is not None and self.value < least:
            raise self._unlike(f"a whole number of at least {least}")
        if below is not None and self.value >= below:
            raise self._unlike(f"a whole number below {below}")
        return self.value

    def fraction(self) -> Fraction:
        """Return a fraction or decimal that is written as text, without an exponent."""
        # A large exponent would make Fraction compute for ever.
        if not re.fullmatch(r"-?[0-9.]{1,99}(/[0-9]{1,99})?", self.text()):
            raise self._unlike("a decimal or a fraction as text")
        try:
            return Fraction(self.value)
        except (ValueError, ZeroDivisionError):
            raise self._unlike("a decimal or a fraction as text") from None

    def _unlike(self, expected: str) -> DamagedError:
        return self.fault(f"expected {expected}, found {shown(self.value)}")


def parse(text: str, *, infinite: bool = False) -> Place:
    """Read JSON: strictly, and without keys that occur twice.

    NaN and infinity are none, unless ``infinite`` says that they may occur, as Python writes them.

    Raises
    ------
    json.JSONDecodeError
        With line and column, where the text is not JSON.
    DamagedError
        Where it is, but nests too deeply or holds what JSON has no rule for.
    """

    def constant_of(constant: str) -> Any:
        if infinite:
            return float(constant)
        raise DamagedError("", f"{constant} is not JSON")

    try:
        return Place(json.loads(text, object_pairs_hook=_object, parse_constant=constant_of))
    except RecursionError:
        raise DamagedError("", "objects and arrays are nested too deeply") from None
    except (DamagedError, json.JSONDecodeError):
        raise
    except ValueError as error:  # Python refuses to read numbers of thousands of digits
        raise DamagedError("", f"a number is too long ({error})") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DamagedError("", f"the key {shown(twice)} occurs twice in one object")
    return fields
