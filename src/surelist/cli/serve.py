"""``surelist serve``: the local web page."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli.options import JsonOptions, with_flag_groups
from surelist.cli.printing import note, print_json
from surelist.errors import InputError

if TYPE_CHECKING:
    from surelist.web.limits import Limits

__all__ = ["serve"]

_MB = 1_000_000


@dataclass(frozen=True)
class LimitFlags:
    """Limits on uploads, memory and searches."""

    max_upload: Annotated[
        int, typer.Option("--max-upload", metavar="MB", help="Largest file that may be uploaded.")
    ] = 200
    max_rows: Annotated[
        int, typer.Option("--max-rows", metavar="N", help="Most rows of a table.")
    ] = 2_000_000
    max_columns: Annotated[
        int, typer.Option("--max-columns", metavar="N", help="Most columns of a table.")
    ] = 2_000
    max_memory: Annotated[
        int | None,
        typer.Option(
            "--max-memory",
            metavar="MB",
            help="Most memory for one search. [default: half of the machine's, shared by searches]",
            show_default=False,
        ),
    ] = None
    searches: Annotated[
        int,
        typer.Option("--searches", metavar="N", help="Searches that run at once; others queue."),
    ] = 1


@with_flag_groups
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
            help="Where data and runs are kept: a new folder, or one that the page has made. "
            "[default: ~/.local/share/surelist]",
            show_default=False,
        ),
    ] = None,
    flags: LimitFlags,
    output: JsonOptions,
) -> None:
    """Open the local web page: upload data, watch the search, keep the proof.

    Only this machine can reach the page, and only with the address that is printed. Ctrl-C ends it;
    running searches keep what they have found.
    """
    for name, value in asdict(flags).items():
        if value is not None and value < 1:
            raise InputError(f"--{name.replace('_', '-')} must be at least 1; got {value}")
    server = _server()
    where = (folder or server.default_folder()).absolute()
    listening = server.open_socket(host, port)
    address = server.Address(host, listening.getsockname()[1])
    link = server.BrowserLink(where)
    address.entered = link.close

    def ready() -> None:
        _announce(address.url, where, output.json)
        if browser:
            try:
                _open_browser(link.open(address.url))
            except OSError as error:
                note(f"no browser is opened ({error.strerror}): open the address yourself")

    if not address.is_local:
        note(
            f"{host} can be reached from other machines, and what they send is not encrypted; "
            "leave --host out unless you are sure"
        )
    # Ctrl-C is the normal way to end it, not an error.
    with contextlib.closing(link), contextlib.suppress(KeyboardInterrupt):
        server.serve(listening, address, where, _limits(flags), ready)


def _server() -> Any:
    """Import the page, or say what to install."""
    try:
        from surelist.web import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "uvicorn", "starlette"):
            raise
        raise InputError(
            f"the web page needs {error.name}, which is missing: pip install 'surelist[web]'"
        ) from None
    return server


def _limits(flags: LimitFlags) -> Limits:
    from surelist.web.limits import Limits, memory_for_searches

    given = flags.max_memory
    return Limits(
        upload=flags.max_upload * _MB,
        unpacked=5 * flags.max_upload * _MB,
        rows=flags.max_rows,
        columns=flags.max_columns,
        search_memory=memory_for_searches(flags.searches) if given is None else given * _MB,
        searches=flags.searches,
    )


def _announce(url: str, folder: Path, as_json: bool) -> None:
    if as_json:
        print_json({"url": url, "folder": str(folder)})
    else:
        sys.stdout.write(f"Surelist is open at\n\n    {url}\n\nCtrl-C ends it.\n")
    sys.stdout.flush()


def _open_browser(url: str) -> None:
    """Open the page in another thread: starting a browser may take long, or never return."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
