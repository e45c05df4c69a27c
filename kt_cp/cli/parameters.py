"""Command-line parameters: how Typer reads their values and shows them in the help.

Typer validates values with pydantic.  Importing it takes a fifth of the time of a small command.
The values here are strings, numbers, paths and choices, so this module converts them without it.
In the help, a flag has no type, a number shows its bounds, and an argument has the name that users
type.  The help is plain text: Typer's boxes need Rich, and importing Rich doubles the time.
"""

from __future__ import annotations

import inspect
import os
import re
from collections import Counter
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from kt_cp.cli.output import format_list, print_versions, wrap_text
from kt_cp.model.board import shorten
from kt_cp.model.errors import InputError, suggestion


def help_text(command: Any, ctx: Any) -> str:
    """Return the help of a command; Typer prints its bold headings and names plain in a pipe."""
    rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], "Commands": []}
    for each in command.get_params(ctx):
        name, text = each.get_help_record(ctx)
        rows[f"{each.param_type_name.capitalize()}s"].append((name.strip(), text))
    for name, each in getattr(command, "commands", {}).items():
        rows["Commands"].append((name, (each.help or "").partition("\n\n")[0]))
    usage = " ".join(["Usage:", ctx.command_path, *command.collect_usage_pieces(ctx)])
    lists = [f"{heading}:\n{format_list(each)[:-1]}" for heading, each in rows.items() if each]
    parts = [usage, _indent(command.help), *lists, _indent(command.epilog)]
    text = "\n\n".join(filter(None, parts))
    if os.environ.get("TERM") == "dumb":
        return text
    names = r"^(?:\w+:|  -[\w-]+(?:(?:,| /) -[\w-]+)*|  \S+(?=  ))"
    return re.sub(names, lambda found: typer.style(found[0], bold=True), text, flags=re.MULTILINE)


def _indent(text: str | None) -> str:
    return wrap_text("\n".join(f"  {line}" for line in (text or "").split("\n")), hanging=0)


class Command(TyperCommand):
    """A command that refuses a repeated option instead of using its last value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(args=[*args])
        for each, times in Counter(order).items():
            if times > 1 and each.param_type_name == "option" and not each.multiple:
                names = [each.opts[0], *each.secondary_opts]
                if len(names) > 1 and {*names} <= {*args}:
                    raise InputError(f"{' and '.join(names)} contradict each other: expected one")
                raise InputError(f"expected {' or '.join(names)} once, got it {times} times")
        return super().parse_args(ctx, args)

    get_help = help_text

    def get_params(self, ctx: Any) -> Any:
        return [_adapt_parameter(each) for each in super().get_params(ctx)]


class CommandGroup(TyperGroup):
    """All commands, and the options that stand before a command."""

    get_help = help_text

    def get_params(self, ctx: Any) -> Any:
        return [_adapt_parameter(each) for each in super().get_params(ctx)]


def _adapt_parameter(parameter: Any) -> Any:
    """Set how a parameter is read and shown."""
    reader, name = _ValueReader(parameter), parameter.display_name_raw
    is_argument = parameter.param_type_name == "argument"
    type_text = "" if is_argument or parameter.is_flag else parameter.metavar or reader.type_text
    parameter.get_runtime_param = lambda: reader
    parameter.display_type_rich = lambda **_: type_text
    parameter._get_number_range_help_str = lambda: None
    if is_argument:
        parameter._usage_display_name = lambda: name if parameter.required else f"[{name}]"
    return parameter


class _ValueReader:
    """A converter from the text of a parameter to its value; Typer calls ``coerce``."""

    def __init__(self, parameter: Any) -> None:
        self._type = parameter.type_descriptor.annotation
        self._convert = parameter.type_descriptor.parameter_info.parser or self._type
        self._choices = parameter.type_descriptor.choices
        self._bounds = getattr(parameter, "min", None), getattr(parameter, "max", None)
        self._is_list = parameter.multiple or parameter.nargs == -1

    @property
    def type_text(self) -> str:
        """The type and bounds of a number in the help."""
        if self._type not in (int, float):
            return ""
        return "N" if None in self._bounds else "{}..{}".format(*self._bounds)

    def coerce(self, value: Any, param: Any, ctx: object) -> Any:  # noqa: ARG002
        if self._is_list:
            return tuple(value or ())
        if not isinstance(value, str):
            return value
        try:
            result = self._convert(value)
            least, most = self._bounds
            if (least is None or result >= least) and (most is None or result <= most):
                return result
            problem = f"expected {self._expected}, got {shorten(value)!r}"
        except InputError as error:
            problem = str(error)
        except ValueError:
            hint = suggestion(value, map(str, self._choices or ()))
            problem = f"expected {self._expected}, got {shorten(value)!r}{hint}"
        raise InputError(f"{param.opts[0]}: {problem}")

    @property
    def _expected(self) -> str:
        if self._choices:
            return f"one of {', '.join(map(str, self._choices))}"
        text = "a whole number" if self._type is int else "a number"
        least, most = self._bounds
        if least is None:
            return text
        return f"{text}, {least} or more" if most is None else f"{text} from {least} to {most}"


def unwrap_paragraphs(text: str | None) -> str:
    """Return a docstring with each paragraph in one line: the help breaks lines itself."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)


def _show_versions(requested: bool) -> None:
    if requested:
        print_versions()
        raise typer.Exit


def global_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", is_eager=True, callback=_show_versions, help="Show versions and exit"
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print results and errors only")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print what is done, and how long it takes")
    ] = False,
) -> None:
    """Options of all commands; ``take_verbosity`` has read the last two."""
