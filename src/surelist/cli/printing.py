"""Printing: results on standard output, everything else on standard error.

On a terminal the text is coloured and wrapped. Elsewhere it is plain, and lines are not wrapped, so
that they can be searched and compared.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = [
    "fail",
    "is_shown_whole",
    "is_terminal",
    "json_text",
    "note",
    "on_terminal",
    "print_facts",
    "print_json",
    "print_lines",
    "show_anything",
    "silence",
]

# Characters of our own texts, and what replaces them where an encoding lacks them.
_PLAIN = dict(
    pair.split(" ", 1)
    for pair in (
        *("λ lambda", "≤ <=", "≥ >=", "≠ !=", "× x", "· *", "− -", "– -", "— -", "… ...", "→ ->"),
        *("━ =", '“ "', '” "', "’ '", "∞ inf", "• *"),
    )
)
_HANDLER = "surelist.plain"
_ASCII = "plain-ascii"


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks: our own by words, others by their number."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    number = {sign: sign.encode("ascii", "backslashreplace").decode() for sign in set(lost)}
    return "".join(_PLAIN.get(sign, number[sign]) for sign in lost), error.end


def _own_ascii(name: str) -> codecs.CodecInfo | None:
    """Register ASCII under another name: a stream called ASCII, click writes to in UTF-8."""
    if name != _ASCII.replace("-", "_"):
        return None
    known = codecs.lookup("ascii")
    return codecs.CodecInfo(
        known.encode,
        known.decode,
        known.streamreader,
        known.streamwriter,
        known.incrementalencoder,
        known.incrementaldecoder,
        name=_ASCII,
    )


codecs.register_error(_HANDLER, _plain)
codecs.register(_own_ascii)


def show_anything() -> None:
    """Make standard output and standard error accept any text, in any encoding.

    A stream that was closed before the program began is replaced by the null device.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper) and not _takes_all(stream):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=_ASCII if is_ascii else None, errors=_HANDLER)


def _takes_all(stream: TextIO) -> bool:
    try:
        return codecs.lookup(stream.encoding or "ascii").name.startswith("utf-")
    except LookupError:
        return False


def is_shown_whole(text: str, stream: TextIO) -> bool:
    """Whether the encoding of a stream has all the characters of a text."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def silence(stream: TextIO) -> None:
    """Redirect a stream that cannot be written to the null device, so that closing it is safe."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # not a file of the system, as in tests


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is an open terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def on_terminal(stream: TextIO) -> Console:
    """Return a rich console on a terminal's stream."""
    from rich.console import Console

    return Console(file=stream, highlight=False)


def fail(message: str, code: int, as_json: bool, more: Mapping[str, Any] | None = None) -> int:
    """Say in one line what went wrong; return the exit code."""
    try:
        if as_json:
            document = {"error": message, "exit_code": code, **(more or {})}
            sys.stderr.write(json.dumps(document, ensure_ascii=not _takes_all(sys.stderr)) + "\n")
        else:
            _say("error", message, "bold red")
        sys.stderr.flush()
    except OSError:  # standard error is closed; the exit code still tells
        silence(sys.stderr)
    return code


def note(message: str) -> None:
    """Print a note on standard error."""
    _say("note", message, "bold yellow")


def _say(kind: str, message: str, style: str) -> None:
    line = " ".join(message.split("\n"))
    if is_terminal(sys.stderr):
        from rich.text import Text

        text = Text.assemble("surelist: ", (f"{kind}: ", style), line)
        on_terminal(sys.stderr).print(text, soft_wrap=True)
    else:
        sys.stderr.write(f"surelist: {kind}: {line}\n")


def print_json(document: Any) -> None:
    """Print a document for machines on standard output."""
    # What an encoding lacks is escaped as JSON has it: to replace it would change the content.
    sys.stdout.write(json_text(document, ensure_ascii=not _takes_all(sys.stdout)))


def json_text(document: Any, *, ensure_ascii: bool = False) -> str:
    """Return a document as text."""
    return json.dumps(document, indent=2, ensure_ascii=ensure_ascii, allow_nan=False) + "\n"


def print_lines(lines: Sequence[str]) -> None:
    """Print a rule list."""
    if not is_terminal(sys.stdout):
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        return
    from rich.table import Table

    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for line in lines:
        word = next((word for word in ("else if ", "if ", "else ") if line.startswith(word)), "")
        table.add_row(word.strip(), _styled(line.removeprefix(word)))
    on_terminal(sys.stdout).print(table)


def _styled(line: str) -> Text:
    """Colour the words "then predict" and the label of a line."""
    from rich.text import Text

    condition, predict, label = line.rpartition("predict ")
    antecedent = condition.removesuffix("then ")
    words = condition[len(antecedent) :] + predict
    return Text.assemble(antecedent, (words, "dim"), (label, "bold cyan"))


def print_facts(facts: Mapping[str, str]) -> None:
    """Print names and values, one below the other."""
    if not is_terminal(sys.stdout):
        width = max(map(len, facts))
        lines = [f"{name:<{width}}   {value}\n" for name, value in facts.items()]
        sys.stdout.write("".join(lines))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        first, colon, rest = value.partition(":")
        style = {"optimal": "bold green"}.get(first, "bold yellow" if name == "status" else "")
        table.add_row(name, Text.assemble((first, style), colon, rest))
    on_terminal(sys.stdout).print(table)
