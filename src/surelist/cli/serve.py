"""``surelist serve``: the local web page."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from surelist.cli.options import JsonOptions, takes
from surelist.cli.printing import note, print_json
from surelist.errors import InputError

__all__ = ["register"]

_MB = 1_000_000


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("serve")(serve)


@takes(output=JsonOptions)
def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="The port to listen on; 0 is any.")
    ] = 8321,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether to open a browser.")
    ] = True,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            metavar="FOLDER",
            help="Where data and runs are kept. [default: ~/.local/share/surelist]",
            show_default=False,
        ),
    ] = None,
    max_upload: Annotated[
        int, typer.Option("--max-upload", metavar="MB", help="Largest file that may be uploaded.")
    ] = 200,
    max_rows: Annotated[
        int, typer.Option("--max-rows", metavar="N", help="Most rows of a table.")
    ] = 2_000_000,
    max_columns: Annotated[
        int, typer.Option("--max-columns", metavar="N", help="Most columns of a table.")
    ] = 2_000,
    max_memory: Annotated[
        int, typer.Option("--max-memory", metavar="MB", help="Most memory for one search.")
    ] = 8_000,
    searches: Annotated[
        int,
        typer.Option("--searches", metavar="N", help="Searches that run at once; others queue."),
    ] = 1,
    output: JsonOptions,
) -> None:
    """Open the local web page: upload data, watch the search, keep the proof.

    The page is for this machine alone, and for whoever knows the address that is printed. Ctrl-C
    ends it; searches that run then keep what they have found.
    """
    for flag, value in (
        ("--max-upload", max_upload),
        ("--max-rows", max_rows),
        ("--max-columns", max_columns),
        ("--max-memory", max_memory),
        ("--searches", searches),
    ):
        if value < 1:
            raise InputError(f"{flag} must be at least 1; got {value}")
    try:
        from surelist.web import server
        from surelist.web.limits import Limits
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "uvicorn", "starlette"):
            raise
        raise InputError(
            f"the web page needs {error.name}, which is missing: pip install 'surelist[web]'"
        ) from None
    limits = Limits(
        upload=max_upload * _MB,
        unpacked=5 * max_upload * _MB,
        rows=max_rows,
        columns=max_columns,
        search_memory=max_memory * _MB,
        searches=searches,
    )
    listening = server.open_socket(host, port)
    address = server.Address(host, listening.getsockname()[1])

    def ready() -> None:
        if output.json:
            print_json({"url": address.url, "folder": str(where)})
        else:
            sys.stdout.write(f"Surelist is open at\n\n    {address.url}\n\nCtrl-C ends it.\n")
        sys.stdout.flush()
        if browser:
            _open_browser(address.url)

    where = (folder or server.default_folder()).absolute()
    if not address.is_local:
        note(
            f"{host} can be reached from other machines, and what they send is not encrypted; "
            "leave --host out unless you are sure"
        )
    # Ctrl-C is how it is meant to end: no reason for an error.
    with contextlib.suppress(KeyboardInterrupt):
        server.serve(listening, address, where, limits, ready)


def _open_browser(url: str) -> None:
    """Open the page beside the server: a browser may take its time, or not return at all."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
