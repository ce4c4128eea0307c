"""LaTeX: nothing in a name is taken for a command, and it compiles where there is a TeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from raw_lists import ODD
from rule_lists import named

from surelist.rule_list.export.latex import escape

COMMANDS = {
    *("begin", "end", "hline", "linewidth", "raggedright", "hangindent", "textbf", "ttfamily"),
    *(
        "char",
        "textbackslash",
        "textasciicircum",
        "textasciitilde",
        "le",
        "ge",
        "ne",
        "times",
        "pm",
    ),
    *("mu", "lambda", "ldots", "ss", "ae", "AE", "oe", "OE", "o", "O", "l", "L", "u", "r", "H"),
    *("v", "c", "surelistchar"),
}
SYMBOLS = set("{}$&#%_,\\`'^~=.\"")
TOKEN = re.compile(r"\\([A-Za-z]+)|\\(.)|([{}$&#%_^~])|(.)", re.S)
EVERYTHING = "".join(map(chr, range(0x20, 0x250))) + "\n\t\\input{/etc/passwd} \\def\\x{} ^^41 日本"


def check_tex(text: str) -> None:
    """Refuse whatever TeX could stumble over: a strict reading of the few things we write."""
    text = re.sub(r"\\surelistchar\{[^\x00-\x7f]\}\{[0-9A-F]{4,6}\}", "", text)
    depth, math_mode = 0, False
    for command, symbol, special, plain in TOKEN.findall(text):
        if command:
            assert command in COMMANDS, command
        elif symbol:
            assert symbol in SYMBOLS, symbol
        elif special == "$":
            math_mode = not math_mode
        elif special in ("{", "}"):
            depth += 1 if special == "{" else -1
            assert depth >= 0
        elif special:
            assert special in "&~", f"a bare {special}"
        else:
            assert plain == "\n" or (plain.isascii() and plain.isprintable()), repr(plain)
            assert math_mode or plain not in '<>|"`', plain
    assert depth == 0
    assert not math_mode


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=12), ODD))
def test_any_name_is_escaped(name: str) -> None:
    check_tex(escape(name))
    assert "\n" not in escape(name)
    label = name if name not in ("yes", "no") else "other"
    for counts in (True, False):
        text = named(name, label).export("latex", counts=counts)
        check_tex(text.split("\n", 1)[1] if text.startswith(r"\providecommand") else text)
        rows = [line for line in text.splitlines() if line.endswith(r"\\")]
        bare = [len(re.findall(r"(?<!\\)&", row)) for row in rows]
        assert bare == ([2, 2, 2] if counts else [0, 0])


def test_the_checker_notices() -> None:
    for bad in ("a_b", "50%", "{", "a<b", r"\input{x}", "é", "$x", "#1", "^^41"):
        with pytest.raises(AssertionError):
            check_tex(bad)


def test_common_letters_and_signs_are_spelt_out() -> None:
    assert escape("naïve façade Łódź 50 % ≤ λ") == (
        r"na\"{i}ve fa\c{c}ade \L{}\'{o}d\'{z} 50 \% $\le$ $\lambda$"
    )
    assert escape("日") == r"\surelistchar{日}{65E5}"
    assert escape("a\tb") == r"a\textbackslash{}tb"
    assert "surelistchar" not in named("plain").export("latex")


SAMPLES = [
    "it's",
    'say "hi"',
    "a_b & c % d # e $ f ^ g ~ h",
    "\\end{document}",
    "--- '' `` ?` !`",
    "{",
]


def test_it_compiles(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex here; the strict checker above has read the same text")
    tables = [named(EVERYTHING, EVERYTHING[1:]).export("latex")]
    tables += [named(name).export("latex", counts=bool(i % 2)) for i, name in enumerate(SAMPLES)]
    document = "\\documentclass{article}\n\\begin{document}\n"
    document += "\n\n".join(tables) + "\n\\end{document}\n"
    (tmp_path / "lists.tex").write_text(document, encoding="utf-8")
    finished = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "lists.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "lists.pdf").stat().st_size > 1000
