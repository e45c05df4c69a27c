"""What Typer shows in a command's help and says of bad usage, in words of this house.

A flag takes no value, so its help names none; a number is shown with its bounds; an argument stands
as it is typed.  What the library that validates values says of them is said here instead.
"""

from __future__ import annotations

import inspect
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from kt_cp.model.board import shorten
from kt_cp.model.errors import InputError


class OneEach(TyperCommand):
    """A command that refuses an option which is given twice and would be heard once."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(args=[*args])
        for each, times in Counter(order).items():
            if times > 1 and each.param_type_name == "option" and not each.multiple:
                raise InputError(f"expected {each.opts[0]} once, got it {times} times")
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> Any:
        return [_plain(each) for each in super().get_params(ctx)]


class Commands(TyperGroup):
    """All commands, with options of their own before them."""

    def get_params(self, ctx: Any) -> Any:
        return [_plain(each) for each in super().get_params(ctx)]


def _plain(parameter: Any) -> Any:
    """A parameter whose help shows a value only where it takes one; the same if asked again."""
    if isinstance(getattr(parameter.get_runtime_param, "__self__", None), _AsSaid):
        return parameter
    argument = parameter.param_type_name == "argument"
    numeric = _number(parameter)
    shown = parameter.metavar or (_bounds(parameter) or "N" if numeric else "")
    if argument or parameter.is_flag:
        shown = ""
    parameter.display_type_rich = lambda **_: shown
    parameter._get_number_range_help_str = lambda: None
    parameter.get_runtime_param = _AsSaid(parameter).reader
    if argument:
        optional = "{}" if parameter.required else "[{}]"
        parameter._usage_display_name = lambda: optional.format(parameter.display_name_raw)
    return parameter


class _AsSaid:
    """Reads what is plainly a text, a number or a path, and leaves the rest to Typer.

    The library that validates values there takes a fifth of the time of a whole small command to
    load, and says what is wrong with a value better than a failed conversion does.
    """

    def __init__(self, parameter: Any) -> None:
        self._validating = parameter.get_runtime_param
        self._kind = parameter.type_descriptor.annotation
        self._read = parameter.type_descriptor.parameter_info.parser or self._kind
        self._many = parameter.multiple or parameter.nargs == -1
        least, most = getattr(parameter, "min", None), getattr(parameter, "max", None)
        self._least = -math.inf if least is None else least
        self._most = math.inf if most is None else most

    def reader(self) -> _AsSaid:
        """What Typer asks for a parameter."""
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value that a command gets; Typer gives the name."""
        if value is None:
            return () if self._many else None
        if self._many and self._kind == list[str] and not isinstance(value, str):
            return list(value)
        if not self._many and self._kind in (str, Path) and isinstance(value, str):
            return self._read(value)
        if not self._many and self._kind in (int, float):
            plain = type(value) is self._kind or PLAIN_NUMBER.fullmatch(str(value))
            if plain and self._least <= (number := self._kind(value)) <= self._most:
                return number
        return self._validating().coerce(value, param=param, ctx=ctx)


PLAIN_NUMBER = re.compile("[0-9]{1,15}")


def _number(parameter: Any) -> str:
    """What kind of number a parameter takes, or "" if none."""
    kinds = {int: "a whole number", float: "a number"}
    return kinds.get(parameter.type_descriptor.annotation, "")


def _bounds(parameter: Any) -> str:
    """The numbers that are taken, in brief, or "" where there are no two bounds."""
    least, most = getattr(parameter, "min", None), getattr(parameter, "max", None)
    return "" if least is None or most is None else f"{least}..{most}"


def prose(text: str | None) -> str:
    """A docstring, each paragraph in a line of its own: help breaks lines where they are full."""
    return "\n\n".join(
        " ".join(part.split()) for part in inspect.cleandoc(text or "").split("\n\n")
    )


def completed(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """What a shell offers for an option: of these names those that begin as was typed."""

    def offered(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return offered


def usage(error: TyperException) -> str:
    """What was expected, and what came."""
    details = getattr(error.__cause__, "errors", None)
    parameter: Any = getattr(error, "param", None)
    if not callable(details) or parameter is None:
        return _plainly(error, parameter)
    came = details()[0].get("input")
    choices = parameter.type_descriptor.choices
    expected = _number(parameter) or f"one of {', '.join(choices or ())}"
    least, most = parameter.min, parameter.max
    if least is not None:
        expected += f", {least} or more" if most is None else f" from {least} to {most}"
    return f"{parameter.opts[0]}: expected {expected}, got {shorten(came)!r}"


def _plainly(error: TyperException, parameter: Any) -> str:
    """The same of what the library says itself: what is missing, unknown or too much."""
    said, context = error.format_message(), getattr(error, "ctx", None)
    option = shorten(getattr(error, "option_name", ""))
    near = next(iter(getattr(error, "possibilities", None) or ()), None)
    hint = f" (did you mean {near}?)" if near else ""
    if said.startswith("Missing argument"):
        return f"expected {parameter.display_name_raw}, got none"
    if said.startswith("Invalid value for") and parameter is not None:
        return f"{parameter.opts[0]}: {said.partition(': ')[2]}"
    if said.startswith("No such option"):
        where = "kt-cp" if context is None else context.command_path
        return f"expected an option of {where}, got {option}{hint}"
    if said.endswith("requires an argument."):
        return f"{option}: expected a value, got none"
    if said.startswith("Got unexpected extra argument"):
        extra = said.partition("(")[2].partition("(")[2].rstrip(")")
        return f"expected no further argument, got {shorten(extra)!r}"
    return said
