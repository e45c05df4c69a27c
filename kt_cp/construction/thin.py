"""Boards of three, four and five rows."""

from __future__ import annotations

from kt_cp.board import Square
from kt_cp.construction.part import Part
from kt_cp.construction.tiles import NoTileError


def thin(
    rows: int, columns: int, *, closed: bool, start: Square | None, end: Square | None
) -> Part:
    """Nothing yet."""
    raise NoTileError(f"nothing for {rows}x{columns}, {closed}, {start}, {end}")
