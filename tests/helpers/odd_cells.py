"""Thousands of cells that programs and people write, and that readers may take for one or other."""

from __future__ import annotations

import itertools
import random

__all__ = ["cells", "columns"]

_SIGNS = ["", "+", "-", "--", "\u2212", "± "]
_BODIES = [
    *("0", "1", "7", "42", "00", "007", "0.5", ".5", "5.", ".", "1.50", "0.0", "00.5", "1.2.3"),
    *("1,5", ",5", "1,", "1,500", "1.500", "1,234,567", "1.234.567", "1.234,5", "1,234.5"),
    *("1_000", "1'000", "1 000", "1\u00a0000", "1\u202f000", "0x1F", "0b101", "0o17", "1f", "1L"),
    *("9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775807"),
    *("9223372036854775808", "9999999999999999999", "18446744073709551615"),
    *("18446744073709551616", "99999999999999999999", "1" * 30, "9" * 400, "1" + "0" * 5000),
    *("9007199254740993.0", "0.1234567890123456789012345", "179769313486231570" + "0" * 291 + ".0"),
    *("4.9406564584124654e-324", "2.2250738585072011e-308", "0.1", "0.30000000000000004"),
    *(
        "inf",
        "Inf",
        "INF",
        "infinity",
        "Infinity",
        "iNfInItY",
        "infin",
        "\u0131nf",
        "\u0130NF",
        "∞",
    ),
    *("nan", "NaN", "NAN", "1٣", "٣", "１２", "²", "½", "Ⅷ", "1\u0660.5", "1\u200b", "\u200f5"),
    *("5%", "$5", "5 kg", "(5)", "#N/A", "1/2", "1:30", "12:30", "5-6", "1\t2", "1\u00ad0"),
]
_EXPONENTS = ["", "e5", "E-3", "e+05", "e", "e999", "e-999", "e0005", "e308", "e309", "d5", "e1.5"]
_DAYS = [
    *("2020-02-29", "2021-02-29", "2020-02-30", "0001-01-01", "0000-01-01", "9999-12-31"),
    *("1900-02-29", "2000-02-29", "2020-00-10", "2020-13-01", "2020-1-1", "20-01-01", "20200229"),
    *(
        "2020/02/29",
        "29.02.2020",
        "02/29/2020",
        "2020-W09-6",
        "2020-060",
        "12020-01-01",
        "２０２０-01-01",
    ),
]
_TIMES = [
    *("", " 12:30", "T12:30", " 12:30:05", "T12:30:05.5", " 12:30:05.123456", " 12:30:05.1234567"),
    *(
        " 24:00",
        " 23:59:60",
        " 12:60",
        " 1:30",
        "T1230",
        " 12:30 PM",
        "  12:30",
        "T",
        " 12",
        "t12:30",
    ),
]
_ZONES = [
    *("", "Z", "z", "+01:00", " +01:00", "-05:00", " -0500", "+0530", "+15:59", "-16:00", "+23:59"),
    *("+24:00", "+01", " UTC", "[Europe/Paris]", "+01:60", "+01:00:30"),
]
_WORDS = [
    *(
        "",
        "NA",
        "N/A",
        "n/a",
        "#N/A",
        "<NA>",
        "NaN",
        "nan",
        "NULL",
        "null",
        "NaT",
        "na",
        "Na",
        "None",
    ),
    *("none", "nil", "-", "--", "?", "Null", "#NA", "N.A.", "nat", "true", "True", "TRUE", "tRuE"),
    *(
        "false",
        "False",
        "falſe",
        "T",
        "F",
        "yes",
        "no",
        "on",
        "off",
        "truee",
        "ＴＲＵＥ",
        "a",
        "ä",
        "ß",
    ),
    *(
        "a,b",
        "a;b",
        "a|b",
        'a"b',
        '"',
        '""',
        "'a'",
        "two\nlines",
        "two\r\nlines",
        "\\N",
        "\\",
        "=1+1",
    ),
    *(
        "\u202e123",
        "123\u202c",
        "\ufeff1",
        "\u2066x\u2069",
        "e\u0301",
        "\u00e9",
        "\U0001f600",
        "\u2028x",
    ),
]
_BLANKS = [
    "{}",
    " {}",
    "{} ",
    "\t{}",
    "\u00a0{}",
    "{}\u3000",
    "\n{}",
    "{}\x1f",
    "\u200b{}",
    "{}\x0b",
]


def cells() -> list[str]:
    """Return all cells, each once, in a fixed order."""
    numbers = ["".join(parts) for parts in itertools.product(_SIGNS, _BODIES, _EXPONENTS)]
    moments = ["".join(parts) for parts in itertools.product(_DAYS, _TIMES, _ZONES)]
    plain = [*_BODIES, *_DAYS, *_WORDS, "2020-02-29 12:30", "2020-02-29T12:30Z"]
    blanks = [form.format(text) for form in _BLANKS for text in plain]
    return list(dict.fromkeys([*_WORDS, *numbers, *moments, *blanks]))


def columns(pools: dict[str, list[str]], count: int, length: int) -> list[list[str]]:
    """Return columns of cells of one or a few kinds, so that each kind meets the others."""
    rng = random.Random(7)
    found = []
    for _ in range(count):
        kinds = rng.sample(sorted(pools), rng.choice([1, 1, 1, 2, 2, 3]))
        among = [
            cell for kind in kinds for cell in rng.sample(pools[kind], min(4, len(pools[kind])))
        ]
        found.append([rng.choice(among) for _ in range(length)])
    return found
