"""Arguments into values, without Typer's validation library.

Typer converts arguments by pydantic, which takes as long to import as numpy. Our flags take texts,
numbers, paths and choices, which need no library. So these are converted here; whatever cannot be
is left to Typer, which also says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin

__all__ = ["convert_plain_values"]


def convert_plain_values(command: Any, functions: Mapping[str, Callable[..., Any]]) -> None:
    """Let the parameters of a group and its commands convert plain values themselves.

    Parameters
    ----------
    command : click.Group
        What Typer made.
    functions : mapping of str to function
        The command functions by name, whose annotations say what parameters hold.
    """
    _let_convert(command, {})
    for name, each in command.commands.items():
        _let_convert(each, getattr(functions.get(name), "__annotations__", {}))


def _let_convert(command: Any, annotations: Mapping[str, Any]) -> None:
    # Asked for when a command line is parsed: only then is there the parameter for --help.
    by_click = command.get_params
    done: set[str] = set()

    def get_params(context: Any) -> list[Any]:
        parameters: list[Any] = by_click(context)
        for parameter in parameters:
            if parameter.name not in done:
                done.add(parameter.name)
                _convert(parameter, annotations.get(parameter.name))
        return parameters

    command.get_params = get_params


def _convert(parameter: Any, annotation: Any) -> None:
    by_typer = parameter.process_value
    kind, multiple = _kind_of(annotation)

    def process_value(context: Any, value: Any) -> Any:
        try:
            if value is None or (multiple and not value):
                converted: Any = () if multiple else None
            elif multiple:
                converted = [_plain(kind, each) for each in value]
            else:
                converted = _plain(kind, value)
        except ValueError:
            return by_typer(context, value)
        if parameter.required and not converted:
            return by_typer(context, value)
        if parameter.callback is None:
            return converted
        return parameter.callback(context, parameter, converted)

    parameter.process_value = process_value


def _kind_of(annotation: Any) -> tuple[Any, bool]:
    """Return of which type values are, and whether there may be several."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) is UnionType or isinstance(annotation, UnionType):
        kinds = [each for each in get_args(annotation) if each is not NoneType]
        annotation = kinds[0] if len(kinds) == 1 else None
    if get_origin(annotation) is list:
        return get_args(annotation)[0], True
    return annotation, False


def _plain(kind: Any, value: Any) -> Any:
    if isinstance(kind, type) and type(value) is kind:
        return value
    if isinstance(value, str):
        if kind is Path:
            return Path(value)
        if kind in (int, float) or (isinstance(kind, type) and issubclass(kind, Enum)):
            return kind(value)
    raise ValueError(f"{value!r} is no {kind}")
