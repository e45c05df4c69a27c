"""Boards without a tour, and the kinds of evidence that are tried on each."""

from __future__ import annotations

from dataclasses import dataclass

POSITION = "position"
"""The yardstick: the position encoding by CaDiCaL, its proof as it is logged."""

KINDS = ("removal", "tight", "forced", "refutation")


@dataclass(frozen=True)
class Claim:
    """A question whose answer is "none"."""

    board: str
    kind: str
    start: str = "-"
    end: str = "-"
    position: bool = False
    """Whether the yardstick ends in reasonable time."""

    @property
    def label(self) -> str:
        ends = "".join(
            f" {word} {end}" for word, end in (("from", self.start), ("to", self.end)) if end != "-"
        )
        return f"{self.board} {self.kind}{ends}"


CLAIMS = (
    Claim("3x4", "closed", position=True),
    Claim("3x6", "closed", position=True),
    Claim("3x8", "closed", position=True),
    Claim("3x5", "open", position=True),
    Claim("3x6", "open", position=True),
    Claim("4x4", "open", position=True),
    Claim("4x6", "closed", position=True),
    Claim("4x8", "closed", position=True),
    Claim("4x10", "closed", position=True),
    Claim("4x12", "closed"),
    Claim("4x16", "closed"),
    Claim("4x60", "closed"),
    Claim("4x7", "open", "b2", "g4", position=True),
    Claim("4x30", "open", "h2"),
    Claim("5x30", "open", "b3", "ad2"),
    Claim("3x30", "open", "c3", "d2"),
)
QUICK_CLAIMS = (CLAIMS[0], CLAIMS[5])
