"""What a command with several rule lists does with its result: write it, draw it, print it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from surelist.cli.options import OutputOptions
from surelist.cli.plot import check_picture, save_picture, use_files_only
from surelist.cli.printing import json_text, print_json
from surelist.cli.writing import Unwritten, claim, write_text

__all__ = ["claim_outputs", "report"]


def claim_outputs(
    output: OutputOptions,
    picture: Path | None,
    *others: Path | None,
    inputs: Iterable[Path | None],
) -> None:
    """Refuse outputs that cannot be written, before any work is done for them.

    Raises
    ------
    InputError
        Naming the file.
    """
    if picture is not None:
        check_picture(picture)
        use_files_only()
    claim(output.force, output.output, picture, *others, inputs=inputs)


def report(
    document: dict[str, Any],
    output: OutputOptions,
    show: Callable[[], None],
    *,
    picture: Path | None = None,
    draw: Callable[[], Any],
    files: Mapping[Path, Callable[[], object]] | None = None,
) -> Unwritten:
    """Write and print a result; what cannot be written is printed all the same.

    Parameters
    ----------
    document : dict
        The result for machines: the content of --output, and what --json prints.
    show : callable
        Prints the result for people.
    draw : callable
        Draws the picture, only if one is asked for.
    files : mapping, optional
        Further files, and what writes each of them.
    """
    unwritten = Unwritten()
    unwritten.attempt(
        output.output, lambda: write_text(output.output, json_text(document), output.force)
    )
    for path, write in (files or {}).items():
        unwritten.attempt(path, write)
    unwritten.attempt(picture, lambda: save_picture(draw(), picture, output.force))
    if output.json:
        print_json(document)
    else:
        show()
    return unwritten
