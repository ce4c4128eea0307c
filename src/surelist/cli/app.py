"""The application: its commands, and how an error becomes one line and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any

import rich  # noqa: F401 - so that main can say that it is missing before anything else
import typer

from surelist.cli import exit_codes
from surelist.cli.conversion import convert_plain_values
from surelist.cli.printing import fail, show_anything, silence
from surelist.cli.wording import worded
from surelist.cli.writing import NotWrittenError
from surelist.errors import FormatError, SurelistError

__all__ = ["COMMANDS", "functions_of", "run", "with_commands"]

# Each is a module of this folder that has a function of the same name.
COMMANDS = (
    *("demo", "inspect", "fit", "resume", "predict", "explain", "export", "verify", "bundle"),
    *("plot", "path", "alternatives", "fair", "convert", "serve"),
)

# Typer brings a click of its own in some versions; this finds the one it uses.
_UsageProblem: Any = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)


def functions_of(commands: Sequence[str]) -> dict[str, Callable[..., Any]]:
    """Import the functions of some commands."""
    return {name: getattr(import_module(f"surelist.cli.{name}"), name) for name in commands}


def with_commands(functions: Mapping[str, Callable[..., Any]]) -> typer.Typer:
    """Return the application with some commands."""
    application = typer.Typer(
        name="surelist",
        help="Certifiably optimal rule lists: models a person can read, with a proof that no "
        "better one exists.",
        epilog=exit_codes.MEANING,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )
    application.callback(invoke_without_command=True)(_surelist)
    for function in functions.values():
        application.command()(function)
    return application


def _version(wanted: bool) -> None:
    if wanted:
        from surelist import __version__

        sys.stdout.write(f"surelist {__version__}\n")
        raise typer.Exit


def _surelist(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None and not version:
        typer.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Looked up before parsing, because parsing may be what fails.
    flags = set(given[: given.index("--")] if "--" in given else given)
    as_json = "--json" in flags
    show_anything()
    # To import and declare the others takes longer than most commands do.
    commands = given[:1] if given and given[0] in COMMANDS else COMMANDS
    try:
        functions = functions_of(commands)
        command = typer.main.get_command(with_commands(functions))
        convert_plain_values(command, functions)
        code = command.main(given, prog_name="surelist", standalone_mode=False)
        sys.stdout.flush()
        if code == exit_codes.INTERRUPTED:  # some versions of Typer turn Ctrl-C into this
            raise KeyboardInterrupt
        return code if isinstance(code, int) else exit_codes.SUCCESS
    except SurelistError as error:
        if "--debug" in flags:
            traceback.print_exc()
        written = not isinstance(error, NotWrittenError)
        code = exit_codes.BAD_INPUT if written else exit_codes.NOT_WRITTEN
        return fail(worded(error), code, as_json, _place(error))
    except _UsageProblem as error:
        return fail(_usage(error), exit_codes.BAD_INPUT, as_json)
    except OSError as error:
        if error.filename is not None or error.errno not in _FULL:
            return _defect(error, flags, as_json)
        return _unwritten(error.strerror, as_json)
    except SystemExit:
        if "_SURELIST_COMPLETE" in os.environ:  # a shell asked what could come next, and has it
            raise
        # click exits so when the reader of standard output has gone.
        return _unwritten("its reader is gone", as_json)
    except (typer.Abort, KeyboardInterrupt):
        return fail("interrupted before there was a result", exit_codes.INTERRUPTED, as_json)
    except Exception as error:
        return _defect(error, flags, as_json)


def _defect(error: Exception, flags: set[str], as_json: bool) -> int:
    if "--debug" in flags:
        traceback.print_exc()
    text = " ".join(f"{type(error).__name__}: {error}".split())
    advice = "please report this defect; --debug shows where it happened"
    return fail(f"{text}; {advice}", exit_codes.DEFECT, as_json)


# Errors of writing to standard output. Errors of writing files name the file.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE)


def _unwritten(reason: str | None, as_json: bool) -> int:
    silence(sys.stdout)
    message = f"not everything could be written to standard output ({reason})"
    return fail(message, exit_codes.NOT_WRITTEN, as_json)


def _place(error: SurelistError) -> dict[str, Any]:
    if not isinstance(error, FormatError):
        return {}
    place = {"path": error.path, "line": error.line, "column": error.column}
    return {name: value for name, value in place.items() if value is not None}


def _usage(error: Any) -> str:
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{message}; see {context.command_path if context else 'surelist'} --help"
